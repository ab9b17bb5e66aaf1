import { invalid } from '../../errors.ts'
import { isMemberId } from '../../members/members.ts'
import type { BoardAsked, Period, PeriodName, Standing } from '../../standings/standings.ts'
import { balance, date, memberIdAnswer, nullable, pointId, Type } from '../schemas.ts'

/** What leaderboards and ranks have in common: which board, and a member on it. */

const excludedCap = 100
const day = (which: string) =>
  Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: `The ${which} day of a range: YYYY-MM-DD.` })

export const boardQuery = {
  realmPointId: pointId,
  period: Type.Union(
    [Type.Literal('all'), Type.Literal('week'), Type.Literal('month'), Type.Literal('range')],
    {
      description:
        '`all`, by balance; or by what was gained: `week` from Monday, `month`, or `range` with `from` and ' +
        '`to`, in the realm’s time zone.',
    },
  ),
  from: day('first'),
  to: day('last'),
  exclude: Type.String({
    maxLength: excludedCap * 20,
    description: `Member ids parted by commas, at most ${excludedCap}: left out, and not counted in ranks.`,
  }),
}

export const boardWords =
  'Rank 1 has the greatest score; equal scores share a rank, and whoever joined first is listed first. ' +
  'Only scores above 0 are ranked, and members who are hidden are not. By period the score is what was ' +
  'gained: points added, less reversals, which count on the day of what they reverse; openings, ' +
  'transfers and holds do not count. Fresh within a second; `seq` is the entry that it is true at.'

export function boardAsked(query: URLSearchParams): BoardAsked {
  return {
    point: query.get('realmPointId') ?? undefined,
    period: (query.get('period') ?? 'all') as PeriodName,
    from: query.get('from') ?? undefined,
    to: query.get('to') ?? undefined,
    exclude: excludedIn(query.get('exclude')),
  }
}

function excludedIn(given: string | null): string[] {
  const ids = [...new Set((given ?? '').split(',').filter(Boolean))]
  if (ids.length <= excludedCap && ids.every(isMemberId)) return ids
  throw invalid('query:exclude', `Expected at most ${excludedCap} member ids, parted by commas.`)
}

export const standingAnswer = Type.Object({
  id: memberIdAnswer,
  username: nullable(Type.String()),
  rank: nullable(Type.Integer({ minimum: 1 })),
  balance,
  tokens: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'What ranks: the score.',
  }),
  last_updated: nullable(date),
  wallet: nullable(Type.String({ description: 'The first that was linked.' })),
})

/** As clients of the old service read it. */
export function standingBody({ id, username, rank, balance: points, score, lastMovedAt, wallet }: Standing) {
  return { id, username, rank, balance: points, tokens: score, last_updated: lastMovedAt, wallet }
}

export const toldFields = {
  total: Type.Integer({ minimum: 0, description: 'How many members are ranked.' }),
  seq: Type.String({ description: 'The entry that it is true at.' }),
  period: Type.Object({
    name: boardQuery.period,
    from: nullable(Type.String({ format: 'date' })),
    to: nullable(Type.String({ format: 'date' })),
  }),
}

type Told = { readonly total: number; readonly seq: bigint; readonly period: Period }

export const toldBody = ({ total, seq, period }: Told) => ({ total, seq: String(seq), period })
