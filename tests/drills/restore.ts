import { setTimeout as sleep } from 'node:timers/promises'
import { fill } from '../../bench/generate.ts'
import { debianBinaries } from '../../server/src/dev/postgres.ts'
import { Checks, checkRetries, checkServing, verified } from '../chaos/backup/checks.ts'
import { entryAt, Stage, shown } from '../chaos/backup/stage.ts'
import { makeBooks, Writer } from '../chaos/backup/writer.ts'
import { rowsOf } from '../support/books.ts'
import { makeRealm, type RealmAccess } from '../support/fixture.ts'
import { operatorToken } from '../support/process.ts'
import type { Drill, DrillOptions } from './drill.ts'

/** Of a loaded entry with its indexes, about. */
const bytesPerEntry = 300
const members = 10_000
/** A realm of this size is the database that is restored; another one is written to. */
const filled = 'filled'
/** Changes before and after a moment are at least this far from it, by PostgreSQL's clock. */
const quietMs = 30
const betweenMs = 1_500
/** At most for one block of the handbook, for each GB and in any case. */
const blockMsPerGb = 5 * 60_000
const leastBlockMs = 2 * 60_000
const runMsPerGb = 10 * 60_000
const leastRunMs = 15 * 60_000

type Run = {
  readonly stage: Stage
  readonly checks: Checks
  readonly realm: RealmAccess
  readonly writer: Writer
  /** The size of the database when it is backed up. */
  readonly gb: number
}

const count = (value: number): string => Math.round(value).toLocaleString('en')

/** Below this most of the time is that of starting, which does not grow with the data. */
const leastGb = 1

/** How long a step took, and how long it would take for 100 GB at the same speed. */
function figure(name: string, ms: number, gb: number): void {
  const minutes = ms / 60_000
  const scaled = `${Math.round((minutes / gb) * 100)} minutes for 100 GB at this speed`
  const words = gb < leastGb ? `too little data for a forecast: --gb ${2 * leastGb} or more` : scaled
  console.log(`  ${name.padEnd(24)} ${minutes.toFixed(2)} minutes; ${words}`)
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const startMs = performance.now()
  const result = await work()
  return { result, ms: performance.now() - startMs }
}

/** Before the log is archived, as it is not what this drill measures. */
async function fillDatabase(stage: Stage, gb: number): Promise<void> {
  const server = await stage.serve(stage.live)
  await makeRealm({ baseUrl: server.baseUrl, token: operatorToken }, { id: filled, point: { id: 'gold' } })
  await server.stop()
  const { ownerUrl, superuserUrl } = stage.live
  const [{ realm }] = await rowsOf(superuserUrl, 'select realm from realms where id = $1', [filled])
  const entries = Math.max(0, Math.round((gb * 1e9) / bytesPerEntry) - members)
  const filling = { realm, realmId: filled, point: 'gold', members, entries, wallets: false }
  await fill({ binaries: debianBinaries() ?? '', url: ownerUrl }, [filling])
  await rowsOf(superuserUrl, 'vacuum analyze journal')
}

async function sizeOf(stage: Stage): Promise<number> {
  const text = 'select pg_database_size(current_database())::float8 as bytes'
  const [{ bytes }] = await rowsOf(stage.live.superuserUrl, text)
  const [{ entries }] = await rowsOf(stage.live.superuserUrl, 'select count(*)::int as entries from journal')
  console.log(`  ${(bytes / 1e9).toFixed(2)} GB, ${count(entries)} entries`)
  return bytes / 1e9
}

const balancesText = `select count(*)::int as balances from balances b join realms r using (realm)
  where r.id = $1`

async function balancesIn(url: string): Promise<number> {
  const [{ balances }] = await rowsOf(url, balancesText, [filled])
  return balances
}

/** A statement of an operator without the condition that it should have had; the moment before it. */
async function makeMistake({ stage, realm, writer }: Run) {
  await writer.stop()
  await sleep(quietMs)
  const [{ time }] = await rowsOf(
    stage.live.superuserUrl,
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US"+00"') as time`,
  )
  const last = await entryAt(stage.live, undefined, realm.id)
  const acknowledged = [...writer.acknowledged]
  await sleep(quietMs)
  await rowsOf(
    stage.live.ownerUrl,
    'delete from balances where realm = (select realm from realms where id = $1)',
    [filled],
  )
  writer.start()
  return { time, last, acknowledged }
}

