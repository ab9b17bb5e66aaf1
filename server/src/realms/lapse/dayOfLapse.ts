import type { LapseRule, RoundTo } from './rule.ts'

/** Days are numbers from 1970-01-01 on. Nothing here depends on a time zone. */

const dayMs = 86_400_000

/** Day 0 of a month is the last one of the month before; months may be beyond 12. */
const dayOf = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day) / dayMs

function partsOf(day: number) {
  const date = new Date(day * dayMs)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, date: date.getUTCDate() }
}

const lastOf = (year: number, month: number): number => partsOf(dayOf(year, month + 1, 0)).date

/** 31 January and one month is the last day of February. */
export function addMonths(day: number, months: number): number {
  const { year, month, date } = partsOf(day)
  const total = year * 12 + month - 1 + months
  const [inYear, inMonth] = [Math.floor(total / 12), (total % 12) + 1]
  return dayOf(inYear, inMonth, Math.min(date, lastOf(inYear, inMonth)))
}

function endOf(day: number, unit: RoundTo): number {
  const { year, month } = partsOf(day)
  if (unit === 'day') return day
  if (unit === 'month') return dayOf(year, month + 1, 0)
  if (unit === 'quarter') return dayOf(year, Math.ceil(month / 3) * 3 + 1, 0)
  return dayOf(year + 1, 1, 0)
}

/** `MM-DD` in a year; 02-29 is 28 February in most. */
function dateIn(year: number, date: string): number {
  const [month = 1, day = 1] = date.split('-').map(Number)
  return dayOf(year, month, Math.min(day, lastOf(year, month)))
}

/** The first of these dates on or after a day. */
function nextDate(day: number, dates: readonly string[]): number {
  const { year } = partsOf(day)
  const all = [year, year + 1].flatMap((one) => dates.map((date) => dateIn(one, date)))
  return Math.min(...all.filter((one) => one >= day))
}

/**
 * The first day on which a point issued on `day` can lapse, or all points of a member active on it last: they
 * are valid to the end of the day before.
 */
export function dayOfLapse(day: number, rule: LapseRule): number {
  if ('idle' in rule) return addMonths(day, rule.idle.months) + 1
  if ('on' in rule) return nextDate(day, rule.on) + 1
  const { after } = rule
  if ('days' in after) return day + after.days + 1
  return endOf(addMonths(day, after.months), after.roundTo) + 1
}
