{{- define "exchequer.labels" -}}
app.kubernetes.io/name: exchequer
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "exchequer.selector" -}}
app.kubernetes.io/name: exchequer
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: server
{{- end }}

{{/* What every pod has in common: who it runs as, and what it may not. */}}
{{- define "exchequer.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The files of the Secret that a pod needs, and no others: `.keys`, and those that settings name. */}}
{{- define "exchequer.secrets" -}}
{{- $keys := .keys }}
{{- range $name, $value := .root.Values.settings }}
{{- if hasPrefix "/run/secrets/exchequer/" (toString $value) }}
{{- $keys = append $keys (trimPrefix "/run/secrets/exchequer/" (toString $value)) }}
{{- end }}
{{- end }}
{{- with .root.Values.databaseCA }}
{{- $keys = append $keys . }}
{{- end }}
volumes:
  - name: secrets
    secret:
      secretName: {{ .root.Values.existingSecret }}
      defaultMode: 0440
      items:
        {{- range uniq $keys }}
        - { key: {{ . }}, path: {{ . }} }
        {{- end }}
{{- end }}

{{- define "exchequer.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/exchequer, readOnly: true }
{{- end }}

{{- define "exchequer.env" -}}
- { name: DATABASE_URL_FILE, value: /run/secrets/exchequer/database_url }
- { name: KEY_SECRETS_FILE, value: /run/secrets/exchequer/key_secrets }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* Pods of one kind on different machines and in different zones, as far as there are any: `.selector` names the kind. */}}
{{- define "exchequer.spread" -}}
topologySpreadConstraints:
  {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include $.selector $.root | nindent 8 }}
  {{- end }}
{{- end }}

{{/* The most servers that run besides those of an upgrade. */}}
{{- define "exchequer.mostServers" -}}
{{- if .Values.autoscaling.enabled }}{{ .Values.autoscaling.maxReplicas }}{{ else }}{{ .Values.replicas }}{{ end }}
{{- end }}
