import { invalid } from '../errors.ts'
import { type Days, dayIn, monthOf, type Range, weekOf } from './days.ts'

/** All time by balance; the others by points gained, from Monday, from the first, or on given days. */
export type PeriodName = 'all' | 'week' | 'month' | 'range'

/** A leaderboard, and the members left out of it. */
export type BoardQuery = {
  /** The realm's default when absent. */
  readonly point: string | undefined
  readonly period: PeriodName
  /** For a range: days, YYYY-MM-DD, or times at which days begin; `to` is exclusive. */
  readonly from: string | undefined
  readonly to: string | undefined
  readonly exclude: readonly string[]
}

/** `to` is exclusive; days or times, as for a board. */
export type DaysQuery = { readonly from?: string | undefined; readonly to?: string | undefined }

export const longestRange = 366

/** Undefined for all time. */
export function rangeOf({ period, from, to }: BoardQuery, days: Days, nowMs: number): Range | undefined {
  if (period === 'all') return undefined
  if (period === 'week') return weekOf(days.at(nowMs))
  if (period === 'month') return monthOf(days.at(nowMs))
  return daysBetween(dayOf('from', from, days), dayOf('to', to, days))
}

/** `to` is exclusive. */
export function daysBetween(from: number, to: number): Range {
  if (to <= from) throw invalid('query:to', 'Expected a day after `from`: `to` is exclusive.')
  if (to - from > longestRange) throw invalid('query:to', `Expected at most ${longestRange} days.`)
  return { from, to: to - 1 }
}

/** A date, or the time at which a day begins: what is counted by day can have no other bounds. */
export function dayOf(name: string, given: string | undefined, days: Days): number {
  if (given === undefined) throw invalid(`query:${name}`, 'Expected a day such as 2026-01-31.')
  const day = dayIn(given)
  if (day !== undefined) return day
  const ms = Date.parse(given)
  if (days.startOf(days.at(ms)) === ms) return days.at(ms)
  throw invalid(
    `query:${name}`,
    `Expected a day such as 2026-01-31, or the time at which a day begins in ${days.timeZone}.`,
  )
}
