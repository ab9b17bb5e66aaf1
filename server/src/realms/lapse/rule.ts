import type { Days } from '../days.ts'

/** When points lapse: so long after they were issued, or on fixed dates. */
export type LapseRule =
  | { readonly after: { readonly days: number } }
  | { readonly after: { readonly months: number; readonly roundTo: RoundTo } }
  | { readonly on: readonly string[] }

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

/** Whether entries of the point type name the lots that they move: from the first rule on, for good. */
export const isDated = (steps: readonly LapseStep[] | undefined): boolean =>
  steps !== undefined && steps.length > 0
