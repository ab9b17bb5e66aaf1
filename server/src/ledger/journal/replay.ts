import { ownerOf, type Side, sideOf } from '../rules/accounts.ts'
import { encodingOf, hashDetails, hashOf } from '../rules/chain.ts'
import { claimed, greatest, isMembers, issuance } from '../rules/command.ts'
import { entryTypes } from '../rules/entryTypes.ts'
import type { AccountColumn, AccountState } from './columns.ts'
import { IdleReplay } from './idleReplay.ts'
import { type BalanceRow, type EntryRow, sealableOf } from './journalStore.ts'
import { LotsReplay, type Steps } from './lotsReplay.ts'
import type { MergeLink } from './mergeCheckStore.ts'
import { Wrong } from './wrong.ts'

export const sides = ['spendable', 'held', 'pending'] as const

/** The entry before the first one that is replayed: its seq, hash and time. */
export type ReplayStart = { readonly seq: bigint; readonly hash: string; readonly atUs: bigint }

export type ReplayOptions<C extends AccountColumn> = {
  readonly start: ReplayStart
  readonly points: ReadonlyMap<number, string>
  /** Account numbers are below this. */
  readonly nextAccount: number
  readonly newColumn: () => C
  /** The lapse rules of its point types. */
  readonly steps: Steps
  /** Its merges, if one of these rules depends on them. */
  readonly merges: readonly MergeLink[]
}

/** The ledger as the journal describes it, entry by entry. */
export class Replay<C extends AccountColumn> {
  readonly start: ReplayStart
  seq: bigint
  hash: string
  nextAccount: number
  /** Entries that reserved points, and those that promised some. */
  holdsMade = 0
  awardsMade = 0
  #atUs: bigint
  protected readonly points = new Map<number, string>()
  /** By point type. Held and pending points are on the accounts below zero. */
  protected readonly columns: Readonly<Record<Side, Map<number, C>>> = {
    spendable: new Map(),
    held: new Map(),
    pending: new Map(),
  }
  readonly lots: LotsReplay
  readonly idle: IdleReplay
  readonly #newColumn: () => C
  readonly #reversed = new Set<bigint>()

  constructor({ start, points, nextAccount, newColumn, steps, merges }: ReplayOptions<C>) {
    this.start = start
    this.seq = start.seq
    this.hash = start.hash
    this.#atUs = start.atUs
    this.nextAccount = nextAccount
    this.#newColumn = newColumn
    this.lots = new LotsReplay(steps)
    this.idle = new IdleReplay({ steps, merges, isWhole: start.seq === 0n, newColumn })
    this.addPoints(points)
  }

