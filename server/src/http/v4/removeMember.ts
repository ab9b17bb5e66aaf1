import type { Caller } from '../../keys/index.ts'
import type { Members } from '../../members/index.ts'
import type { Before } from '../../removal/index.ts'
import { gone, ok } from '../problem.ts'
import { type Request, realmRoute } from '../route/route.ts'
import { memberIdParam, realmIdParam, Type } from '../route/schemas.ts'
import { currentBy } from './memberRoutes.ts'

const path = '/api/v4/realms/{realmID}/members/{memberID}'
const params = { realmID: realmIdParam, memberID: memberIdParam }

/** The member to remove, the caller, and the preconditions. */
function leaverOf(
  request: Request<unknown, { readonly memberID: string }> & { readonly caller: Caller },
  members: Members,
) {
  const { realm } = request.caller
  const whose = { realm, id: request.params.memberID }
  const isCurrent = currentBy(request)
  const before: Before = async (db) => isCurrent && members.assertCurrent(db, whose, isCurrent)
  return [whose, request.by(), before] as const
}

const removeMember = realmRoute(
  {
    operationId: 'deleteMember',
    tag: 'Members',
    methods: ['DELETE'],
    path,
    summary: 'Remove a member',
    description:
      'Only for a member without points, available, held or pending. Its wallets are unlinked; its entries ' +
      'stay in the journal, with their details. The id can join again, as a new account. To erase the ' +
      'details too, use erasure instead: a removed member can no longer be found by its id.',
    params,
    writes: true,
    conditional: true,
    scope: 'members:write',
    deletes: true,
    refusals: ['member_not_found', 'precondition_failed', 'member_has_points'],
  },
  async (request, { members, removal }) => {
    await removal.remove(...leaverOf(request, members))
    return gone
  },
)

const eraseMember = realmRoute(
  {
    operationId: 'eraseMember',
    tag: 'Members',
    methods: ['POST'],
    path: `${path}/erasure`,
    summary: 'Erase a member',
    description:
      'For erasure requests; only for a member without points of any kind. Deletes the id, names, ' +
      'note, metadata and wallets, and the reason, reference, metadata and actorId of every entry that ' +
      'moved its points or has it as the actor, except for claims, which name only their snapshot. Amounts ' +
      'and balances stay under an account number without an owner, and the journal still verifies. Details ' +
      'of a batch stay for its other members, and are no longer returned with the entries of this one. ' +
      '`details` is the number of entries with erased details. If interrupted, the same request continues. ' +
      'The audit log keeps its rows.',
    params,
    writes: true,
    conditional: true,
    scope: 'realm:admin',
    answer: Type.Object({ erased: Type.Literal(true), details: Type.Integer() }),
    refusals: ['member_not_found', 'precondition_failed', 'member_has_points'],
  },
  async (request, { members, removal }) =>
    ok({ erased: true, details: await removal.erase(...leaverOf(request, members)) }),
)

export const leavingRoutes = [removeMember, eraseMember]
