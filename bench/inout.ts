import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { debianBinaries, embeddedBinaries, type Postgres, startPostgres } from '../server/src/dev/postgres.ts'
import { makeRoles, ownerRole, prepareDatabase, serverRole } from '../server/src/dev/prepare.ts'
import { here } from './tools.ts'

/**
 * npm run inout [-- --quick]
 * A million members with balances come in, and the import is killed on the way and run again; the realm goes
 * out, comes into a second database, and is compared there.
 */

const asked = process.argv.indexOf('--rows')
const rows = asked > 0 ? Number(process.argv[asked + 1]) : process.argv.includes('--quick') ? 20_000 : 1_000_000
const realm = 'moved'
const main = here('../server/src/main.ts')
const secrets = `k1:${'0123456789abcdef'.repeat(4)}`
const settings = { fsync: 'on', shared_buffers: '1GB', max_wal_size: '8GB' }

const password = randomBytes(12).toString('hex')
const folder = join(tmpdir(), `exchequer-inout-${process.pid}`)
const file = `${folder}.csv`
const exported = `${folder}.ndjson`

const secondsSince = (startMs: number): number => (performance.now() - startMs) / 1000
const shown = (seconds: number): string => seconds.toFixed(1)

/** Snowflakes, some names with quotes in them, a wallet for each tenth, a second kind of points for each third. */
function lineOf(index: number): string {
  const id = 1_190_194_345_295_000_001n + BigInt(index) * 4_194_307n
  const wallet = index % 10 === 0 ? `0x${(index + 1).toString(16).padStart(40, '0')}` : ''
  const name = index % 100 === 0 ? `"Fox ""${index}"", the"` : `Fox ${index}`
  return `${id % 10n === 0n ? id + 1n : id},fox${index},${name},${wallet},${1 + (index % 1000)},${index % 3 === 0 ? 7 : ''}\n`
}

function writeRows(): void {
  const out = openSync(file, 'w')
  writeSync(out, 'id,username,displayName,wallet,balance,balance:silver\n')
  for (let from = 0; from < rows; from += 10_000) {
    let text = ''
    for (let index = from; index < Math.min(rows, from + 10_000); index += 1) text += lineOf(index)
    writeSync(out, text)
  }
  closeSync(out)
}

type Run = { readonly child: ChildProcess; readonly said: () => string; readonly ended: Promise<number | null> }

function start(postgres: Postgres, database: string, args: readonly string[], out?: string): Run {
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
async function run(postgres: Postgres, database: string, args: readonly string[], out?: string) {
  const startMs = performance.now()
  const { said, ended } = start(postgres, database, args, out)
  const code = await ended
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${said()}`)
  process.stdout.write(said())
  return { said: said(), seconds: secondsSince(startMs) }
}

async function query<Row>(postgres: Postgres, database: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: postgres.url(database), options: '-c search_path=exchequer' })
  await client.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** Starts the import and kills it when half of its entries are there; how long that took. */
async function importHalf(postgres: Postgres): Promise<number> {
  const startMs = performance.now()
  const { child, ended } = start(postgres, 'first', ['import', file, '--realm', realm])
  for (;;) {
    const [head] = await query<{ seq: string }>(postgres, 'first', 'select seq from heads')
    if (Number(head?.seq) > rows / 2) break
    if (child.exitCode !== null) throw new Error('the import ended before it was killed')
    await sleep(50)
  }
  child.kill('SIGKILL')
  await ended
  return secondsSince(startMs)
}

async function play(postgres: Postgres): Promise<void> {
  for (const database of ['first', 'second']) await prepareDatabase(postgres, database)
  writeRows()
  console.log(`${rows} rows, ${Math.round(statSync(file).size / 1e6)} MB`)
  await run(postgres, 'first', ['realm', 'create', '--id', realm, '--point', 'gold'])
  await run(postgres, 'first', ['point', 'create', realm, '--id', 'silver'])
  const half = await importHalf(postgres)
  console.log(`killed after ${shown(half)} s`)
  const rest = await run(postgres, 'first', ['import', file, '--realm', realm])
  console.log(`the rest took ${shown(rest.seconds)} s`)
}

const postgres = await startPostgres({
  binaries: debianBinaries() ?? embeddedBinaries(),
  folder,
  password,
  settings,
})
try {
  await makeRoles(postgres, password)
  await play(postgres)
} finally {
  await postgres.stop()
  for (const path of [folder, file, exported]) rmSync(path, { recursive: true, force: true })
}
