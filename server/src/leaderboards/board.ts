import type { Queryable } from '../db/session.ts'
import { isMembers } from '../ledger/index.ts'
import { readBalances, readGains, readMoves, readUnlisted, seqBefore } from './boardStore.ts'
import { Days, type Range } from './days.ts'
import { gainOf } from './fold.ts'
import { readOwners } from './mergeStore.ts'
import { Ranking } from './ranking.ts'
import { readEntries, readProgress } from './store.ts'

/** What a board ranks by: balances, or points gained on some days of a time zone. */
export type Subject = {
  readonly realm: number
  readonly point: number
  readonly period: { readonly range: Range; readonly timeZone: string } | undefined
}

type Marked = { readonly seq: number; readonly mark: string }

/** Small enough that no request waits noticeably: about 10 ms. */
const pageSize = 2_000
const hiddenForMs = 500
const dayUs = 86_400_000_000
/** No time zone is further from UTC, in days. */
const zonesSpan = 2

/**
 * The journal is not the one that the board was built from: a failover has lost entries that the board knows.
 */
export class OtherHistory extends Error {}

const areSame = (a: ReadonlySet<number> | undefined, b: ReadonlySet<number>): boolean =>
  a !== undefined && a.size === b.size && a.isSubsetOf(b)

/**
 * The order of a realm's members by one score, held in memory and updated from the journal. Between two
 * awaits it equals the journal at `seq`.
 */
export class Board {
  readonly ranking = new Ranking()
  seq = 0n
  /** The mark of the entry at `seq`, once it was read. */
  #mark: string | undefined
  readonly #db: Queryable
  readonly #subject: Subject
  readonly #days: Days
  /** Rows that changed while the board was built, by key: they already include entries up to this one. */
  readonly #ahead = new Map<string, number>()
  #hiddenAtMs = Number.NEGATIVE_INFINITY
  /** Members that left; for gains, the members that merged accounts belong to. */
  #departed: ReadonlySet<number> | undefined
  #owners: ReadonlyMap<number, number> = new Map()
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  private constructor(db: Queryable, subject: Subject) {
    this.#db = db
    this.#subject = subject
    this.#days = new Days(subject.period?.timeZone ?? 'UTC')
  }

  static async build(db: Queryable, subject: Subject): Promise<Board> {
    const board = new Board(db, subject)
    if (subject.period) {
      const { departed } = await readUnlisted(db, subject.realm)
      board.#departed = departed
      await board.#readGains(subject.period)
    } else await board.#readBalances()
    await board.refresh()
    return board
  }

  /** Resolves when the board includes all entries that existed at the call. */
  refresh(): Promise<void> {
    if (!this.#running) {
      this.#running = this.#read().finally(() => {
        this.#running = undefined
      })
      return this.#running
    }
    // The run in progress may have read already: calls from now on share the next one.
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        return this.refresh()
      })
    return this.#next
  }

  /**
   * Balances have the entry of their last change; one that changes meanwhile is updated again by that entry.
   */
  async #readBalances(): Promise<void> {
    const { realm, point } = this.#subject
    const { head } = await readProgress(this.#db, realm)
    for await (const rows of readBalances(this.#db, realm, point)) {
      for (const { account, balance } of rows) this.ranking.set(account, Number(balance))
    }
    this.seq = head
  }

  /** Entries before the range are skipped: they can't be of its days. */
  async #readGains({ range, timeZone }: NonNullable<Subject['period']>): Promise<void> {
    const { realm, point } = this.#subject
    const start = await seqBefore(this.#db, realm, (range.from - zonesSpan) * dayUs)
    const { seq, build, time_zone: zone, merged, merges } = await readProgress(this.#db, realm)
    if (merges > 0) this.#owners = await readOwners(this.#db, realm)
    this.seq = start
    // Nothing of the range is folded yet: all of it is read from the journal.
    if (seq === null || build === null || zone !== timeZone || seq <= start) return
    for await (const rows of readGains(this.#db, realm, { build, point, range })) {
      for (const row of rows) {
        this.ranking.add(this.#ownerOf(row.account), Number(row.gained))
        if (row.seq > seq) this.#ahead.set(`${row.account}:${row.day}`, Number(row.seq))
      }
    }
    const after = await readProgress(this.#db, realm)
    if (after.build !== build || after.merged !== merged)
      throw new Error('standings were rebuilt while a board was built from them')
    this.seq = seq
  }

  async #read(): Promise<void> {
    const { realm } = this.#subject
    if (performance.now() - this.#hiddenAtMs > hiddenForMs) {
      const { hidden, departed } = await readUnlisted(this.#db, realm)
      if (this.#subject.period) await this.#assertOwners(departed)
      this.ranking.hide(hidden.union(departed))
      this.#hiddenAtMs = performance.now()
    }
    const { period } = this.#subject
    while (period ? await this.#readGained(period) : await this.#readMoved());
    this.#ahead.clear()
  }

  readonly #ownerOf = (account: number): number => this.#owners.get(account) ?? account

  /** A member that left may have been merged: what it gained is another one's then. */
  async #assertOwners(departed: ReadonlySet<number>): Promise<void> {
    if (areSame(this.#departed, departed)) return
    const owners = await readOwners(this.#db, this.#subject.realm)
    const isSame = owners.size === this.#owners.size
    if (!isSame || [...owners].some(([account, owner]) => this.#owners.get(account) !== owner))
      throw new OtherHistory()
    this.#departed = departed
  }

  /** Reads a page of entries; returns whether there may be more. */
  async #readMoved(): Promise<boolean> {
    const { realm, point } = this.#subject
    const rows = this.#newOf(await readMoves(this.#db, realm, this.#asked))
    for (const row of rows) {
      if (row.point !== point) continue
      if (isMembers(row.from_account)) this.ranking.set(row.from_account, row.from_balance ?? 0)
      if (isMembers(row.to_account)) this.ranking.set(row.to_account, row.to_balance ?? 0)
    }
    return this.#isAt(rows)
  }

  async #readGained({ range }: NonNullable<Subject['period']>): Promise<boolean> {
    const { realm, point } = this.#subject
    const { after, limit } = this.#asked
    const rows = this.#newOf(await readEntries(this.#db, [{ realm, seq: after }], limit))
    for (const row of rows) {
      const gain = row.point === point ? gainOf(row, this.#days) : undefined
      if (!gain || gain.day < range.from || gain.day > range.to) continue
      if ((this.#ahead.get(`${gain.account}:${gain.day}`) ?? 0) >= row.seq) continue
      this.ranking.add(this.#ownerOf(gain.account), Number(gain.by))
    }
    return this.#isAt(rows)
  }

  /** Starts with the entry that the board is at, to compare it with the one that it knows. */
  get #asked() {
    return this.seq === 0n ? { after: 0n, limit: pageSize } : { after: this.seq - 1n, limit: pageSize + 1 }
  }

  #newOf<Row extends Marked>(rows: readonly Row[]): readonly Row[] {
    if (this.seq === 0n) return rows
    const [known, ...others] = rows
    const isKnown = known !== undefined && BigInt(known.seq) === this.seq
    if (!isKnown || known.mark !== (this.#mark ?? known.mark)) throw new OtherHistory()
    this.#mark = known.mark
    return others
  }

  #isAt(rows: readonly Marked[]): boolean {
    const last = rows.at(-1)
    if (last) {
      this.seq = BigInt(last.seq)
      this.#mark = last.mark
    }
    return rows.length === pageSize
  }
}
