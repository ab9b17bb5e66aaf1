import type { Caller } from '../../keys/index.ts'
import { isDay, type Standings } from '../../leaderboards/index.ts'
import { expectMark, timeForm } from './expects.ts'
import { date, isTime, Type } from './schemas.ts'
import { isoOf, microsecondsOf } from './times.ts'

/** Ranges of time: `from` is the first moment that counts, `to` the first that does not. */

const momentWords =
  'A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31.'

/** An instant, or a date, which means the beginning of that day. */
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

/** Either may be left out. */
export const rangeFields = {
  from: momentThat('What was then and later counts.'),
  to: momentThat('What was before it counts: it is the first day, or moment, that does not.'),
}

/** Of what is counted by day. */
export const dayFields = {
  from: momentThat('The first day that counts.'),
  to: momentThat('The first day that does not count.'),
}

/** The moments that count, as they were understood. */
export const rangeAnswer = {
  from: Type.Union([date, Type.Null()], { description: 'The first moment that counts; null when left out.' }),
  to: Type.Union([date, Type.Null()], {
    description: 'The first moment that does not count; null when left out.',
  }),
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
