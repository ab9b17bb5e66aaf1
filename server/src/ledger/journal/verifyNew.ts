import type { RealmScoped } from '../../db/rowSecurity.ts'
import type { Queryable } from '../../db/session.ts'
import { originHash } from '../../realms/index.ts'
import { mergesFor } from './idleReplay.ts'
import { type Head, readLapse, readPoints } from './journalStore.ts'
import { checkMerges } from './mergeCheck.ts'
import type { ReplayStart } from './replay.ts'
import { checkBalanceRange, replaySegment } from './segment.ts'
import { endTogether } from './segmentAside.ts'
import { readSides, readStart } from './segmentStore.ts'
import { firstPlace, leastSlice, rounds, sliceEnd } from './slices.ts'
import type { Verified, VerifiedState } from './verifiedStore.ts'
import {
  checkHead,
  missing,
  orWrong,
  type Reached,
  readOwnHead,
  rewritten,
  type Step,
  truncated,
  type Verdict,
  verify,
} from './verify.ts'

/** How many entries a run replayed, and how many it did not. */
export type RunCounts = {
  /** Entries since the last run. */
  readonly fresh: bigint
  /** Entries that were replayed before. */
  readonly older: bigint
  /** Entries that earlier runs replayed, and this one did not. */
  readonly trusted: bigint
}

export type RunResult = {
  readonly verdict: Verdict
  readonly counts: RunCounts
  /** Whether everything was replayed. */
  readonly isWhole: boolean
  /** Where the next run starts; absent when something is wrong, and for a realm that is being loaded. */
  readonly next?: VerifiedState | undefined
}

export type RunOptions = {
  readonly realm: number
  /** What the last run stored. */
  readonly verified: Verified
  readonly onStep?: ((step: Step) => void) | undefined
  /** Whether the run may use all it gets. */
  readonly isHurried?: boolean | undefined
  /** The least number of entries that are worth a slice. */
  readonly least?: bigint | undefined
}

const none: RunCounts = { fresh: 0n, older: 0n, trusted: 0n }

export type WholeOptions = Parameters<typeof verify>[1] & Pick<RunOptions, 'least'>

/** Replays everything. */
export async function verifyWhole(db: RealmScoped, options: WholeOptions): Promise<RunResult> {
  const { realm, least } = options
  const verdict = await verify(db, options)
  if (!verdict.ok) return { verdict, counts: none, isWhole: true }
  const known = options.stored?.seq ?? 0n
  const counts = { fresh: verdict.seq - known, older: known, trusted: 0n }
  const next = verdict.reached && startOf(realm, verdict.reached, least)
  return { verdict, counts, isWhole: true, next }
}

/** Where the slices begin after everything was replayed. */
function startOf(realm: number, { seq, hash, nextAccount }: Reached, least = leastSlice): VerifiedState {
  const entries = firstPlace(realm, seq, least)
  const accounts = firstPlace(realm, BigInt(nextAccount - 1), least)
  return { seq, hash, slice: entries.slice, entry: entries.done, account: Number(accounts.done) }
}

/** What a run has to do in a realm besides its new entries: a range of entries, and one of accounts. */
function planOf({ verified, least = leastSlice }: RunOptions) {
  const { slice, seq, entry, account, nextAccount } = verified
  const entriesEnd = sliceEnd({ slice, done: entry, of: seq, least })
  const accountsEnd = sliceEnd({ slice, done: BigInt(account), of: BigInt(nextAccount - 1), least })
  const isLast = slice + 1 === rounds
  return { entriesEnd, accountsEnd: Number(accountsEnd), isLast }
}

const after = (
  { verified }: RunOptions,
  { entriesEnd, accountsEnd, isLast }: ReturnType<typeof planOf>,
  reached: { readonly seq: bigint; readonly hash: string },
): VerifiedState => ({
  seq: reached.seq,
  hash: reached.hash,
  ...(isLast
    ? { slice: 0, entry: 0n, account: 0 }
    : { slice: verified.slice + 1, entry: entriesEnd, account: accountsEnd }),
})

/**
 * The result for a realm without a new entry and without a slice in this run; undefined when there is
 * something to replay or compare.
 */
export function verifyUnchanged(options: RunOptions): RunResult | undefined {
  const { verified } = options
  const plan = planOf(options)
  if (!verified.isSame || plan.isLast) return undefined
  if (plan.entriesEnd > verified.entry || plan.accountsEnd > verified.account) return undefined
  const { seq, hash } = verified
  const counts = { ...none, trusted: seq }
  const next = after(options, plan, { seq, hash })
  return { verdict: { ok: true, seq, hash }, counts, isWhole: false, next }
}

export type NextOptions = Omit<RunOptions, 'verified'> & { readonly verified: Verified | undefined }

/**
 * The next run of a realm. Everything is replayed the first time, after something was wrong, and for so few
 * entries that looking up what is before the new ones would take as long.
 */
