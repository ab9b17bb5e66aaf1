import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { debianBinaries, type Postgres, startPostgres } from '../server/src/dev/postgres.ts'
import { asSuperuser, makeRoles, ownerRole, prepareDatabase, serverRole } from '../server/src/dev/prepare.ts'
import { type Script, writeScripts } from './bare.ts'
import { type Filling, fill } from './generate.ts'
import { here, run, type ServerProcess, serve } from './tools.ts'

/** Durable, with the memory settings of a small production machine. */
const settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  max_connections: '200',
}

export const operatorToken = 'operator-token-of-the-bench-0123456789'
/** What keys are hashed with. */
export const keySecret = { id: 'k1', secret: '0123456789abcdef'.repeat(4) }
/** Default scopes of a key, and journal:read. */
export const scopes = ['members:read', 'wallets:read', 'points:write', 'journal:read']
const realmCount = 1_000
const realmMembers = 100

/** A filled database: files with a line "realm key" each, for the big realm and the thousand. */
export type FilledDatabase = {
  readonly members: number
  readonly bigRealm: string
  readonly manyRealms: string
}

export type Stage = {
  readonly postgres: Postgres
  readonly binaries: string
  /** Files whose path begins with this are deleted when the stage is closed. */
  readonly folder: string
  readonly scripts: Readonly<Record<Script, string>>
  url(database: string): string
  /** With more settings, or the `main` of another checkout. */
  startOurs(database: string, extra?: Readonly<Record<string, string>>): Promise<ServerProcess>
  startUsual(database: string): Promise<ServerProcess>
  /** A server that answers from memory. */
  startNodeHttp(): Promise<ServerProcess>
  /** Creates a database with a big realm, and optionally with a thousand small ones. */
  fill(database: string, filling: FillOptions): Promise<FilledDatabase>
  /** A copy of a filled database. */
  copy(name: string, from: string): Promise<void>
  /** Creates the sequence from which pgbench numbers entries. */
  numberEntries(database: string): Promise<void>
  query<Row>(database: string, text: string): Promise<Row[]>
  /** Runs verify on all realms and returns its output; throws when it fails. */
  verify(database: string): Promise<string>
  /** Runs verify as each night does, without pauses; returns its output. */
  verifyNew(database: string): Promise<string>
  /** How verify runs next to a live server. */
  verifyCommand(database: string): { program: string; args: string[]; env: Record<string, string> }
  close(): Promise<void>
}

export type FillOptions = {
  readonly members: number
  readonly entries: number
  readonly realms: boolean
  /** Called for the big realm before it has entries, with a server. */
  readonly prepare?: (server: ServerProcess) => Promise<void>
  /** Of the big realm. */
  readonly dated?: Filling['dated']
}

/** Its own PostgreSQL in its own folder, removed when the stage is closed. */
export async function openStage(extra: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const binaries = debianBinaries()
  if (!binaries)
    throw new Error('The bench needs Debian’s PostgreSQL and wrk: apt-get install postgresql wrk')
  const folder = join(tmpdir(), `exchequer-bench-${process.pid}`)
  const password = randomBytes(12).toString('hex')
  const postgres = await startPostgres({ binaries, folder, password, settings: { ...settings, ...extra } })
  const stage = stageOf({ postgres, binaries, folder })
  try {
    await makeRoles(postgres, password)
  } catch (error) {
    await stage.close()
    throw error
  }
  return stage
}

type Parts = Pick<Stage, 'postgres' | 'binaries' | 'folder'>

function environment(postgres: Postgres, database: string): Record<string, string> {
  return {
    DATABASE_URL: postgres.url(database, serverRole),
    DATABASE_OWNER_URL: postgres.url(database, ownerRole),
    OPERATOR_TOKEN: operatorToken,
    KEY_SECRETS: `${keySecret.id}:${keySecret.secret}`,
    PORT: '0',
    REALM_RATE: 'off',
    KEY_RATE: 'off',
    // All the load comes from one address.
    MAX_CONNECTIONS_PER_ADDRESS: '10000',
  }
}

