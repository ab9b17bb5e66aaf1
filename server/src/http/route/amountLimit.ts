import { Type } from './schemas.ts'

const none = 'none'

/** A limit of points in a body. */
export const amountLimit = (what: string) =>
  Type.Optional(
    Type.Union(
      [Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Literal(none), Type.Null()],
      {
        description: `${what} A whole number from 1 to 9007199254740991, or null or "${none}" for no limit.`,
      },
    ),
  )

export const amountLimitAnswer = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description })

export type AmountLimit = number | typeof none | null | undefined

/** Null clears the current value. */
export const amountLimitOf = (given: AmountLimit): bigint | null | undefined =>
  given === undefined ? undefined : given === none || given === null ? null : BigInt(given)
