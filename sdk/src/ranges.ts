/** A time, or a date such as `2026-01-31`: the start of that day in the realm's time zone. */
export type Moment = Date | string

/** A time range; a missing end is unbounded. */
export type RangeOptions = {
  /** Inclusive start. */
  readonly from?: Moment | undefined
  /** Exclusive end. */
  readonly to?: Moment | undefined
}

const textOf = (moment: Moment | undefined): string | undefined =>
  moment instanceof Date ? moment.toISOString() : moment

export const rangeOf = ({ from, to }: RangeOptions) => ({ from: textOf(from), to: textOf(to) })