function stageOf({ postgres, binaries, folder }: Parts): Stage {
  const scripts = writeScripts(folder)
  const main = here('../server/src/main.ts')
  const stage: Stage = {
    postgres,
    binaries,
    folder,
    scripts,
    url: (database) => postgres.url(database),
    startOurs: (database, { main: other = main, ...extra } = {}) =>
      serve([other, 'serve'], { ...environment(postgres, database), ...extra }),
    startUsual: (database) => serve([here('usual.ts')], { DATABASE_URL: postgres.url(database) }),
    startNodeHttp: () => serve([here('nodeHttp.ts')], {}),
    async fill(database, options) {
      await prepareDatabase(postgres, database)
      const files = { bigRealm: `${folder}.${database}.big`, manyRealms: `${folder}.${database}.many` }
      const count = options.realms ? realmCount : 0
      await makeRealms(stage, database, { ...files, count, prepare: options.prepare })
      const target = { binaries, url: postgres.url(database, ownerRole) }
      await fill(target, fillingsOf(options))
      await asSuperuser(postgres.url(database), ['vacuum analyze', 'checkpoint'])
      return { members: options.members, ...files }
    },
    async copy(name, from) {
      await asSuperuser(postgres.url('postgres'), [`create database ${name} template ${from}`])
      await stage.numberEntries(name)
    },
    async numberEntries(database) {
      // Starts above every used seq, so that a change needs no head row: an upper bound for PostgreSQL.
      await asSuperuser(postgres.url(database), ['create sequence bench_seq start 1000000000 cache 1'])
    },
    async query<Row>(database: string, text: string) {
      const client = new pg.Client({ connectionString: postgres.url(database) })
      await client.connect()
      try {
        return (await client.query(text)).rows as Row[]
      } finally {
        await client.end()
      }
    },
    verify: (database) =>
      run(process.execPath, [main, 'verify', '--full', '--hurry'], environment(postgres, database)),
    verifyNew: (database) =>
      run(process.execPath, [main, 'verify', '--hurry'], environment(postgres, database)),
    verifyCommand: (database) => ({
      program: process.execPath,
      args: [main, 'verify', '--full'],
      env: environment(postgres, database),
    }),
    async close() {
      await postgres.stop()
      const name = basename(folder)
      for (const file of readdirSync(dirname(folder)).filter((one) => one.startsWith(name)))
        rmSync(join(dirname(folder), file), { recursive: true, force: true })
    },
  }
  return stage
}

function fillingsOf({ members, entries, realms, dated }: FillOptions): Filling[] {
  const point = 'gold'
  const many = Array.from({ length: realms ? realmCount : 0 }, (_, index) => ({
    realm: index + 2,
    realmId: `realm-${index + 1}`,
    point,
    members: realmMembers,
    entries: 0,
    wallets: false,
  }))
  return [{ realm: 1, realmId: 'big', point, members, entries, wallets: true, dated }, ...many]
}

type Making = Omit<FilledDatabase, 'members'> & {
  readonly count: number
  readonly prepare: FillOptions['prepare'] | undefined
}

async function makeRealms(
  stage: Stage,
  database: string,
  { count, prepare, ...files }: Making,
): Promise<void> {
  const server = await stage.startOurs(database)
  try {
    const send = async (path: string, body: object): Promise<{ key: string }> => {
      const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' }
      const answer = await fetch(`${server.url}/operator/v1/realms${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`could not create a realm: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as { key: string }
    }
    const lines: string[] = []
    for (const id of ['big', ...Array.from({ length: count }, (_, index) => `realm-${index + 1}`)]) {
      await send('', { id, point: { id: 'gold' } })
      lines.push(`${id} ${(await send(`/${id}/keys`, { scopes })).key}\n`)
    }
    await prepare?.(server)
    writeFileSync(files.bigRealm, lines[0] ?? '')
    writeFileSync(files.manyRealms, lines.slice(1).join(''))
  } finally {
    await server.stop()
  }
}
