import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase } from '../server/src/db/database.ts'
import { debianBinaries, embeddedBinaries, type Postgres, startPostgres } from '../server/src/dev/postgres.ts'
import { makeRoles, ownerRole, prepareDatabase, serverRole } from '../server/src/dev/prepare.ts'
import { Realms } from '../server/src/realms/index.ts'
import { checkDeadline, limitTime } from '../tests/support/timeLimit.ts'
import { writeCrowd } from './crowd.ts'
import { here } from './tools.ts'

/**
 * npm run import-export [-- --quick | --rows N]
 * Imports a million members with balances, with a kill half-way and a second run; then exports the realm,
 * imports it into a second database, and compares both.
 */

const asked = process.argv.indexOf('--rows')
const quick = process.argv.includes('--quick')
const rows = asked > 0 ? Number(process.argv[asked + 1]) : quick ? 20_000 : 1_000_000
const realm = 'moved'
const main = here('../server/src/main.ts')
const secrets = `k1:${'0123456789abcdef'.repeat(4)}`
const settings = { fsync: 'on', shared_buffers: '1GB', max_wal_size: '8GB' }

/** A million rows take some minutes. */
const importMs = 30 * 60_000
limitTime({ what: 'npm run import-export', minutes: 120 })

const password = randomBytes(12).toString('hex')
const folder = join(tmpdir(), `exchequer-import-export-${process.pid}`)
const file = `${folder}.csv`
const exported = `${folder}.ndjson`
const importing = ['import', file, '--realm', realm]

const secondsSince = (startMs: number): number => (performance.now() - startMs) / 1000
const shown = (seconds: number): string => seconds.toFixed(1)

type Run = {
  readonly child: ChildProcess
  readonly said: () => string
  readonly ended: Promise<number | null>
}
type Line = { readonly database: string; readonly args: readonly string[]; readonly out?: string }

function start(postgres: Postgres, { database, args, out }: Line): Run {
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: postgres.url(database, serverRole),
    DATABASE_OWNER_URL: postgres.url(database, ownerRole),
    KEY_SECRETS: secrets,
  }
  const to = out === undefined ? ('pipe' as const) : openSync(out, 'w')
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', to, 'pipe'] })
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    said += String(chunk)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk)
  })
  const ended = once(child, 'close').then(([code]) => {
    if (typeof to === 'number') closeSync(to)
    return code as number | null
  })
  return { child, said: () => said, ended }
}

/** Runs a command to its end and returns what it printed, and how long it took. */
async function run(postgres: Postgres, line: Line) {
  const startMs = performance.now()
  const { said, ended } = start(postgres, line)
  const code = await ended
  if (code !== 0) throw new Error(`${line.args.join(' ')} exited with ${code}: ${said()}`)
  return { said: said(), seconds: secondsSince(startMs) }
}

async function query<Row>(postgres: Postgres, database: string, text: string): Promise<Row[]> {
  const options = '-c search_path=exchequer'
  const client = new pg.Client({ connectionString: postgres.url(database), options })
  await client.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** Starts the import and kills it when half of its entries are written; returns the duration. */
async function importHalf(postgres: Postgres): Promise<number> {
  const startMs = performance.now()
  const { child, ended } = start(postgres, { database: 'first', args: importing })
  const deadlineMs = performance.now() + importMs
  for (;;) {
    checkDeadline(deadlineMs, 'half of the import')
    const [head] = await query<{ seq: string }>(postgres, 'first', 'select seq from heads')
    if (Number(head?.seq) > rows / 2) break
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('the import ended before it was killed')
    await sleep(50)
  }
  child.kill('SIGKILL')
  await ended
  return secondsSince(startMs)
}

/** One hash for each exported table: equal when all rows are equal, except for the realm's number. */
async function hashes(postgres: Postgres, database: string): Promise<string> {
  const tables = {
    members: 'account',
    wallets: 'match',
    balances: 'account, point',
    journal: 'seq',
    details: 'seq',
    holds: 'seq',
    awards: 'seq',
    points: 'number',
    settings: 'realm_id',
    heads: 'seq',
  }
  const found = await Promise.all(
    Object.entries(tables).map(async ([table, order]) => {
      const row = `(to_jsonb(t) - 'realm' - 'config_version')::text`
      const text = `select count(*) as count, md5(string_agg(md5(${row}), '' order by ${order})) as hash
        from ${table} t where realm = (select realm from realms where id = '${realm}')`
      const [one] = await query<{ count: string; hash: string }>(postgres, database, text)
      return `${table} ${one?.count} ${one?.hash}`
    }),
  )
  return found.join('\n')
}

async function makeRealm(postgres: Postgres): Promise<void> {
  const db = openDatabase(postgres.url('first', serverRole))
  const by = { name: 'bench', address: null, requestId: null }
  const realms = new Realms(db)
  await realms.create({ id: realm, point: { id: 'gold' } }, by)
  await realms.addPoint(realm, { id: 'silver' }, by)
  await db.close()
}

/** Imports the rows, with a kill half-way; returns the total duration. */
async function bringIn(postgres: Postgres): Promise<number> {
  await makeRealm(postgres)
  const half = await importHalf(postgres)
  console.log(`killed after ${shown(half)} s`)
  const rest = await run(postgres, { database: 'first', args: importing })
  console.log(`${rest.said}the rest took ${shown(rest.seconds)} s`)
  if (!/in the ledger: [0-9]+ gold, [0-9]+ silver/.test(rest.said))
    throw new Error('the totals of the ledger were not printed')
  const again = await run(postgres, { database: 'first', args: importing })
  console.log(`a third run, with nothing to do, took ${shown(again.seconds)} s`)
  if (!/ 0 opening balances created/.test(again.said)) throw new Error('opening balances were written twice')
  return half + rest.seconds
}

async function play(postgres: Postgres): Promise<string> {
  for (const database of ['first', 'second']) await prepareDatabase(postgres, database)
  writeCrowd(file, rows)
  console.log(`${rows} rows, ${Math.round(statSync(file).size / 1e6)} MB`)
  const imported = await bringIn(postgres)
  const out = await run(postgres, { database: 'first', args: ['realm', 'export', realm], out: exported })
  console.log(`exported ${Math.round(statSync(exported).size / 1e6)} MB in ${shown(out.seconds)} s`)
  const loaded = await run(postgres, { database: 'second', args: ['realm', 'import', exported] })
  console.log(`${loaded.said}loaded and verified in ${shown(loaded.seconds)} s`)
  const [before, after] = [await hashes(postgres, 'first'), await hashes(postgres, 'second')]
  if (before !== after) throw new Error(`the rows differ:\n${before}\n\n${after}`)
  console.log(after)
  return `import ${shown(imported)} s, export ${shown(out.seconds)} s, rows equal`
}

const postgres = await startPostgres({
  binaries: debianBinaries() ?? embeddedBinaries(),
  folder,
  password,
  settings,
})
try {
  await makeRoles(postgres, password)
  console.log(await play(postgres))
} finally {
  await postgres.stop()
  for (const path of [folder, file, exported]) rmSync(path, { recursive: true, force: true })
}
