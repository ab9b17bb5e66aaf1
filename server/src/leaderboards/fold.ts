import { claimed, entryTypes, isMembers, isPending, issuance, numbersWith } from '../ledger/index.ts'
import type { Days } from './days.ts'

/**
 * The fields of an entry that folding reads. Values that are not sums are numbers: exact, and much faster to
 * read.
 */
export type JournalRow = {
  readonly seq: number
  readonly at_us: number
  readonly kind: number
  readonly point: number
  readonly from_account: number
  readonly to_account: number
  readonly amount: bigint
  /** Of the entry that it reverses. */
  readonly original_at_us: number | null
  readonly original_kind: number | null
}

export type Gain = {
  readonly point: number
  readonly day: number
  readonly account: number
  readonly by: bigint
}
export type Daily = {
  readonly point: number
  readonly day: number
  readonly kind: number
  entries: number
  amount: bigint
  /** What these entries did to the supply. */
  issued: bigint
  spent: bigint
  lapsed: bigint
  held: bigint
}
export type Supply = {
  readonly point: number
  issued: bigint
  spent: bigint
  lapsed: bigint
  held: bigint
  claimed: bigint
}

/** What some entries change, each item once. */
export type Changes = {
  readonly gains: readonly Gain[]
  readonly daily: readonly Daily[]
  readonly supply: readonly Supply[]
  /** The members active on each day, earliest first. */
  readonly moved: ReadonlyMap<number, ReadonlySet<number>>
}

const gained = new Set(numbersWith('isGain'))

/**
 * What an entry adds to a member's gains: points issued by an adjustment or a granted award, on its day; a
 * reversal of one deducts them again on the day of the reversed entry. An opening is a balance from another
 * system, a transfer comes from another member, and held or released points were the member's own: none of
 * them counts as gained. Nor does an award before it is granted.
 */
export function gainOf(row: JournalRow, days: Days): Gain | undefined {
  const { kind, point, amount } = row
  if (gained.has(kind) && (row.from_account === issuance || isPending(row.from_account)))
    return { point, day: days.of(row.at_us), account: row.to_account, by: amount }
  if (kind !== entryTypes.reversal.number || row.to_account !== issuance) return undefined
  if (!gained.has(row.original_kind ?? 0) || row.original_at_us === null) return undefined
  return { point, day: days.of(row.original_at_us), account: row.from_account, by: -amount }
}

/** Folds entries, in their order, into what they change. */
export function fold(rows: readonly JournalRow[], days: Days): Changes {
  const gains = new Map<number, Gained>()
  const daily = new Map<number, Daily>()
  const supply = new Map<number, Supply>()
  const moved = new Map<number, Set<number>>()
  for (const row of rows) {
    const gain = gainOf(row, days)
    if (gain) gainBy(gains, gain)
    const day = days.of(row.at_us)
    count(daily, row, day)
    const supplied = supplyOf(supply, row.point)
    supplyBy(supplied, row)
    if (row.to_account === claimed) supplied.claimed += row.amount
    if (isActive(row)) move(moved, row, day)
  }
  return {
    gains: [...gains.values()].flatMap(({ point, day, by: each }) =>
      Array.from(each, ([account, by]) => ({ point, day, account, by })),
    ),
    daily: [...daily.values()],
    supply: [...supply.values()],
    moved,
  }
}

/** One point type on one day, by account. Nearly all of a page is of one: so keys are small numbers. */
type Gained = { readonly point: number; readonly day: number; readonly by: Map<number, bigint> }

const pointsCap = 65_536
const kindsCap = 16

function gainBy(gains: Map<number, Gained>, { point, day, account, by }: Gain): void {
  const key = day * pointsCap + point
  let known = gains.get(key)
  if (!known) {
    known = { point, day, by: new Map() }
    gains.set(key, known)
  }
  known.by.set(account, (known.by.get(account) ?? 0n) + by)
}

const passive = new Set(numbersWith('isPassive'))

/** Not activity of a member: openings, expired holds, claims, merges, lapses, and undoing a merge. */
const isActive = ({ kind, original_kind: original }: JournalRow): boolean =>
  !passive.has(kind) && original !== entryTypes.merge.number

function move(moved: Map<number, Set<number>>, row: JournalRow, day: number): void {
  let accounts = moved.get(day)
  if (!accounts) {
    accounts = new Set()
    moved.set(day, accounts)
  }
  if (isMembers(row.from_account)) accounts.add(row.from_account)
  if (isMembers(row.to_account)) accounts.add(row.to_account)
}

function count(daily: Map<number, Daily>, row: JournalRow, day: number): void {
  const { point, kind, amount } = row
  const key = (day * pointsCap + point) * kindsCap + kind
  let known = daily.get(key)
  if (!known) {
    known = { point, day, kind, entries: 0, amount: 0n, issued: 0n, spent: 0n, lapsed: 0n, held: 0n }
    daily.set(key, known)
  }
  known.entries += 1
  known.amount += amount
  supplyBy(known, row)
}

function supplyOf(supply: Map<number, Supply>, point: number): Supply {
  const known = supply.get(point) ?? { point, issued: 0n, spent: 0n, lapsed: 0n, held: 0n, claimed: 0n }
  supply.set(point, known)
  return known
}

type Sums = Pick<Supply, 'issued' | 'spent' | 'lapsed' | 'held'>

/**
 * A reversal is neither new issue nor new spending: it undoes the reversed entry's. Pending points are not
 * issued before they are granted, and a cancelled award spends nothing.
 */
function supplyBy(known: Sums, row: JournalRow): void {
  const { kind, amount, from_account: from, to_account: to } = row
  const reverses = kind === entryTypes.reversal.number
  const { lapse } = entryTypes
  if (isPending(to) || (isPending(from) && to === issuance)) return
  const isIssued = from === issuance || isPending(from)
  if (reverses && row.original_kind === lapse.number) known.lapsed -= amount
  else if (isIssued && reverses) known.spent -= amount
  else if (isIssued) known.issued += amount
  if (kind === lapse.number) known.lapsed += amount
  else if (to === issuance && reverses) known.issued -= amount
  else if (to === issuance) known.spent += amount
  if (from < issuance && !isIssued) known.held -= amount
  if (to < issuance) known.held += amount
}

export type ActiveDay = { readonly day: number; active: number; latest: number }
export type Activity = {
  /** The last active day of the members for whom it changed. */
  readonly latest: ReadonlyMap<number, number>
  readonly days: ReadonlyMap<number, ActiveDay>
}

/** How the days change, given the last active day of each of these members before. */
export function activityOf(moved: Changes['moved'], before: ReadonlyMap<number, number>): Activity {
  const latest = new Map<number, number>()
  const days = new Map<number, ActiveDay>()
  const at = (day: number): ActiveDay => {
    const known = days.get(day) ?? { day, active: 0, latest: 0 }
    days.set(day, known)
    return known
  }
  for (const [day, accounts] of moved) {
    const today = at(day)
    for (const account of accounts) {
      const last = latest.get(account) ?? before.get(account)
      // Time does not go back within a realm: a day that is not the last one known is new.
      if (day === last) continue
      if (last !== undefined) at(last).latest -= 1
      today.active += 1
      today.latest += 1
      latest.set(account, day)
    }
  }
  return { latest, days }
}
