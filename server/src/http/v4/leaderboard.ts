import { invalid } from '../../errors.ts'
import type { Cursor } from '../../standings/standings.ts'
import { ok } from '../problem.ts'
import { realmRoute } from '../route.ts'
import { nullable, realmIdParam, Type } from '../schemas.ts'
import {
  boardAsked,
  boardQuery,
  boardWords,
  standingAnswer,
  standingFor,
  toldBody,
  toldFields,
} from './boardQuery.ts'

const limitByDefault = 100

const cursorText = ({ score, account }: Cursor): string =>
  Buffer.from(`${score}:${account}`).toString('base64url')

function cursorIn(text: string | null): Cursor | undefined {
  if (text === null) return undefined
  const [, score, account] = /^(\d{1,25}):(\d{1,10})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (score !== undefined && account !== undefined) return { score: Number(score), account: Number(account) }
  throw invalid('query:cursor', 'Expected `next` of the page before.')
}

export const leaderboard = realmRoute(
  {
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/leaderboard',
    summary: 'Read a leaderboard',
    description: boardWords,
    params: { realmID: realmIdParam },
    query: {
      ...boardQuery,
      limit: Type.String({
        pattern: '^([1-9][0-9]{0,2}|1000)$',
        description: `How many: 1 to 1000, ${limitByDefault} when absent.`,
      }),
      cursor: Type.String({ maxLength: 100, description: '`next` of the page before.' }),
    },
    writes: false,
    lenient: true,
    scope: 'members:read',
    answer: Type.Object({
      members: Type.Array(standingAnswer),
      next: nullable(Type.String({ description: 'The cursor of the next page; null behind the last.' })),
      ...toldFields,
    }),
    refusals: ['point_not_found'],
  },
  async ({ caller, query }, { standings }) => {
    const page = {
      after: cursorIn(query.get('cursor')),
      limit: Number(query.get('limit') ?? limitByDefault),
    }
    const top = await standings.top(caller.realm, boardAsked(query), page)
    const next = top.next ? cursorText(top.next) : null
    return ok({ members: top.members.map(standingFor(caller)), next, ...toldBody(top) })
  },
)
