import { checkAffinity } from './affinity.ts'
import { checkBackup } from './backup.ts'
import { checkChart } from './chart.ts'
import { checkOptions } from './chartOptions.ts'
import { type Check, installMissing, installTools, runChecks } from './checks.ts'
import { checkCompose } from './compose.ts'
import { checkDashboards } from './dashboards.ts'
import { checkDockerfiles } from './dockerfiles.ts'
import { project, run } from './program.ts'

/**
 * npm run deploy: parses, renders and runs the files of deploy/, as far as a Debian machine without container
 * engine can. It installs missing packages when permitted, and ends with the line "N passed, N failed". The
 * images have their own command, npm run image.
 */

/** Programs, and the Debian packages that provide them. */
const packages: Readonly<Record<string, string>> = {
  promtool: 'prometheus',
  'docker-compose': 'docker-compose',
  caddy: 'caddy',
  'systemd-analyze': 'systemd',
  haproxy: 'haproxy',
  envsubst: 'gettext-base',
  pgbackrest: 'pgbackrest',
  shellcheck: 'shellcheck',
}

const checks: readonly Check[] = [
  {
    name: 'alert rules are valid and fire in the cases of exchequer.test.yml',
    needs: ['promtool'],
    run() {
      const options = { cwd: `${project}deploy/prometheus` }
      run('promtool', ['check', 'rules', 'exchequer.rules.yml'], options)
      run('promtool', ['test', 'rules', 'exchequer.test.yml'], options)
    },
  },
  { name: 'the queries of the dashboards are valid', needs: ['promtool'], run: checkDashboards },
  { name: 'compose files are valid', needs: ['docker-compose'], run: checkCompose },
  {
    name: 'Caddy accepts the Caddyfile',
    needs: ['caddy'],
    run() {
      const env = { ...process.env, DOMAIN: 'points.example.com' }
      const args = ['validate', '--adapter', 'caddyfile', '--config', 'deploy/Caddyfile']
      run('caddy', args, { env })
    },
  },
  {
    name: 'HAProxy accepts the configuration that the cluster script writes',
    needs: ['haproxy', 'envsubst'],
    run() {
      const script = `set -e; folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
        HTTP_ADDRESS=0.0.0.0 deploy/ha/cluster config "$folder"
        haproxy -c -q -f "$folder/haproxy.cfg"
        grep -q 'bind 0.0.0.0:15403' "$folder/haproxy.cfg"
        ! grep -n '\${' "$folder"/node?.yml "$folder/etcd.yml"`
      run('bash', ['-c', script])
    },
  },
  {
    name: 'systemd accepts the units',
    needs: ['systemd-analyze'],
    run() {
      const names = ['.service', '-migrate.service', '-verify.service', '-verify.timer']
      const units = names.map((name) => `exchequer${name}`)
      const files = [
        ...units.map((unit) => `deploy/systemd/${unit}`),
        'deploy/haproxy/exchequer-haproxy-map.service',
      ]
      // Node may be installed elsewhere on this machine.
      const script = `set -e; folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
        cp "$@" "$folder"; cd "$folder"
        sed -i "s|/usr/bin/node|$NODE|" *.service; systemd-analyze verify --man=no ./*
        [ "$(grep -l LoadCredential=database_owner_url *.service)" = exchequer-migrate.service ]
        systemd-analyze security --offline=true --threshold=20 ./exchequer.service >/dev/null`
      run('bash', ['-c', script, '-', ...files], { env: { ...process.env, NODE: process.execPath } })
    },
  },
  { name: 'shellcheck finds no problem in the scripts', needs: ['shellcheck'], run: checkScripts },
  { name: 'the chart renders, and every field matches the Kubernetes schemas', run: checkChart },
  {
    name: 'the chart keeps servers up, scales, and has the alerts and dashboards of deploy/',
    run: checkOptions,
  },
  {
    name: 'HAProxy accepts deploy/haproxy and the chart’s configuration, which find realms the same way',
    needs: ['haproxy'],
    run: checkAffinity,
  },
  { name: 'the Dockerfiles are sound', run: checkDockerfiles },
  { name: 'the backup service makes full and incremental backups', needs: ['pgbackrest'], run: checkBackup },
]

function checkScripts(): void {
  const scripts = ['secrets.sh', 'postgres-roles.sh', 'backup/backup.sh', 'ha/roles']
  run(
    'shellcheck',
    scripts.map((name) => `deploy/${name}`),
  )
}

installMissing(packages)
installTools()
await runChecks(checks)
