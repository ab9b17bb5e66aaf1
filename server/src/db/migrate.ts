import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sqlState } from './failures.ts'
import { retryForLocks } from './lockRetry.ts'
import { type OnlineStatement, parseOnline, runOnline } from './onlineMigration.ts'
import { clientConfig, commandConnectMs, type Queryable } from './session.ts'

const folder = new URL('../../migrations/', import.meta.url)
/** Any fixed number: of two processes that migrate at once, one waits for the other. */
const advisoryLock = 3_409_118_302

export type Migration = {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
  readonly oldestRelease: string
  /** The statements of an online migration, which run one by one outside a transaction. */
  readonly online?: readonly OnlineStatement[]
}

type Applied = { number: number; name: string; checksum: string; oldest_release: string }

/** A schema that this release can't run on; the message says what to do. */
export class SchemaMismatch extends Error {}

export function readMigrations(from: URL = folder): Migration[] {
  const files = readdirSync(from)
    .filter((file) => /^\d{4}-.*\.sql$/.test(file))
    .sort()
  const twice = files.find((file, index) => files[index + 1]?.slice(0, 4) === file.slice(0, 4))
  if (twice) throw new Error(`Two migrations have the number of ${twice}.`)
  return files.map((file) => readMigration(from, file))
}

function readMigration(from: URL, file: string): Migration {
  const sql = readFileSync(new URL(file, from), 'utf8')
  const oldestRelease = /^-- oldest release that runs on this schema: (\d+\.\d+\.\d+)$/m.exec(sql)?.[1]
  if (!oldestRelease) throw new Error(`${file} does not name the oldest release that runs on it`)
  return {
    number: Number(file.slice(0, 4)),
    name: file.slice(5).replace(/(\.online)?\.sql$/, ''),
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    oldestRelease,
    ...(file.endsWith('.online.sql') ? { online: parseOnline(file, sql) } : {}),
  }
}

function compareReleases(a: string, b: string): number {
  const [left, right] = [a, b].map((release) => release.split('.').map(Number))
  for (const part of [0, 1, 2]) {
    const difference = (left?.[part] ?? 0) - (right?.[part] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * The migrations still to be run. Throws when those that ran are not the ones this release knows, or when the
 * schema no longer supports this release.
 */
export function pending(
  known: readonly Migration[],
  applied: readonly Applied[],
  release: string,
): Migration[] {
  for (const ran of applied) {
    const ours = known.find((migration) => migration.number === ran.number)
    if (ours && ours.checksum !== ran.checksum) {
      throw new SchemaMismatch(
        `Migration ${ran.number} (${ran.name}) is not the one that ran on this database: ` +
          'a released migration was edited.',
      )
    }
    // A newer release has migrated this database. That is fine as long as the schema still supports this one.
    if (!ours && compareReleases(ran.oldest_release, release) > 0) {
      throw new SchemaMismatch(
        `The database is at migration ${ran.number}, which needs release ${ran.oldest_release} or newer; ` +
          `this is ${release}.`,
      )
    }
  }
  return known.filter((migration) => !applied.some((ran) => ran.number === migration.number))
}

async function appliedOn(client: pg.Client): Promise<Applied[]> {
  const { rows: found } = await client.query(
    `select to_regclass('exchequer.migrations') is not null as there`,
  )
  if (!found[0].there) return []
  const { rows } = await client.query(
    'select number, name, checksum, oldest_release from exchequer.migrations order by number',
  )
  return rows
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(clientConfig(url, commandConnectMs))
  await client.connect()
  return client
}

export const statements = {
  applied: {
    name: 'migrations_applied',
    text: 'select number, name, checksum, oldest_release from migrations order by number',
  },
} as const

/** How many migrations a database lacks. Throws SchemaMismatch when this release can't run on its schema. */
export async function missingMigrations(
  db: Queryable,
  known: readonly Migration[],
  release: string,
): Promise<number> {
  try {
    const { rows } = await db.query<Applied>(statements.applied)
    return pending(known, rows, release).length
  } catch (error) {
    const undefinedTable = '42P01'
    if (sqlState(error) === undefinedTable) return known.length
    throw error
  }
}

const record = (client: pg.Client, migration: Migration): Promise<unknown> =>
  client.query('insert into migrations (number, name, checksum, oldest_release) values ($1, $2, $3, $4)', [
    migration.number,
    migration.name,
    migration.checksum,
    migration.oldestRelease,
  ])

async function runOne(client: pg.Client, migration: Migration, onProgress: Progress): Promise<void> {
  if (migration.online) {
    await runOnline({ client, onProgress }, migration.online)
    await record(client, migration)
    return
  }
  await retryForLocks(client, async () => {
    await client.query(migration.sql)
    await record(client, migration)
  })
}

const lockPauseMs = 200

/**
 * Waits until no other process migrates. Asks again and again: a statement that waits for the lock would be a
 * transaction that a concurrent index build waits for, and each would wait for the other.
 */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [advisoryLock])
    if (rows[0].locked) return
    await sleep(lockPauseMs)
  }
}

async function grantTo(client: pg.Client, serverUrl: string): Promise<void> {
  const role = new pg.Client({ connectionString: serverUrl }).user
  const { rows } = await client.query('select current_user as owner')
  if (role === undefined || role === rows[0].owner) return
  const grants = readFileSync(new URL('grants.sql', folder), 'utf8')
  await client.query(grants.replaceAll(/:server\b/g, pg.escapeIdentifier(role)))
}

/** A realm that moves to another database is replicated by the columns that it has now. */
async function refuseWhileMoving(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select pubname as name from pg_publication where pubname like 'move\\_%'
      union all select s.subname from pg_subscription s join pg_database d on d.oid = s.subdbid
        where d.datname = current_database() and s.subname like 'move\\_%'`,
  )
  const [link] = rows
  if (!link) return
  throw new SchemaMismatch(
    `A realm is moving from or to this database (${link.name}). Migrate when the move has ended.`,
  )
}

type Progress = (line: string) => void

export type MigrateOptions = {
  /** The URL of the role that owns the schema. */
  readonly ownerUrl: string
  /** The URL of the role that the server runs as; may be the same role. */
  readonly serverUrl: string
  readonly release: string
  readonly from?: URL
  readonly onStep?: (migration: Migration) => void
  /** Called with a line for each step of an online migration. */
  readonly onProgress?: Progress
}

/** Brings the schema up to date, one process at a time. Returns how many migrations ran. */
export async function migrate(options: MigrateOptions): Promise<number> {
  const { ownerUrl, serverUrl, release, from, onStep, onProgress = () => {} } = options
  const client = await connect(ownerUrl)
  try {
    await lock(client)
    const steps = pending(readMigrations(from), await appliedOn(client), release)
    if (steps.length > 0) await refuseWhileMoving(client)
    // Checked first: an owner whose schema already exists need not have the right to create one.
    const { rows } = await client.query(`select to_regnamespace('exchequer') is null as absent`)
    if (rows[0].absent) await client.query('create schema exchequer')
    await client.query('set search_path = exchequer')
    await client.query(`create table if not exists migrations (
      number integer primary key, name text not null, checksum text not null,
      oldest_release text not null, ran_at timestamptz not null default now())`)
    for (const migration of steps) {
      await runOne(client, migration, onProgress)
      onStep?.(migration)
    }
    await grantTo(client, serverUrl)
    return steps.length
  } finally {
    await client.end()
  }
}
