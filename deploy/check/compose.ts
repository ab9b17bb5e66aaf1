import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { project, run, tool } from './program.ts'

type Service = {
  readonly volumes?: readonly string[]
  readonly ports?: readonly (string | object)[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly { readonly source: string }[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
}
type Composed = { readonly services: Readonly<Record<string, Service>> }

const publicUrl = 'https://points.example.com'
const copied = ['compose.yaml', 'Dockerfile', 'deploy']

/**
 * Resolved by Debian's docker-compose, in a copy: it predates the top-level `name`, which is removed
 * for it, and deploy/secrets.sh creates the secrets.
 */
export async function checkCompose(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-compose-'))
  try {
    for (const name of copied) {
      const filter = (file: string) => !file.includes('node_modules')
      cpSync(join(project, name), join(folder, name), { recursive: true, filter })
    }
    run('sh', ['deploy/secrets.sh'], { cwd: folder })
    const one = await resolved(folder, 'compose.yaml')
    const { postgres, server, verify } = one.services
    if (!postgres?.volumes?.includes('postgres:/var/lib/postgresql:rw'))
      throw new Error('the data of postgres:18 is not on its volume')
    if (!postgres.command?.includes('-cwal_level=logical'))
      throw new Error('no realm can leave this PostgreSQL')
    if (!server?.read_only) throw new Error('the server can write: read_only is not set')
    if (server.environment?.['PUBLIC_URL'] !== publicUrl) throw new Error('the server has no PUBLIC_URL')
    if (verify?.depends_on?.['server']?.condition !== 'service_healthy')
      throw new Error('verify does not wait for the server')
    const owners = Object.entries(one.services).filter(([, service]) => hasOwner(service))
    if (owners.map(([name]) => name).join() !== 'migrate')
      throw new Error(`the owner’s password is available to ${owners.map(([name]) => name).join()}`)
    if (server.depends_on?.['migrate']?.condition !== 'service_completed_successfully')
      throw new Error('the server does not wait for the migration')
    for (const [name, { cap_drop: dropped = [] }] of Object.entries(one.services))
      if (!dropped.includes('ALL')) throw new Error(`${name} keeps every capability`)
    const published = JSON.stringify(Object.values(one.services).flatMap(({ ports = [] }) => ports))
    if (published.includes('9464')) throw new Error('the port of /metrics is published')
    const ha = await resolved(folder, 'deploy/ha/compose.yaml')
    const parts = ['etcd', 'haproxy', 'node1', 'node2', 'node3', 'server1', 'server2']
    const missing = parts.filter((part) => !ha.services[part])
    if (missing.length > 0) throw new Error(`missing in the cluster: ${missing.join(', ')}`)
    expectRoles(ha)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The cluster's servers have a role without ownership; the migration before them has the other one. */
function expectRoles({ services }: Composed): void {
  const roleOf = (service: Service | undefined, name: string) =>
    URL.parse(service?.environment?.[name] ?? '')?.username ?? 'none'
  const { server1, server2, migrate } = services
  const owners = Object.entries(services).filter(([, one]) => roleOf(one, 'DATABASE_OWNER_URL') !== 'none')
  const found = [server1, server2, migrate].map((one) => roleOf(one, 'DATABASE_URL'))
  if (found.some((role) => role !== 'exchequer_server'))
    throw new Error(`the cluster’s servers have the roles ${found.join()}`)
  if (owners.map(([name]) => name).join() !== 'migrate')
    throw new Error(`in the cluster the owner’s role is available to ${owners.map(([name]) => name).join()}`)
  for (const one of [server1, server2])
    if (one?.depends_on?.['migrate']?.condition !== 'service_completed_successfully')
      throw new Error('a server of the cluster does not wait for the migration')
}

const hasOwner = ({ secrets = [], environment = {} }: Service): boolean =>
  secrets.some(({ source }) => source === 'database_owner_url') ||
  Object.hasOwn(environment, 'DATABASE_OWNER_URL_FILE')

async function resolved(folder: string, name: string): Promise<Composed> {
  const file = join(folder, name)
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^name: .*\n/m, ''))
  const secrets = { OPERATOR_TOKEN: 'o'.repeat(32), KEY_SECRETS: `k1:${'k'.repeat(32)}` }
  const env = { ...process.env, ...secrets, PUBLIC_URL: publicUrl }
  const text = run('docker-compose', ['--profile', 'all', '-f', file, 'config'], { cwd: folder, env })
  const { parse } = await tool<{ readonly parse: (text: string) => Composed }>('yaml')
  return parse(text)
}