const seqsText = `select seq::int as seq from journal
  where realm = (select realm from realms where id = $1) order by seq`

async function restore(run: Run): Promise<void> {
  const { stage, checks, realm, writer, gb } = run
  const before = await balancesIn(stage.live.superuserUrl)
  const { time, last, acknowledged } = await makeMistake(run)
  checks.that('the mistake has destroyed something', (await balancesIn(stage.live.superuserUrl)) === 0)
  await sleep(betweenMs)
  await writer.stop()
  const later = writer.acknowledged.length - acknowledged.length
  checks.that('changes are acknowledged after the mistake', later > 0, later)
  const variables = stage.variables(stage.restored, { TARGET_TIME: time })
  await stage.handbook.run('archive the last of the log', variables)
  const { ms } = await stage.handbook.run('a new server, as it was at that time', variables)
  figure('restore', ms, gb)
  const restored = { stage, checks, realm, at: stage.restored }
  const { result: found, ms: verifyMs } = await timed(() => verified(restored))
  figure('verify --full --hurry', verifyMs, gb)
  figure('restore and verify', ms + verifyMs, gb)
  const seen = found && shown(found)
  checks.that('the journal ends just before the mistake', seen === shown(last), `${seen}, not ${shown(last)}`)
  const rows = await rowsOf(stage.restored.superuserUrl, seqsText, [realm.id])
  const expected = acknowledged.map(({ seq }) => seq).sort((a, b) => a - b)
  const isSame = rows.map(({ seq }) => seq).join() === expected.join()
  checks.that('it has every change acknowledged by then, and no other', isSame, rows.length)
  const after = await balancesIn(stage.restored.superuserUrl)
  checks.that('what the mistake destroyed is there again', after === before && before === members, after)
  const title = 'replay every realm of the restored database'
  const live = await stage.handbook.attempt(title, stage.variables(stage.live))
  checks.that('verify finds the mistake in the database that has it', live.code !== 0, live.said)
  const baseUrl = await checkServing(restored, acknowledged)
  const held = acknowledged.at(-1)
  const lost = writer.acknowledged.find(({ seq }) => seq === last.seq + 1)
  if (!held || !lost) throw new Error('the mistake is not between two changes')
  await checkRetries(restored, baseUrl, { held, lost })
}

async function play(stage: Stage, checks: Checks, { gb }: DrillOptions): Promise<void> {
  await stage.prepare()
  await fillDatabase(stage, gb)
  const variables = stage.variables(stage.restored)
  await stage.handbook.run('say where backups go, and archive the log', variables)
  await stage.restart()
  const { baseUrl } = await stage.serve(stage.live)
  const realm = await makeBooks(baseUrl)
  const writer = new Writer(baseUrl, realm)
  const run = { stage, checks, realm, writer, gb: await sizeOf(stage) }
  await writer.endow()
  writer.start()
  const before = writer.acknowledged.length
  const { ms } = await stage.handbook.run('the first full backup', variables)
  figure('full backup', ms, run.gb)
  const during = writer.acknowledged.length - before
  checks.that('changes are acknowledged during the backup', during > 0, during)
  await sleep(betweenMs)
  await restore(run)
}

/** A filled database is backed up, a mistake is made, and it is restored to the moment before. */
export const pointInTime: Drill = {
  name: 'restore to a point in time',
  async run(options) {
    const checks = new Checks()
    const signal = AbortSignal.timeout(leastRunMs + Math.ceil(options.gb) * runMsPerGb)
    const blockTimeoutMs = leastBlockMs + Math.ceil(options.gb) * blockMsPerGb
    const stage = await Stage.open(signal, { blockTimeoutMs })
    try {
      await play(stage, checks, options)
    } finally {
      await stage.close()
    }
    return checks
  },
}
