import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { OwnTime } from '../db/ownTime.ts'
import { writerSettings } from '../db/session.ts'
import { outcomeUnknown, overloaded, RefusalError, unavailable } from '../errors.ts'
import { Line } from '../line.ts'
import type { Configs } from '../realms/index.ts'
import { type BatchWatch, noBatchWatch } from './lane/batchWatch.ts'
import type { Render } from './lane/commit.ts'
import { Expiry } from './lane/expiry.ts'
import { type Depths, Lanes } from './lane/lanes.ts'
import { Memory } from './lane/memory.ts'
import { Pending, requestIdsOf } from './lane/pending.ts'
import { ping } from './lane/store.ts'
import { Lapses } from './lapse/lapses.ts'
import type { Command, Outcome, PostedCommand, RehearsalOutcome } from './rules/command.ts'

export { type AwardStatus, type AwardView, PendingAwards } from './journal/awards.ts'
export { erasePiece, type Progress, untouched, type Whose } from './journal/erasure.ts'
export { eraseRefusals, readErased } from './journal/erasureStore.ts'
export type { FeedEntry } from './journal/feed.ts'
export { type EntryRecord, History, type MemberView } from './journal/history.ts'
export { type Hold, type HoldStatus, Holds } from './journal/holds.ts'
export { type DetailsRow, type EntryRow, readEntries, type StoredAside } from './journal/journalStore.ts'
export { LotsReplay, type LotsRow } from './journal/lotsReplay.ts'
export { readBalancesOf } from './journal/segmentStore.ts'
export { Undoing, type Undone } from './journal/undo.ts'
export { Wrong } from './journal/wrong.ts'
export type { BatchEnd, BatchPath, BatchWatch, SettledAs } from './lane/batchWatch.ts'
export {
  type Claiming,
  type ClaimResult,
  type ClaimTools,
  type ClaimTools as MergeTools,
  claim,
  type Holder,
} from './lane/claim.ts'
export { expiryEverySeconds } from './lane/expiry.ts'
export {
  type MergedPoints,
  type MergePlan,
  type MergeResult,
  merge as mergeMembers,
} from './lane/merge.ts'
export { readMergeEntries } from './lane/mergeStore.ts'
export { type Pending, requestIdsOf } from './lane/pending.ts'
export { Activity } from './lapse/activity.ts'
export { lapsesEverySeconds } from './lapse/lapses.ts'
export { lapsingOf } from './lapse/lapsing.ts'
export { isPending, ownerOf, ownerText, pendingOf, pendingText } from './rules/accounts.ts'
export {
  type About,
  type Change,
  type Command,
  claimed,
  type Details,
  greatest,
  type IfMatch,
  isMembers,
  issuance,
  type Outcome,
  type Receipt,
  type Receipts,
} from './rules/command.ts'
export {
  type EntryType,
  entryTypeNames,
  entryTypeOf,
  entryTypes,
  isReversible,
  numbersWith,
} from './rules/entryTypes.ts'
export { isLots, type Lot } from './rules/lots.ts'
export { Orphans } from './rules/orphans.ts'
export {
  type DetailsInput,
  digestOf,
  fingerprintOf,
  makeDetails,
  makeReason,
  requestOf,
} from './rules/request.ts'

/** Commands that may wait at once; the next one is answered 503, so that memory stays bounded. */
const queueCap = 20_000
const closePauseMs = 10
const sweepEveryMs = 100
/** Added to a deadline, for commands that are being settled at that moment. */
const sweepSlackMs = 250
/**
 * A database that has answered nothing for this long is unreachable, and commands not yet sent are refused.
 */
const silenceMs = 800

export type LedgerOptions = {
  readonly db: Database
  readonly configs: Configs
  readonly render: Render
  readonly laneCount: number
  /** How long a caller waits for an outcome at most. */
  readonly deadlineMs: number
  /** Called with the ids of the requests concerned, as far as they are known. */
  readonly onFault: (error: unknown, requestIds: readonly string[]) => void
  readonly watch?: BatchWatch | undefined
  /** Called after each look at expired holds and due awards. */
  readonly onExpired?: (() => void) | undefined
  /** Called after each pass over points that lapse. */
  readonly onLapsed?: (() => void) | undefined
  /** Whether batches write the operator feed. */
  readonly feed?: boolean | undefined
  /** Called for realms that have new entries, and sometimes for a realm that has none. */
  readonly onWritten?: ((realm: number) => void) | undefined
  /** Called for a realm that has no head in this cell any more. */
  readonly onGone?: ((realm: number) => void) | undefined
}