export async function verifyNext(db: RealmScoped, options: NextOptions): Promise<RunResult> {
  const { verified, least = leastSlice } = options
  const whole = () => verifyWhole(db, { ...options, stored: verified })
  if (!verified || verified.isWrong) return whole()
  const unchanged = verifyUnchanged({ ...options, verified })
  if (unchanged) return unchanged
  // What an entry leaves of each day follows from all entries before it, which only a whole replay has.
  const isRoundEnd = verified.slice + 1 === rounds
  if (isRoundEnd && (await readLapse(db.within([options.realm]), options.realm)).size > 0) return whole()
  return !verified.isSame && verified.headSeq <= least ? whole() : verifyNew(db, { ...options, verified })
}

/**
 * Replays the entries since the last run, and a slice of those before. So every entry is replayed again
 * within 30 runs; what a run does not replay, it takes from the runs before.
 */
export async function verifyNew(db: RealmScoped, options: RunOptions): Promise<RunResult> {
  const run = new Run(db.within([options.realm]), options)
  const result = await orWrong(() => run.verify())
  return 'ok' in result ? { verdict: result, counts: none, isWhole: false } : result
}

class Run {
  readonly #db: Queryable
  readonly #options: RunOptions
  #done = 0

  constructor(db: Queryable, options: RunOptions) {
    this.#db = db
    this.#options = options
  }

  async verify(): Promise<RunResult> {
    const { realm, verified } = this.#options
    const head = await readOwnHead(this.#db, realm)
    const start = await this.#checkStored(head)
    const plan = planOf(this.#options)
    const entriesEnd = await this.#wholeHold(plan.entriesEnd, head)
    const fresh = head.seq - verified.seq
    const older = entriesEnd - verified.entry
    const points = await readPoints(this.#db, realm)
    const steps = await readLapse(this.#db, realm)
    const merges = await mergesFor(this.#db, realm, steps)
    const shared = { realm, points, steps, merges, nextAccount: head.next_account, headSeq: head.seq }
    const segment = async (from: ReplayStart, upTo: bigint): Promise<string> => {
      if (upTo <= from.seq) return from.hash
      const onPage = this.#counter(Number(fresh + older))
      return replaySegment(this.#db, { ...shared, start: from, upTo, onPage })
    }
    await this.#each([
      async () => checkHead(head, await segment(start, head.seq)),
      async () => void (await segment(await this.#startAt(verified.entry, head), entriesEnd)),
      () => this.#compareBalances(plan, shared),
      () => checkMerges(this.#db, realm),
    ])
    const { seq, hash } = head
    return {
      verdict: { ok: true, seq, hash },
      counts: { fresh, older, trusted: seq - fresh - older },
      isWhole: false,
      next: after(this.#options, { ...plan, entriesEnd }, head),
    }
  }

  /** One after the other. Hurried: all at once, as one computes while PostgreSQL reads for another. */
  async #each(parts: readonly (() => Promise<void>)[]): Promise<void> {
    if (!this.#options.isHurried) {
      for (const part of parts) await part()
      return
    }
    const ends = await Promise.allSettled(parts.map((part) => part()))
    const failed = ends.find((end) => end.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Reports the progress of all parts together. */
  #counter(of: number): (done: number) => void {
    let counted = 0
    return (done) => {
      this.#done += done - counted
      counted = done
      this.#options.onStep?.({ what: 'entries', done: this.#done, of })
    }
  }

  async #compareBalances(
    { isLast, accountsEnd }: ReturnType<typeof planOf>,
    shared: { readonly realm: number; readonly points: ReadonlyMap<number, string> },
  ): Promise<void> {
    const { account } = this.#options.verified
    // The last one also has accounts that do not exist.
    const upTo = isLast ? Number.MAX_SAFE_INTEGER : accountsEnd
    if (upTo > account) await checkBalanceRange(this.#db, { ...shared, after: account, upTo })
  }

  /** The entry that was verified last is still there, with the same hash. */
  async #checkStored(head: Head): Promise<ReplayStart> {
    const { verified } = this.#options
    if (verified.seq > head.seq) throw truncated(head.seq, verified)
    const start = await this.#startAt(verified.seq, head)
    if (start.hash !== verified.hash) throw rewritten(start.hash, verified)
    return start
  }

  async #startAt(seq: bigint, head: Head): Promise<ReplayStart> {
    if (seq === 0n) return { seq, hash: originHash(head.realm_id), atUs: 0n }
    const row = await readStart(this.#db, this.#options.realm, seq)
    if (!row) throw missing(seq - 1n, head.seq)
    return { seq, hash: row.hash, atUs: row.at_us }
  }

  /** Two entries that ended one hold together are replayed together. */
  async #wholeHold(end: bigint, head: Head): Promise<bigint> {
    const { realm, verified } = this.#options
    if (end <= verified.entry || end >= head.seq) return end
    const entries = await readSides(this.#db, realm, [end, end + 1n])
    return endTogether(entries.get(end), entries.get(end + 1n)) ? end + 1n : end
  }
}
