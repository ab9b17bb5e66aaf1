import { ok } from '../problem.ts'
import { numberParam } from '../route/queryValues.ts'
import { realmRoute } from '../route/route.ts'
import { memberIdParam, realmIdParam, Type } from '../route/schemas.ts'
import {
  boardAsked,
  boardQuery,
  boardWords,
  standingAnswer,
  standingFor,
  summaryBody,
  summaryFields,
} from './boardQuery.ts'

export const rank = realmRoute(
  {
    operationId: 'getRank',
    tag: 'Leaderboard',
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/leaderboard/{memberID}',
    summary: 'Read a member’s rank',
    description: `With its neighbours. \`rank\` is null for a member who is not ranked. ${boardWords}`,
    params: { realmID: realmIdParam, memberID: memberIdParam },
    query: {
      ...boardQuery,
      neighbours: numberParam({
        from: 0,
        to: 50,
        usual: 0,
        description: 'How many members to list above and below, from 0 to 50; 0 by default.',
      }),
    },
    writes: false,
    scope: 'members:read',
    answer: Type.Object({
      member: standingAnswer,
      above: Type.Array(standingAnswer, { description: 'Best first.' }),
      below: Type.Array(standingAnswer),
      ...summaryFields,
    }),
    refusals: ['point_not_found', 'member_not_found'],
  },
  async ({ caller, params, query }, { standings, identities }) => {
    const who = { member: params.memberID, neighbours: Number(query.get('neighbours') ?? 0) }
    const { realm } = caller
    const around = await standings.around(realm, await boardAsked(query, { realm, identities }), who)
    const standingBody = standingFor(caller)
    return ok({
      member: standingBody(around.member),
      above: around.above.map(standingBody),
      below: around.below.map(standingBody),
      ...summaryBody(around),
    })
  },
)
