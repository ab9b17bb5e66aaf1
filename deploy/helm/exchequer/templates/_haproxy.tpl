{{/* Whether HAProxy is in front of the servers. */}}
{{- define "exchequer.haproxy" -}}
{{- if and .Values.realmAffinity.enabled (eq .Values.realmAffinity.by "haproxy") }}yes{{ end }}
{{- end }}

{{- define "exchequer.haproxySelector" -}}
app.kubernetes.io/name: exchequer
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: haproxy
{{- end }}

{{/* As deploy/haproxy/haproxy.cfg, whose comments give the reasons; the servers are found by DNS. */}}
{{- define "exchequer.haproxyConfig" -}}
global
  maxconn 10000
  hard-stop-after 60s

resolvers cluster
  parse-resolv-conf
  accepted_payload_size 8192
  hold valid 1s
  # When DNS is away, the servers stay.
  hold timeout 1h
  hold refused 1h
  hold other 1h

defaults cell
  mode http
  timeout connect 1s
  timeout check 2s
  timeout client 75s
  timeout http-request 10s
  timeout http-keep-alive 75s
  timeout server 40s
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter 200ms fall 1 rise 1
  balance hash var(txn.realm)
  hash-type consistent sdbm avalanche
  retries 2
  retry-on conn-failure
  option redispatch 1
  errorfile 503 /etc/haproxy/unavailable.http
  errorfile 502 /etc/haproxy/outcome-unknown.http
  errorfile 504 /etc/haproxy/outcome-unknown.http

frontend exchequer from cell
  bind :8080
  # Added behind what an ingress has written. The server uses the last address that is not one of TRUSTED_PROXIES.
  option forwardfor
  http-request set-var(txn.path) "path,regsub(^${BASE_PATH}/,/),url_dec"
  http-request set-var(txn.realm) var(txn.path),field(5,/) if { var(txn.path) -m beg /api/v4/realms/ }
  http-request set-var(txn.realm) var(txn.path),field(5,/) if { var(txn.path) -m beg /operator/v1/realms/ }
  http-request set-var(txn.realm) var(txn.path),field(3,/) if { var(txn.path) -m beg /boards/ }
  http-request set-var(txn.realm) var(txn.path),field(3,/),field(1,.) if { var(txn.path) -m beg /link/ }
  default_backend cell_0

backend cell_0 from cell
  server-template exchequer {{ max 10 (mul 2 (include "exchequer.mostServers" . | int)) }} {{ .Release.Name }}-servers.{{ .Release.Namespace }}.svc.{{ .Values.realmAffinity.clusterDomain }}:8080 resolvers cluster resolve-prefer ipv4 init-addr none

listen status from cell
  bind :8404
  monitor-uri /healthz
  http-request use-service prometheus-exporter if { path /metrics }
  http-request deny
{{- end }}

{{- define "exchequer.haproxyProblem" -}}
HTTP/1.1 503 Service Unavailable
Content-Type: application/problem+json; charset=utf-8
Retry-After: 1
Cache-Control: no-store
X-Request-Id: -

{"type":"/problems/{{ .code | replace "_" "-" }}",
"title":"{{ .title }}",
"status":503,
"detail":"{{ .detail }}",
"code":"{{ .code }}",
"message":"{{ .detail }}",
"requestId":"-"}
{{- end }}
