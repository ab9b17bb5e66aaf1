import { ok } from '../problem.ts'
import { realmRoute } from '../route/route.ts'
import { memberIdParam, realmIdParam } from '../route/schemas.ts'
import { profileAnswer, profileBody } from './memberRoutes.ts'

export const getProfile = realmRoute(
  {
    operationId: 'getProfile',
    tag: 'Members',
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/members/{memberID}/profile',
    summary: 'Read a member with its note and metadata',
    description:
      'What managers keep of a member. Not a part of the member itself: bots show that to everyone, and ' +
      'any key made without scopes may read it. A key that may write a note may read it.',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    writes: false,
    scope: ['members:write', 'members:read'],
    answer: profileAnswer,
    refusals: ['member_not_found'],
  },
  async ({ caller: { realm, realmId }, params: { memberID: id = '' } }, { members }) =>
    ok(await profileBody(members, { realm, realmId, id })),
)
