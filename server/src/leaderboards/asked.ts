import { invalid } from '../errors.ts'
import { type Days, dayIn, monthOf, type Range, weekOf } from './days.ts'

/** All time by balance; the others by what was gained, from Monday, from the first, or on given days. */
export type PeriodName = 'all' | 'week' | 'month' | 'range'

/** A board, and who is left out of it. */
export type BoardAsked = {
  /** The realm's default when absent. */
  readonly point: string | undefined
  readonly period: PeriodName
  /** Of a range: days, YYYY-MM-DD, or moments that days begin at; `to` is the first that does not count. */
  readonly from: string | undefined
  readonly to: string | undefined
  readonly exclude: readonly string[]
}

/** From the first day that counts to the first that does not; days or moments, as a board's are. */
export type DaysAsked = { readonly from?: string | undefined; readonly to?: string | undefined }

export const longestRange = 366

/** Undefined for all time. */
export function rangeOf({ period, from, to }: BoardAsked, days: Days, nowMs: number): Range | undefined {
  if (period === 'all') return undefined
  if (period === 'week') return weekOf(days.at(nowMs))
  if (period === 'month') return monthOf(days.at(nowMs))
  return daysBetween(dayOf('from', from, days), dayOf('to', to, days))
}

/** From the first day that counts to the first that does not. */
export function daysBetween(from: number, to: number): Range {
  if (to <= from)
    throw invalid('query:to', 'Expected a day after `from`: it is the first that does not count.')
  if (to - from > longestRange) throw invalid('query:to', `Expected at most ${longestRange} days.`)
  return { from, to: to - 1 }
}

/** A date, or the moment that a day begins at: what is counted by day has no other ends. */
export function dayOf(name: string, given: string | undefined, days: Days): number {
  if (given === undefined) throw invalid(`query:${name}`, 'Expected a day such as 2026-01-31.')
  const day = dayIn(given)
  if (day !== undefined) return day
  const ms = Date.parse(given)
  if (days.startOf(days.at(ms)) === ms) return days.at(ms)
  throw invalid(
    `query:${name}`,
    `Expected a day such as 2026-01-31, or the moment that one begins at in ${days.timeZone}.`,
  )
}
