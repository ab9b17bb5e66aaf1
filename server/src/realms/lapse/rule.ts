import type { Days } from '../days.ts'

/** When points lapse: so long after they were issued, on fixed dates, or when a member has been idle. */
export type LapseRule =
  | { readonly after: { readonly days: number } }
  | { readonly after: { readonly months: number; readonly roundTo: RoundTo } }
  | { readonly on: readonly string[] }
  | { readonly idle: { readonly months: number; readonly by: readonly IdleBy[] } }

export type RoundTo = 'day' | 'month' | 'quarter' | 'year'
export type IdleBy = 'earned' | 'spent'

/** One change of a point type's rule. None of them is ever changed: points keep the day they were given. */
export type LapseStep = {
  readonly number: number
  /** The first entry that it applies to. */
  readonly fromSeq: bigint
  /** Undated points count as issued on this day. */
  readonly baseDay: number
  /** Nothing of the point type lapses before this day. */
  readonly notBefore: number | null
  /** Null where the rule was removed. */
  readonly rule: LapseRule | null
  /** The days of the realm's time zone, as it was then. */
  readonly days: Days
}

/** A rule that gives each point a day, unlike `idle`. */
export type DatingRule = Exclude<LapseRule, { readonly idle: unknown }>

export const isDating = (rule: LapseRule | null): rule is DatingRule => rule !== null && !('idle' in rule)

/** Whether entries of the point type name the lots that they move: from the first dating rule on. */
export const isDated = (steps: readonly LapseStep[] | undefined): boolean =>
  steps?.some(({ rule }) => isDating(rule)) ?? false

/** At most so many lots in a balance follow from these limits. */
export const mostDays = 400
export const mostMonths = 120
export const mostMonthsByDay = 12
export const mostDates = 24
