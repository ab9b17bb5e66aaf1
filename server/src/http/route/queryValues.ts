import Type, { type TSchema } from 'typebox'
import { expectMark } from './expects.ts'

/**
 * Query parameters that are not text. A query only has text, so the text is what is checked; the API document
 * has the type that it stands for.
 */

/** Marks the schema that the API document shows instead of the one that the text is checked by. */
export const documentMark = 'x-document'

type Range = {
  readonly from: number
  readonly to: number
  /** The value when the parameter is omitted. */
  readonly usual?: number
  readonly description: string
}

const wholeNumber = '^(0|[1-9][0-9]{0,8})$'

/** A whole number. */
export function numberParam({ from, to, usual, description }: Range): TSchema {
  const text = Type.String({
    pattern: wholeNumber,
    description,
    [expectMark]: `a whole number from ${from} to ${to}`,
    [documentMark]: {
      type: 'integer',
      minimum: from,
      maximum: to,
      ...(usual === undefined ? {} : { default: usual }),
    },
  })
  return Type.Refine(text, (digits) => Number(digits) >= from && Number(digits) <= to)
}

/** `true` or `false`. */
export const flagParam = (description: string): TSchema =>
  Type.Union([Type.Literal('true'), Type.Literal('false')], {
    description,
    [documentMark]: { type: 'boolean' },
  })
