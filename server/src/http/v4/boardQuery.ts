import { invalid } from '../../errors.ts'
import type { Caller } from '../../keys/index.ts'
import type { BoardQuery, Period, PeriodName, Standing } from '../../leaderboards/index.ts'
import { type Identities, isIdentity, isNamed, looksLikeAddress } from '../../members/identities/index.ts'
import { isMemberId } from '../../members/index.ts'
import { addressInUrl } from '../route/addresses.ts'
import { dayFields } from '../route/ranges.ts'
import { balance, date, memberIdAnswer, nullable, pointId, Type } from '../route/schemas.ts'

/** What leaderboards and ranks share: the board's parameters, and a ranked member. */

const excludedCap = 100

export const boardQuery = {
  realmPointId: pointId,
  period: Type.Union(
    [Type.Literal('all'), Type.Literal('week'), Type.Literal('month'), Type.Literal('range')],
    {
      description:
        '`all` ranks by balance; `week` (from Monday), `month` and `range` (with `from` and `to`) rank by ' +
        'points gained, in the realm’s time zone. Days without a period are a range.',
    },
  ),
  ...dayFields,
  exclude: Type.String({
    maxLength: excludedCap * 20,
    description:
      'Comma-separated member ids, or identities without a comma, to exclude from the ranking, at most ' +
      `${excludedCap}.`,
  }),
}

export const boardWords =
  'Rank 1 has the highest score; equal scores share a rank, and the member who joined first is listed ' +
  'first. Only scores above 0 are ranked; hidden members are not. By period the score is the points ' +
  'gained: points added, less reversals, which count on the day of the entry they reverse; openings, ' +
  'transfers and holds do not count. Updated within a second, as of the entry `seq`.'

/** Days without a period are a range; with any other period they are rejected. */
function periodIn(query: URLSearchParams): PeriodName {
  const day = ['from', 'to'].find((name) => query.has(name))
  const period = query.get('period') ?? (day ? 'range' : 'all')
  if (day && period !== 'range')
    throw invalid(`query:${day}`, 'Send days with `period=range`, or without a period.')
  return period as PeriodName
}

type Excluding = { readonly realm: number; readonly identities: Identities }

export async function boardAsked(query: URLSearchParams, excluding: Excluding): Promise<BoardQuery> {
  return {
    point: query.get('realmPointId') ?? undefined,
    period: periodIn(query),
    from: query.get('from') ?? undefined,
    to: query.get('to') ?? undefined,
    exclude: await excludedIn(query.get('exclude'), excluding),
  }
}

/** An identity that no member has excludes none. */
async function excludedIn(given: string | null, { realm, identities }: Excluding): Promise<string[]> {
  const sent = [...new Set((given ?? '').split(',').filter(Boolean))]
  if (sent.some(looksLikeAddress)) throw invalid('query:exclude', addressInUrl)
  if (sent.length > excludedCap || !sent.every((id) => isMemberId(id) || isIdentity(id)))
    throw invalid(
      'query:exclude',
      `Expected at most ${excludedCap} comma-separated member ids or identities.`,
    )
  const idOf = async (id: string) => (isNamed(id) ? identities.find(realm, id) : id)
  const ids = await Promise.all(sent.map(idOf))
  return [...new Set(ids.filter((id) => id !== undefined))]
}

export const standingAnswer = Type.Object(
  {
    id: memberIdAnswer,
    username: nullable(Type.String()),
    displayName: nullable(Type.String()),
    rank: nullable(Type.Integer({ minimum: 1 })),
    balance,
    tokens: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The score.',
    }),
    updatedAt: nullable(date),
    last_updated: Type.Union([date, Type.Null()], {
      description: 'The same as `updatedAt`, for clients of the old service.',
    }),
    wallet: Type.Optional(
      nullable(
        Type.String({ description: 'The first linked wallet. Omitted without the scope `wallets:read`.' }),
      ),
    ),
  },
  { title: 'Standing' },
)

/** In the format of the old service; with wallets only for keys that can read them. */
export function standingFor(caller: Caller) {
  const withWallet = caller.scopes.has('wallets:read')
  return ({ id, username, displayName, rank, wallet, ...rest }: Standing) => {
    const { balance: points, score: tokens, lastMovedAt: updatedAt } = rest
    const shown = { id, username, displayName, rank, balance: points, tokens }
    const standing = { ...shown, updatedAt, last_updated: updatedAt }
    return withWallet ? { ...standing, wallet } : standing
  }
}

const day = Type.String({ format: 'date' })

export const summaryFields = {
  total: Type.Integer({ minimum: 0, description: 'The number of ranked members.' }),
  seq: Type.String({ description: 'The entry that the ranking is as of.' }),
  period: Type.Object(
    {
      name: boardQuery.period,
      from: Type.Union([day, Type.Null()], { description: 'The first day, inclusive; null for all time.' }),
      to: Type.Union([day, Type.Null()], {
        description: 'The end, exclusive; null for all time.',
      }),
    },
    { title: 'Period' },
  ),
}

type BoardSummary = { readonly total: number; readonly seq: bigint; readonly period: Period }

export const summaryBody = ({ total, seq, period }: BoardSummary) => ({ total, seq: String(seq), period })
