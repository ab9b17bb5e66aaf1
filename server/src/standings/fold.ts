import { issuance, kindNumbers } from '../ledger/ledger.ts'
import type { Days } from './days.ts'

/** An entry, as far as standings look at it. */
export type JournalRow = {
  readonly seq: bigint
  readonly at_us: bigint
  readonly kind: number
  readonly point: number
  readonly from_account: number
  readonly to_account: number
  readonly amount: bigint
  readonly from_balance: bigint | null
  readonly to_balance: bigint | null
  /** Of the entry that it reverses. */
  readonly original_at_us: bigint | null
  readonly original_kind: number | null
}

export type Gain = { readonly point: number; readonly day: number; readonly account: number; by: bigint }
export type Daily = {
  readonly point: number
  readonly day: number
  readonly kind: number
  entries: bigint
  amount: bigint
}
export type Supply = { readonly point: number; issued: bigint; spent: bigint; held: bigint }

/** What some entries change, each thing once. */
export type Changes = {
  readonly gains: ReadonlyMap<string, Gain>
  readonly daily: ReadonlyMap<string, Daily>
  readonly supply: ReadonlyMap<number, Supply>
  /** The days that members were active on, the earliest first. */
  readonly moved: ReadonlyMap<number, readonly number[]>
}

/**
 * What an entry adds to what a member gained: points issued by an adjustment, on its day; a reversal of one
 * takes them away again on the day of what it reverses. An opening is brought along, a transfer comes from
 * another, and what is held or comes back was the member's own: none of them is gained.
 */
export function gainOf(row: JournalRow, days: Days): Gain | undefined {
  const { kind, point, amount } = row
  if (kind === kindNumbers.adjust && row.from_account === issuance)
    return { point, day: days.of(row.at_us), account: row.to_account, by: amount }
  if (kind !== kindNumbers.reversal || row.to_account !== issuance) return undefined
  if (row.original_kind !== kindNumbers.adjust || row.original_at_us === null) return undefined
  return { point, day: days.of(row.original_at_us), account: row.from_account, by: -amount }
}

/** Folds entries, in their order, into what they change. */
export function fold(rows: readonly JournalRow[], days: Days): Changes {
  const gains = new Map<string, Gain>()
  const daily = new Map<string, Daily>()
  const supply = new Map<number, Supply>()
  const moved = new Map<number, number[]>()
  for (const row of rows) {
    const gain = gainOf(row, days)
    if (gain) {
      const key = gainKey(gain)
      const known = gains.get(key)
      if (known) known.by += gain.by
      else gains.set(key, gain)
    }
    const day = days.of(row.at_us)
    count(daily, row, day)
    supplyBy(supply, row)
    if (isActive(row)) {
      if (row.from_account > issuance) move(moved, row.from_account, day)
      if (row.to_account > issuance) move(moved, row.to_account, day)
    }
  }
  return { gains, daily, supply, moved }
}

export const gainKey = ({ point, day, account }: Gain): string => `${account}:${day}:${point}`
export const dailyKey = ({ point, day, kind }: Omit<Daily, 'entries' | 'amount'>): string =>
  `${day}:${point}:${kind}`

/** What was brought along, and what came back because time ran out, nobody did. */
const isActive = ({ kind }: JournalRow): boolean =>
  kind !== kindNumbers.opening && kind !== kindNumbers.expiry

function move(moved: Map<number, number[]>, account: number, day: number): void {
  const days = moved.get(account)
  if (!days) moved.set(account, [day])
  else if (days.at(-1) !== day) days.push(day)
}

function count(daily: Map<string, Daily>, { point, kind, amount }: JournalRow, day: number): void {
  const key = dailyKey({ point, day, kind })
  const known = daily.get(key)
  if (!known) {
    daily.set(key, { point, day, kind, entries: 1n, amount })
    return
  }
  known.entries += 1n
  known.amount += amount
}

/** A reversal is no new issue and no new spending: it takes back what it reverses. */
function supplyBy(supply: Map<number, Supply>, row: JournalRow): void {
  const { point, kind, amount, from_account: from, to_account: to } = row
  let known = supply.get(point)
  if (!known) {
    known = { point, issued: 0n, spent: 0n, held: 0n }
    supply.set(point, known)
  }
  const reverses = kind === kindNumbers.reversal
  if (from === issuance && reverses) known.spent -= amount
  else if (from === issuance) known.issued += amount
  if (to === issuance && reverses) known.issued -= amount
  else if (to === issuance) known.spent += amount
  if (from < issuance) known.held -= amount
  if (to < issuance) known.held += amount
}

export type ActiveDay = { readonly day: number; active: bigint; latest: bigint }
export type Activity = {
  /** The last day of those whose last day has changed. */
  readonly latest: ReadonlyMap<number, number>
  readonly days: ReadonlyMap<number, ActiveDay>
}

/** What became of the days, given the last one that each of these members was active on before. */
export function activityOf(moved: Changes['moved'], before: ReadonlyMap<number, number>): Activity {
  const latest = new Map<number, number>()
  const days = new Map<number, ActiveDay>()
  const at = (day: number): ActiveDay => {
    const known = days.get(day) ?? { day, active: 0n, latest: 0n }
    days.set(day, known)
    return known
  }
  for (const [account, its] of moved) {
    let last = before.get(account)
    for (const day of its) {
      // Time does not go back within a realm: a day that is not the last one known is new.
      if (day === last) continue
      if (last !== undefined) at(last).latest -= 1n
      at(day).active += 1n
      at(day).latest += 1n
      last = day
      latest.set(account, day)
    }
  }
  return { latest, days }
}