/** Where points change. Takes a command; returns its outcome once it is durable. */
export class Ledger {
  readonly #db: Database
  readonly #lanes: Lanes
  readonly #memory: Memory
  readonly #watch: BatchWatch
  readonly #deadlineMs: number
  readonly #waiting = new Line<Pending>()
  readonly #time = new OwnTime()
  readonly #sweeping: NodeJS.Timeout
  readonly #expiry: Expiry
  readonly #lapses: Lapses
  #taken = 0
  #closing = false
  #asking = false

  constructor(given: LedgerOptions) {
    const { db, configs, render, laneCount, deadlineMs, onWritten = () => {} } = given
    const { watch = noBatchWatch, feed = false, onGone = (realm) => this.forget(realm) } = given
    this.#db = db
    this.#watch = watch
    this.#deadlineMs = deadlineMs
    this.#memory = new Memory(db)
    const onFault = (error: unknown, pendings: readonly Pending[] = []) =>
      given.onFault(error, requestIdsOf(pendings))
    const options = {
      configs,
      render,
      feed,
      memory: this.#memory,
      onFault,
      onWritten,
      onGone,
      watch,
      open: () => db.open(writerSettings),
      again: (pendings: readonly Pending[]) => {
        for (const pending of pendings) this.#lanes.add(pending)
      },
    }
    this.#lanes = new Lanes(options, laneCount)
    this.#sweeping = setInterval(() => this.#sweep(), sweepEveryMs).unref()
    const post = (command: Command) => this.post(command)
    this.#expiry = new Expiry({ db, post, onDone: given.onExpired, onFault })
    this.#lapses = new Lapses({ db, configs, post, onDone: given.onLapsed, onFault })
  }

  /** Drops what is in memory of a realm that is not in this cell any more. */
  forget(realm: number): void {
    this.#memory.forget(realm)
  }

  /** Rejects with RefusalError (503) when there is no outcome: overloaded, unavailable, or unknown. */
  async post(command: Command): Promise<Outcome> {
    const outcome = await this.#take(command)
    if (outcome.kind === 'rehearsed') throw new Error('a command was answered as a rehearsal')
    return outcome
  }

  /** What these commands of one realm would do, one after the other. Nothing of them is stored. */
  async rehearse(commands: readonly [Command, ...Command[]]): Promise<readonly Outcome[]> {
    const [{ realm, key, requestId }] = commands
    const common = { realm, key, requestId, retry: undefined, details: undefined, dry: true }
    const outcome = await this.#take({ kind: 'rehearsal', ...common, commands })
    if (outcome.kind !== 'rehearsed') throw new Error('a rehearsal was answered as a command')
    return outcome.outcomes
  }

  #take(command: PostedCommand): Promise<Outcome | RehearsalOutcome> {
    if (this.#closing) return Promise.reject(new RefusalError(unavailable))
    if (this.#waiting.size >= queueCap) return Promise.reject(new RefusalError(overloaded))
    this.#taken += 1
    const pending = new Pending(command, performance.now() + this.#deadlineMs, this.#waiting)
    pending.sinceMs = this.#time.ms
    pending.origin = this.#watch.origin()
    this.#lanes.add(pending)
    return pending.outcome
  }

  /** How many commands it has taken so far. */
  get taken(): number {
    return this.#taken
  }

  /** How many commands wait, and in which queue. */
  depths(): Depths & { readonly waiting: number } {
    return { waiting: this.#waiting.size, ...this.#lanes.depths() }
  }

  /**
   * Accepts no more commands, lets the waiting ones end, which their deadline bounds, and closes its
   * sessions.
   */
  async close(): Promise<void> {
    this.#closing = true
    await Promise.all([this.#expiry.close(), this.#lapses.close()])
    while (this.#waiting.size > 0) await sleep(closePauseMs)
    clearInterval(this.#sweeping)
    this.#time.close()
    await this.#lanes.close()
  }

  /** A command may be waiting for a lock: only a database that does not answer this either is unreachable. */
  async #ask(): Promise<void> {
    if (this.#asking) return
    this.#asking = true
    await ping(this.#db).catch(() => {})
    this.#asking = false
  }

  /**
   * The last resort below all other deadlines: answers every command that is past its own. "Outcome unknown"
   * is always true.
   */
  #sweep(): void {
    const nowMs = performance.now()
    const silentMs = this.#db.silentMs()
    const away = silentMs > silenceMs
    if (this.#waiting.size > 0 && silentMs > silenceMs / 2) void this.#ask()
    for (const pending of this.#waiting) {
      const waitedMs = this.#time.ms - pending.sinceMs
      if (away && !pending.sent && waitedMs > silenceMs) pending.refuse(unavailable)
      else if (pending.deadlineMs + sweepSlackMs < nowMs) pending.refuse(outcomeUnknown)
    }
  }
}
