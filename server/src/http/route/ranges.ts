import type { Caller } from '../../keys/index.ts'
import { isDay, type Standings } from '../../leaderboards/index.ts'
import { expectMark, timeForm } from './expects.ts'
import { date, isTime, Type } from './schemas.ts'
import { isoOf, microsecondsOf } from './times.ts'

/** Time ranges: `from` is inclusive, `to` is exclusive. */

const momentWords =
  'A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31.'

/** A time, or a date, which means the start of that day. */
const momentThat = (description: string) =>
  Type.Refine(
    Type.Unsafe<string>({
      anyOf: [
        { type: 'string', format: 'date-time' },
        { type: 'string', format: 'date' },
      ],
      description: `${momentWords} ${description}`,
      [expectMark]: `${timeForm}, or a date such as 2030-01-31`,
      examples: ['2030-01-31'],
    }),
    (value) => typeof value === 'string' && (isDay(value) || isTime(value)),
  )

/** Either may be omitted. */
export const rangeFields = {
  from: momentThat('The start of the range, inclusive.'),
  to: momentThat('The end of the range, exclusive.'),
}

/** For ranges of days. */
export const dayFields = {
  from: momentThat('The first day, inclusive.'),
  to: momentThat('The end, exclusive: the first day that is not included.'),
}

/** The range as the server interpreted it. */
export const rangeAnswer = {
  from: Type.Union([date, Type.Null()], { description: 'The start, inclusive; null when omitted.' }),
  to: Type.Union([date, Type.Null()], { description: 'The end, exclusive; null when omitted.' }),
}

type Given = { readonly from?: string | null | undefined; readonly to?: string | null | undefined }
type Of = { readonly caller: Caller; readonly standings: Standings }

export type Range = { readonly fromUs: bigint | undefined; readonly toUs: bigint | undefined }

export async function rangeOf({ from, to }: Given, { caller, standings }: Of): Promise<Range> {
  const momentOf = async (given: string | null | undefined): Promise<bigint | undefined> => {
    if (given === null || given === undefined) return undefined
    return isDay(given) ? standings.startOf(caller.realm, given) : microsecondsOf(given)
  }
  return { fromUs: await momentOf(from), toUs: await momentOf(to) }
}

const textOf = (us: bigint | undefined): string | null => (us === undefined ? null : isoOf(us))

export const rangeBody = ({ fromUs, toUs }: Range) => ({ from: textOf(fromUs), to: textOf(toUs) })
