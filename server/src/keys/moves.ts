/**
 * The most points that a key may move in one change, and in one UTC day: null for no limit. What counts is in
 * docs/decisions/0052-key-limits.md.
 */
export type MoveLimits = { readonly maxPerChange: bigint | null; readonly maxPerDay: bigint | null }

/** As stored. */
export type MoveColumns = { max_per_change: bigint | null; max_per_day: bigint | null }

export const movesOf = (row: MoveColumns): MoveLimits => ({
  maxPerChange: row.max_per_change,
  maxPerDay: row.max_per_day,
})

/** Undefined for a key without limits: whatever it posts is not looked at. */
export function movesOrNone(row: MoveColumns): MoveLimits | undefined {
  return row.max_per_change === null && row.max_per_day === null ? undefined : movesOf(row)
}

/** What a request says about them: an absent one stays as it is, or is the bound of the key that sends it. */
export type MoveWish = {
  readonly maxPerChange?: bigint | null | undefined
  readonly maxPerDay?: bigint | null | undefined
}

/** As text for the audit log; empty where there are none. */
export function movesText({ maxPerChange, maxPerDay }: MoveLimits): string {
  const change = maxPerChange === null ? '' : `, ${maxPerChange} points a change`
  return `${change}${maxPerDay === null ? '' : `, ${maxPerDay} points a day`}`
}
