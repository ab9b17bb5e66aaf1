import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../server/src/dev/postgres.ts'
import { ownerRole, prepareDatabase, serverRole } from '../../server/src/dev/prepare.ts'
import { openPostmaster, type Postmaster } from '../support/postmaster.ts'
import { environment, runCommand } from '../support/process.ts'
import { Server } from './server.ts'

const run = promisify(execFile)
const database = 'chaos'

export type StageOptions = {
  /** Empty; its creator removes it. */
  readonly folder: string
  /** Additional environment of the servers. */
  readonly env?: Readonly<Record<string, string>>
}

/** The system under test: servers and their database, all real processes. */
export type Stage = {
  /** The URLs for clients. */
  readonly urls: readonly string[]
  readonly superuserUrl: string
  readonly servers: readonly Server[]
  /** Runs `verify` on all realms; returns its output, and whether it succeeded. */
  verify(): Promise<{ readonly ok: boolean; readonly said: string }>
  close(): Promise<void>
}

type Urls = { readonly serverUrl: string; readonly ownerUrl: string }

async function verifyAt(urls: Urls): Promise<{ ok: boolean; said: string }> {
  const { code, out, err } = await runCommand(['verify', '--full', '--hurry'], environment(urls))
  return { ok: code === 0, said: out + (code === 0 ? '' : err) }
}

export type SingleOptions = StageOptions & {
  readonly count?: number
  readonly settings?: Readonly<Record<string, string>>
  /** Puts a proxy between the servers and the database. */
  readonly through?: (url: string) => Promise<string>
}

export type Single = Stage & { readonly postmaster: Postmaster; readonly databaseUrls: Urls }

/** One PostgreSQL and one server, or several. */
export async function openSingle(options: SingleOptions): Promise<Single> {
  const { folder, env = {}, count = 1, settings = {}, through = async (url) => url } = options
  const postmaster = await openPostmaster({ folder: join(folder, 'data'), database, settings })
  const { serverUrl, ownerUrl, superuserUrl } = postmaster
  const urls = { serverUrl, ownerUrl }
  const reached = { ...urls, serverUrl: await through(serverUrl) }
  const servers = await startServers({ folder, count, env: environment(reached, env) })
  return {
    urls: servers.map(({ url }) => url),
    superuserUrl,
    servers,
    postmaster,
    databaseUrls: urls,
    verify: () => verifyAt(urls),
    async close() {
      await Promise.all(servers.map((server) => server.kill()))
      await postmaster.stop('immediate')
    },
  }
}

type Starting = {
  readonly folder: string
  readonly count: number
  readonly env: Readonly<Record<string, string>>
  readonly firstPort?: number
}

async function startServers({ folder, count, env, firstPort }: Starting): Promise<Server[]> {
  const servers: Server[] = []
  for (let place = 0; place < count; place++) {
    const port = firstPort === undefined ? await freePort() : firstPort + place
    const named = { ...env, DATABASE_URL: `${env['DATABASE_URL']}?application_name=server${place}` }
    const server = new Server({ port, env: named, log: join(folder, `server${place}.log`) })
    await server.start()
    servers.push(server)
  }
  return servers
}

const script = fileURLToPath(new URL('../../deploy/ha/cluster', import.meta.url))
export const portBase = 15_400

export type Cluster = Stage & {
  /** Runs a command of deploy/ha/cluster and returns its output. */
  readonly ha: (verb: string, ...args: readonly string[]) => Promise<string>
}

/** Three PostgreSQLs under Patroni and two servers behind HAProxy: deploy/ha. */
export async function openCluster({ folder, env = {} }: StageOptions): Promise<Cluster> {
  const home = join(folder, 'ha')
  const ha = async (verb: string, ...args: readonly string[]) => {
    const { stdout } = await run(script, [verb, home, ...args], {
      env: { ...process.env, HA_PORT_BASE: String(portBase) },
      timeout: 180_000,
      maxBuffer: 1e7,
    })
    return stdout.trim()
  }
  await ha('up')
  const url = (name: string, role = 'postgres') => `postgres://${role}@127.0.0.1:${portBase}/${name}`
  // The cluster has both roles.
  await prepareDatabase({ url }, database)
  const urls = { serverUrl: url(database, serverRole), ownerUrl: url(database, ownerRole) }
  const strict = environment(urls, { DURABILITY: 'strict', TRUSTED_PROXIES: '127.0.0.1', ...env })
  const servers = await startServers({ folder, count: 2, env: strict, firstPort: portBase + 1 })
  return {
    urls: [`http://127.0.0.1:${portBase + 3}`],
    superuserUrl: url(database),
    servers,
    ha,
    verify: () => verifyAt(urls),
    async close() {
      await Promise.all(servers.map((server) => server.kill()))
      await ha('down')
    },
  }
}
