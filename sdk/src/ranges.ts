/** A moment, or a date such as `2026-01-31`: the beginning of that day in the realm's time zone. */
export type Moment = Date | string

/** A range of time; without an end of it, all that there is on that side. */
export type RangeOptions = {
  /** The first moment that counts. */
  readonly from?: Moment | undefined
  /** The first moment that does not count. */
  readonly to?: Moment | undefined
}

const textOf = (moment: Moment | undefined): string | undefined =>
  moment instanceof Date ? moment.toISOString() : moment

export const rangeOf = ({ from, to }: RangeOptions) => ({ from: textOf(from), to: textOf(to) })
