import type { Days } from '../days.ts'

/** When points lapse: so long after they were issued, on fixed dates, or after a time without activity. */
export type LapseRule = DatedRule | IdleRule

/** Each point has a day of its own. */
export type DatedRule =
  | { readonly after: { readonly days: number } }
  | { readonly after: { readonly months: number; readonly roundTo: RoundTo } }
  | { readonly on: readonly string[] }

/** The whole balance lapses so many months after its member was active last. */
export type IdleRule = {
  readonly idle: { readonly months: number; readonly by: readonly ActivityType[] }
}

export const activityTypes = ['earned', 'spent'] as const

/** What counts as activity. */
export type ActivityType = (typeof activityTypes)[number]

export type RoundTo = 'day' | 'month' | 'quarter' | 'year'

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

export const isIdleRule = (rule: LapseRule | null | undefined): rule is IdleRule =>
  rule != null && 'idle' in rule

/** Whether the point type had a rule with `idle`. It has no other rules then, and its points have no days. */
export const isIdle = (steps: readonly LapseStep[] | undefined): boolean => isIdleRule(steps?.[0]?.rule)

/** Whether entries of the point type name the lots that they move: from the first rule on, for good. */
export const isDated = (steps: readonly LapseStep[] | undefined): boolean =>
  steps !== undefined && steps.length > 0 && !isIdle(steps)
