/** Days of a time zone, numbered from 1970-01-01, by the local calendar. */

const dayMs = 86_400_000
const longestDayMs = 3 * dayMs

/** A day, and the times at which it begins and ends. */
type Span = { readonly day: number; readonly fromMs: number; readonly untilMs: number }

/** Spans remembered: a reversal may be of any day. */
const spansCap = 1_000

/**
 * Finds the day of a time. For increasing times it consults the calendar once per day, not once per entry.
 */
export class Days {
  readonly timeZone: string
  readonly #calendar: Intl.DateTimeFormat
  readonly #spans = new Map<number, Span>()
  #last: Span = { day: 0, fromMs: 0, untilMs: 0 }

  constructor(timeZone: string) {
    this.timeZone = timeZone
    this.#calendar = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    })
  }

  of(atUs: number): number {
    return this.at(Math.floor(atUs / 1000))
  }

  at(ms: number): number {
    if (ms < this.#last.fromMs || ms >= this.#last.untilMs) this.#last = this.#spanOf(ms)
    return this.#last.day
  }

  /** When a day begins; for a day that the local calendar skips, when the next one does. */
  startOf(day: number): number {
    let ms = (day - 2) * dayMs
    while (this.at(ms) < day) ms = this.#last.untilMs
    return ms
  }

  #spanOf(ms: number): Span {
    const day = this.#read(ms)
    const known = this.#spans.get(day)
    if (known && ms >= known.fromMs && ms < known.untilMs) return known
    const span = { day, fromMs: this.#edge(ms, -1), untilMs: this.#edge(ms, 1) }
    if (this.#spans.size >= spansCap) this.#spans.clear()
    this.#spans.set(day, span)
    return span
  }

  /** The start of this time's day or, forwards, of the next one: found by binary search. */
  #edge(ms: number, way: 1 | -1): number {
    const day = this.#read(ms)
    let inside = ms
    let outside = ms + way * longestDayMs
    while (Math.abs(outside - inside) > 1) {
      const middle = Math.trunc((inside + outside) / 2)
      if (this.#read(middle) === day) inside = middle
      else outside = middle
    }
    return way === 1 ? outside : inside
  }

  #read(ms: number): number {
    const part = { year: 0, month: 0, day: 0 }
    for (const { type, value } of this.#calendar.formatToParts(ms)) {
      if (type === 'year' || type === 'month' || type === 'day') part[type] = Number(value)
    }
    return Date.UTC(part.year, part.month - 1, part.day) / dayMs
  }
}

/** Both ends are inclusive. */
export type Range = { readonly from: number; readonly to: number }

/** From Monday to Sunday. 1 January 1970 was a Thursday. */
export function weekOf(day: number): Range {
  const from = day - ((((day + 3) % 7) + 7) % 7)
  return { from, to: from + 6 }
}

export function monthOf(day: number): Range {
  const date = new Date(day * dayMs)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { from: Date.UTC(year, month, 1) / dayMs, to: Date.UTC(year, month + 1, 1) / dayMs - 1 }
}

/** YYYY-MM-DD. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** Whether it is a valid calendar date, YYYY-MM-DD. */
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && dayIn(text) !== undefined

/** Undefined for a date that does not exist, such as 2026-02-30. */
export function dayIn(date: string): number | undefined {
  const day = Date.parse(`${date}T00:00:00Z`) / dayMs
  return Number.isInteger(day) && dateOf(day) === date ? day : undefined
}
