/** Days as 2026-01-31. In the UI a range includes its last day; in requests `to` is the day after it. */

const dayMs = 86_400_000

const moved = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

export const dayAfter = (day: string): string => moved(day, 1)
export const dayBefore = (day: string): string => moved(day, -1)

/** The first day of a range of `days` days that ends today, in a time zone. */
export function firstOfLast(days: number, timeZone: string, now = new Date()): string {
  const part = { year: '', month: '', day: '' }
  const calendar = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  for (const { type, value } of calendar.formatToParts(now))
    if (type === 'year' || type === 'month' || type === 'day') part[type] = value
  return moved(`${part.year}-${part.month}-${part.day}`, 1 - days)
}

export type Repeated = 'week' | 'month'

/** The first day of the week, a Monday, or of the month that a day is in. */
export function startOf(period: Repeated, day: string): string {
  if (period === 'month') return `${day.slice(0, 8)}01`
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return moved(day, -((weekday + 6) % 7))
}

/** The first day of the week or month after the one that begins on a day. */
export const startOfNext = (period: Repeated, start: string): string =>
  startOf(period, moved(start, period === 'week' ? 7 : 31))

export const startOfPrevious = (period: Repeated, start: string): string => startOf(period, dayBefore(start))

/** The day of a time, in a time zone. */
export const dayAt = (moment: Date, timeZone: string): string => firstOfLast(1, timeZone, moment)
