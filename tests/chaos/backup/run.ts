import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../support/books.ts'
import type { RealmAccess } from '../../support/fixture.ts'
import { limitTime } from '../../support/timeLimit.ts'
import { against, Checks, checkRetries, checkRoles, checkRows, checkServing, verified } from './checks.ts'
import { type Checkpoint, database, entryAt, Stage, shown, urlsOn } from './stage.ts'
import { type AcknowledgedChange, makeBooks, Writer } from './writer.ts'

// Runs backup and restore exactly as docs/operate/backup.md describes them, while clients write:
//   npm run backup

const betweenMs = 1_200
const runTimeoutMs = 600_000
limitTime({ what: 'npm run backup', minutes: 15 })
/** The changes before and after a moment are at least this far from it, by PostgreSQL's clock. */
const quietMs = 30

type Run = {
  readonly stage: Stage
  readonly checks: Checks
  readonly realm: RealmAccess
  readonly writer: Writer
}

/** A moment between two acknowledged changes. */
type Moment = {
  readonly time: string
  readonly last: Checkpoint
  readonly acknowledged: AcknowledgedChange[]
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const figure = (name: string, value: string): void => console.log(`  ${name.padEnd(34)} ${value}`)

async function noteMoment({ stage, writer }: Run): Promise<Moment> {
  await writer.stop()
  await sleep(quietMs)
  const [{ time }] = await rowsOf(
    stage.live.superuserUrl,
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US"+00"') as time`,
  )
  const last = await entryAt(stage.live)
  await sleep(quietMs)
  writer.start()
  return { time, last, acknowledged: [...writer.acknowledged] }
}

async function takeBackup({ stage, checks, writer }: Run): Promise<void> {
  const before = writer.acknowledged.length
  const { ms } = await stage.handbook.run('the first full backup', stage.variables(stage.restored))
  const during = writer.acknowledged.length - before
  checks.that('changes are acknowledged during the base backup', during > 0, during)
  figure('stanza, check and full backup', `${seconds(ms)}, ${during} changes meanwhile`)
}

async function restoreToMoment(run: Run, { time, last, acknowledged }: Moment): Promise<void> {
  const { stage, checks, realm, writer } = run
  const variables = stage.variables(stage.restored, { TARGET_TIME: time })
  await stage.handbook.run('archive the last of the log', variables)
  const lost = writer.acknowledged.find(({ seq }) => seq === last.seq + 1)
  const held = acknowledged.at(-1)
  if (!lost || !held) throw new Error('the restore point is not between two changes')
  const next = await entryAt(stage.live, lost.seq)
  const { ms } = await stage.handbook.run('a new server, as it was at that time', variables)
  figure(
    'restore to a moment',
    `${seconds(ms)}, ${writer.acknowledged.length - acknowledged.length} changes after it`,
  )

  const restored = { stage, checks, realm, at: stage.restored }
  const found = await verified(restored)
  const seen = found && shown(found)
  checks.that(
    'its last entry is the last before the moment',
    seen === shown(last),
    `${seen}, not ${shown(last)}`,
  )
  const rows = await rowsOf(stage.restored.superuserUrl, 'select seq::int as seq from journal order by seq')
  const expected = acknowledged.map(({ seq }) => seq).sort((a, b) => a - b)
  const sameEntries = rows.map(({ seq }) => seq).join() === expected.join()
  checks.that('it has every change acknowledged by then, and no other', sameEntries, rows.length)
  figure('last entry', shown(last))
  const known = await against(restored, last)
  checks.that('a SEQ:HASH saved before is found', known === 'ok', known)
  const missing = await against(restored, next)
  checks.that('a SEQ:HASH saved after is missing', /missing: entry [0-9]+ was saved/.test(missing), missing)
  const baseUrl = await checkServing(restored, acknowledged)
  await checkRetries(restored, baseUrl, { held, lost })
  const rewritten = await against(restored, next)
  checks.that('and then shows another history', /history was rewritten/.test(rewritten), rewritten)
}

async function dumpAndRestore(run: Run): Promise<void> {
  const { stage, checks, realm, writer } = run
  const empty = await stage.startEmpty()
  const passwords = { OWNER_PASSWORD: 'of the new owner', SERVER_PASSWORD: 'of the new server' }
  const url = (role: string, password: string) =>
    `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${empty.port}/${database}`
  const at = {
    ...urlsOn(empty),
    ownerUrl: url('exchequer_owner', passwords.OWNER_PASSWORD),
    serverUrl: url('exchequer_server', passwords.SERVER_PASSWORD),
  }
  const variables = stage.variables(at)
  const before = await entryAt(stage.live)
  const acknowledged = [...writer.acknowledged]
  const dumped = await stage.handbook.run('dump, while it serves', variables)
  const during = writer.acknowledged.length - acknowledged.length
  checks.that('changes are acknowledged during the dump', during > 0, during)
  figure('dump', `${seconds(dumped.ms)}, ${during} changes meanwhile`)
  // A change after the dump.
  await sleep(quietMs)
  await writer.stop()

  const newServer = { ...passwords, PGHOST: '127.0.0.1', PGPORT: String(empty.port) }
  await stage.handbook.run('the roles and an empty database', { ...variables, ...newServer })
  const { ms } = await stage.handbook.run('restore the dump', variables)
  figure('restore of the dump', seconds(ms))
  const restored = { stage, checks, realm, at }
  const found = await verified(restored)
  if (!found) return
  figure('last entry', shown(found))
  const kept = await against(restored, before)
  checks.that('it has the journal as it was when the dump began', kept === 'ok', kept)
  const most = Math.max(...acknowledged.map(({ seq }) => seq))
  checks.that('it has every change acknowledged by then', found.seq >= most, `${found.seq} of ${most}`)
  const original = await entryAt(stage.live, found.seq)
  checks.that('its last entry is one of the original', original.hash === found.hash, shown(original))
  await checkRows(restored, stage.live, found.seq)
  await checkRoles(restored)
  const upTo = writer.acknowledged.filter(({ seq }) => seq <= found.seq)
  const baseUrl = await checkServing(restored, upTo)
  const [held, lost] = [upTo.at(-1), writer.acknowledged.find(({ seq }) => seq > found.seq)]
  if (!held || !lost) throw new Error('the dump does not end between two changes')
  await checkRetries(restored, baseUrl, { held, lost })
}

async function takeOver({ stage, checks }: Run): Promise<void> {
  await stage.stopLive()
  const title = "the restored server takes the old one's place"
  const { code, said, ms } = await stage.handbook.attempt(title, stage.variables(stage.restored))
  checks.that('the restored server archives and is backed up in its turn', code === 0, said)
  figure('taking its place, with a backup', seconds(ms))
}

async function runAll(stage: Stage, checks: Checks): Promise<void> {
  await stage.prepare()
  await stage.handbook.run('say where backups go, and archive the log', stage.variables(stage.restored))
  await stage.restart()
  const { baseUrl } = await stage.serve(stage.live)
  const realm = await makeBooks(baseUrl)
  const writer = new Writer(baseUrl, realm)
  const run = { stage, checks, realm, writer }
  await writer.endow()
  writer.start()
  console.log('Physical')
  await takeBackup(run)
  await sleep(betweenMs)
  const moment = await noteMoment(run)
  await sleep(betweenMs)
  await restoreToMoment(run, moment)
  console.log('Logical')
  await dumpAndRestore(run)
  figure('entries written in all', String(writer.acknowledged.length))
  console.log('And then')
  await takeOver(run)
  const { left } = stage.handbook
  checks.that('every block of the handbook was run', left.length === 0, left)
}

const startedMs = performance.now()
const checks = new Checks()
const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
const stage = await Stage.open(AbortSignal.any([stopped.signal, AbortSignal.timeout(runTimeoutMs)]))
try {
  await runAll(stage, checks)
} catch (error) {
  checks.that('the run completes', false, error instanceof Error ? error.stack : error)
} finally {
  await stage.close()
}
console.log(`${seconds(performance.now() - startedMs)} in all`)
console.log(`${checks.passed} passed, ${checks.failed} failed`)
process.exit(checks.failed === 0 ? 0 : 1)
