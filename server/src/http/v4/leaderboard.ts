import { cursorsOf, realmList } from '../route/list.ts'
import { nullable, realmIdParam, Type } from '../route/schemas.ts'
import {
  boardAsked,
  boardQuery,
  boardWords,
  standingAnswer,
  standingFor,
  summaryBody,
  summaryFields,
} from './boardQuery.ts'

/** A score and an account, and the entry that the first page was as of. */
const cursors = cursorsOf(
  Type.Tuple([
    Type.Number({ minimum: 0 }),
    Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }),
    Type.String({ pattern: '^[0-9]{1,19}$' }),
  ]),
)

export const leaderboard = realmList(
  {
    operationId: 'getLeaderboard',
    tag: 'Leaderboard',
    path: '/api/v4/realms/{realmID}/leaderboard',
    summary: 'Read a leaderboard',
    description:
      `${boardWords} A page is exact as of its \`seq\`. If \`seq\` differs from \`firstSeq\`, a member ` +
      'whose score changed between pages may be missing or listed twice.',
    params: { realmID: realmIdParam },
    query: boardQuery,
    scope: 'members:read',
    item: standingAnswer,
    beside: {
      firstSeq: Type.String({ description: '`seq` of the first page.' }),
      members: Type.Array(standingAnswer, {
        description: 'The same as `data`, for clients of the old service.',
      }),
      next: nullable(
        Type.String({ description: 'The same as `nextCursor`, for clients of the old service.' }),
      ),
      ...summaryFields,
    },
    refusals: ['point_not_found'],
  },
  cursors,
  async ({ caller, query }, { standings, identities }, { limit, after: place }) => {
    const [score = 0, account = 0, first] = place ?? []
    const page = { after: place && { score, account }, limit }
    const { realm } = caller
    const top = await standings.top(realm, await boardAsked(query, { realm, identities }), page)
    const firstSeq = first ?? String(top.seq)
    const members = top.members.map(standingFor(caller))
    return {
      items: members,
      next: () => (top.next ? ([top.next.score, top.next.account, firstSeq] as const) : null),
      beside: (next) => ({ firstSeq, members, next, ...summaryBody(top) }),
    }
  },
)
