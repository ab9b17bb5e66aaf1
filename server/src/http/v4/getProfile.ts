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
      'The data that managers store about a member. It is separate from the member, which bots show to ' +
      'everyone and any key without scopes can read. A key that can write a note can read it.',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    writes: false,
    scope: ['members:write', 'members:read'],
    answer: profileAnswer,
    refusals: ['member_not_found'],
  },
  async ({ caller: { realm, realmId }, params: { memberID: id } }, { members }) =>
    ok(await profileBody(members, { realm, realmId, id })),
)
