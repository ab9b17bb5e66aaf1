import { rowsOf } from '../../support/books.ts'
import type { RealmAccess } from '../../support/fixture.ts'
import { asRealm } from '../../support/operator.ts'
import { type Checkpoint, type Stage, shown, type Urls } from './stage.ts'
import { type AcknowledgedChange, ask, balancesAfter } from './writer.ts'

/** Counts passed and failed checks. */
export class Checks {
  passed = 0
  failed = 0

  /** Records a guarantee, whether it held, and the observed value. */
  that(guarantee: string, held: boolean, seen: unknown = ''): void {
    if (held) this.passed += 1
    else this.failed += 1
    console.log(`${held ? '  ok    ' : '  FAILED'} ${guarantee}${held ? '' : `: ${String(seen)}`}`)
  }
}

export type RestoreResult = {
  readonly stage: Stage
  readonly checks: Checks
  readonly at: Urls
  readonly realm: RealmAccess
}

/** Runs verify as the handbook says, and returns the last entry when it succeeds. */
export async function verified({ stage, checks, at, realm }: RestoreResult): Promise<Checkpoint | undefined> {
  const title = 'replay every realm of the restored database'
  const { code, said } = await stage.handbook.attempt(title, stage.variables(at))
  const [, seq, hash = ''] = new RegExp(`^${realm.id}: ok ([0-9]+):([0-9a-f]{64})$`, 'm').exec(said) ?? []
  checks.that('verify finds no error in the ledger', code === 0 && seq !== undefined, said)
  return seq === undefined ? undefined : { seq: Number(seq), hash }
}

/** The result of verify for a saved seq:hash. */
export async function against({ stage, at, realm }: RestoreResult, saved: Checkpoint): Promise<string> {
  const variables = stage.variables(at, { REALM: realm.id, CHECKPOINT: shown(saved) })
  const { code, said } = await stage.handbook.attempt('compare with a saved SEQ:HASH', variables)
  return code === 0 ? 'ok' : said
}

/** A restored server accepts the old key and returns the same balances, but not with another secret. */
export async function checkServing(
  { stage, checks, at, realm }: RestoreResult,
  changes: readonly AcknowledgedChange[],
): Promise<string> {
  const other = await stage.serve(at, { KEY_SECRETS: `k1:${'another secret'.repeat(4)}` })
  const locked = await asRealm(other.baseUrl, realm, { line: 'GET /members/1001' })
  checks.that('without the old KEY_SECRETS the old key is rejected', locked.status === 401, locked.text)
  await other.stop()
  const { baseUrl } = await stage.serve(at)
  const wrong: string[] = []
  for (const [member, balance] of balancesAfter(changes)) {
    const { status, json, text } = await asRealm(baseUrl, realm, { line: `GET /members/${member}` })
    if (status !== 200 || json.tokenBalance !== balance) wrong.push(`${balance} is right, not ${text}`)
  }
  checks.that('the old key reads every balance that was acknowledged', wrong.length === 0, wrong)
  return baseUrl
}

/** Retries a change that the restored journal contains (replayed) and one that it lost (made again). */
export async function checkRetries(
  { checks, realm }: RestoreResult,
  baseUrl: string,
  { held, lost }: { held: AcknowledgedChange; lost: AcknowledgedChange },
): Promise<void> {
  const [again, remade] = [await ask(baseUrl, realm, held), await ask(baseUrl, realm, lost)]
  const replayed = ({ headers }: typeof again) => headers['idempotent-replayed'] === 'true'
  const seen = `${JSON.stringify(again.headers)} ${again.text} ${remade.text}`
  const sameEntry = again.json.transactionId === String(held.seq)
  checks.that('a retry of a restored change is replayed', replayed(again) && sameEntry, seen)
  checks.that('a retry of a lost change is made again', remade.status === 200 && !replayed(remade), seen)
}

const mayNot = (url: string, statement: string): Promise<boolean> =>
  rowsOf(url, `begin; ${statement}; rollback`).then(
    () => false,
    (error: unknown) => error instanceof Error && /permission denied|must be owner/.test(error.message),
  )

/** Roles are as before: one owns the schema and is not a superuser, the other can't change the journal. */
export async function checkRoles({ checks, at }: RestoreResult): Promise<void> {
  const rows = await rowsOf(
    at.ownerUrl,
    `select relname from pg_class c join pg_roles r on rolname = current_user
      where relnamespace = 'exchequer'::regnamespace and (relowner <> r.oid or rolsuper)`,
  )
  checks.that('the owner is not a superuser and owns every table', rows.length === 0, JSON.stringify(rows))
  const walls = ['update journal set amount = 1', 'delete from journal', 'drop table journal']
  const held = await Promise.all(walls.map((statement) => mayNot(at.serverUrl, statement)))
  checks.that("the server's role can't change the journal", !held.includes(false), held)
}

/** Both databases have the same rows in every table, for the entries up to `seq`. */
export async function checkRows({ checks, at }: RestoreResult, from: Urls, seq: number): Promise<void> {
  const named = "select tablename::text as name from pg_tables where schemaname = 'exchequer' order by 1"
  const [ours, theirs] = [await rowsOf(at.superuserUrl, named), await rowsOf(from.superuserUrl, named)]
  const different: string[] = []
  // Derived from the journal and already compared by verify: the live database has moved on.
  const folded = ['standings', 'gains', 'daily', 'supply', 'activity', 'active_days']
  // Verify records its runs in the restored database, also in its audit log.
  // Rates are valid for a moment only.
  const moving = ['heads', 'balances', 'verified', 'verified_shards', 'rates', ...folded]
  const since: Readonly<Record<string, string>> = { audit: "where action not like 'verify.%'" }
  for (const { name } of theirs.filter((table) => !moving.includes(table.name))) {
    const upTo = /^(journal|journal_\d\d|details)$/.test(name) ? `where seq <= ${seq}` : (since[name] ?? '')
    // The live server keeps updating when a key was last used, and leases.
    const row = name === 'leases' ? 't.name' : `(to_jsonb(t) - 'last_used_at')::text`
    const text = `select count(*)::int as rows, md5(string_agg(${row}, ' ' order by ${row})) as hash
      from exchequer.${name} t ${upTo}`
    const [[a], [b]] = await Promise.all([rowsOf(at.superuserUrl, text), rowsOf(from.superuserUrl, text)])
    if (a.rows !== b.rows || a.hash !== b.hash) different.push(`${name} has ${a.rows} of ${b.rows} rows`)
  }
  const same = JSON.stringify(ours) === JSON.stringify(theirs) && ours.length > 0
  checks.that('every table has the same rows', same && different.length === 0, different)
}