  /** Adds the point types that the realm has by now. */
  addPoints(points: ReadonlyMap<number, string>): void {
    for (const [point, id] of points) {
      if (this.points.has(point)) continue
      this.points.set(point, id)
      for (const side of sides) this.columns[side].set(point, this.#newColumn())
    }
  }

  add(row: EntryRow): void {
    const where = `entry ${this.seq + 1n}`
    const wrong = (why: string) => new Wrong(where, why)
    if (row.seq !== this.seq + 1n) throw wrong(`missing: the next one is ${row.seq}`)
    const point = this.points.get(row.point)
    if (point === undefined) throw wrong(`point ${row.point} is not the realm's`)
    if (row.encoding !== encodingOf(row)) throw wrong(`encoding ${row.encoding} is not this entry's`)
    if (row.hash !== hashOf(this.hash, sealableOf(row, point)))
      throw wrong('its hash is not that of its contents')
    if (row.at_us < this.#atUs) throw wrong('its time is before that of the entry before it')
    if (row.amount <= 0n) throw wrong('its amount is not positive')
    checkDetails(row, wrong)
    this.#checkLink(row, wrong)
    if (
      (row.to_account === claimed) !== (row.kind === entryTypes.claim.number) ||
      row.from_account === claimed
    )
      throw wrong('only a claim moves points to the claimed account, and none come back')
    const isWhole = isMembers(row.from_account) && isMembers(row.to_account) && row.from_balance === 0n
    if (row.kind === entryTypes.merge.number && !isWhole)
      throw wrong('a merge moves the whole balance of one member to another')
    checkAward(row, wrong)
    this.lots.add(row, (account) => this.stateOf(account, row.point))
    this.idle.add(row)
    this.#move(row, row.from_account, { by: -row.amount, to: row.from_balance })
    this.#move(row, row.to_account, { by: row.amount, to: row.to_balance })
    if (row.kind === entryTypes.hold.number) this.holdsMade += 1
    if (row.kind === entryTypes.award.number) this.awardsMade += 1
    this.seq = row.seq
    this.hash = row.hash
    this.#atUs = row.at_us
  }

  /** Notes that an entry before the first one reversed this entry. */
  addReversed(link: bigint): void {
    this.#reversed.add(link)
  }

  /** What the entries so far left to an account. */
  stateOf(account: number, point: number): AccountState | undefined {
    return this.column(account, point)?.get(ownerOf(account))
  }

  /** Compares a stored balance with the journal's, as of the entries replayed so far. */
  compare(row: BalanceRow): void {
    const replayed = this.stateOf(row.account, row.point)
    const where = this.place(row.account, row.point)
    if (!replayed) throw new Wrong(where, `${row.balance} is stored, but no entry moved it`)
    if (replayed.balance !== row.balance)
      throw new Wrong(where, `${row.balance} is stored, ${replayed.balance} is right`)
    if (replayed.seq !== row.seq)
      throw new Wrong(where, `last changed by entry ${replayed.seq}, not ${row.seq}`)
    const lots = row.account > 0 ? this.lots.textOf(row.account, row.point, row.seq) : null
    if (lots !== undefined && lots !== row.lots)
      throw new Wrong(where, `lots ${row.lots ?? 'none'} are stored, ${lots ?? 'none'} are right`)
  }

  /** An entry must not be reversed twice. */
  #checkLink({ kind, link, seq }: EntryRow, wrong: (why: string) => Wrong): void {
    if (link === null) return
    if (link >= seq) throw wrong(`it is about entry ${link}, which is not before it`)
    if (kind !== entryTypes.reversal.number) return
    if (this.#reversed.has(link)) throw wrong(`entry ${link} was reversed before`)
    this.#reversed.add(link)
  }

  #move(row: EntryRow, account: number, change: { by: bigint; to: bigint | null }): void {
    const where = `entry ${row.seq}`
    if (account === issuance || account === claimed) {
      if (change.to !== null) throw new Wrong(where, `account ${account} has no balance`)
      return
    }
    if (ownerOf(account) >= this.nextAccount) throw new Wrong(where, `account ${account} is not the realm's`)
    const column = this.column(account, row.point)
    const at = ownerOf(account)
    const after = (column?.get(at)?.balance ?? 0n) + change.by
    if (change.to !== after)
      throw new Wrong(where, `account ${account} has ${after} after it, not ${change.to}`)
    if (after < 0n || after > greatest)
      throw new Wrong(where, `account ${account} leaves its bounds with ${after}`)
    column?.set(at, after, row.seq)
  }

  protected column(account: number, point: number): C | undefined {
    return this.columns[sideOf(account)].get(point)
  }

  place(account: number | undefined, point: number | undefined): string {
    return `balance of account ${account} in ${this.points.get(point ?? 0) ?? `point ${point}`}`
  }
}

/** Only an award promises points, and they are granted to that member or go back to the realm. */
function checkAward(row: EntryRow, wrong: (why: string) => Wrong): void {
  const { kind, from_account: from, to_account: to } = row
  const rule = (ok: boolean) => {
    if (!ok) throw wrong('it moves pending points as its type does not')
  }
  const isAward = kind === entryTypes.award.number
  rule((sideOf(to) === 'pending') === isAward && (!isAward || from === issuance))
  const ends = kind === entryTypes.grant.number || kind === entryTypes.cancel.number
  rule((sideOf(from) === 'pending') === ends)
  if (ends) rule(to === (kind === entryTypes.grant.number ? ownerOf(from) : issuance))
}

/** Erased details leave no row; existing ones must match their hash. */
function checkDetails(row: EntryRow, wrong: (why: string) => Wrong): void {
  if (!row.details) return
  const { salt, reason, reference, metadata, actor_id: actor } = row.details
  const made = hashDetails(salt, {
    reason: reason ?? undefined,
    reference: reference ?? undefined,
    metadata: metadata ?? undefined,
    actorId: actor === null ? undefined : String(actor),
  })
  if (made !== row.details_hash) throw wrong('its details are not those that were hashed')
}
