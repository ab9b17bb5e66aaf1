import type { Caller } from '../../keys/index.ts'
import type { Before } from '../../removal/index.ts'
import { gone, ok } from '../problem.ts'
import { type Request, realmRoute, type Services } from '../route/route.ts'
import { memberIdParam, realmIdParam, Type } from '../route/schemas.ts'
import { currentBy } from './memberRoutes.ts'

const path = '/api/v4/realms/{realmID}/members/{memberID}'
const params = { realmID: realmIdParam, memberID: memberIdParam }

/** Who leaves, by whom, and what must be so before. */
function leaverOf(request: Request & { readonly caller: Caller }, { members }: Services) {
  const { realm, realmId } = request.caller
  const whose = { realm, id: request.params['memberID'] ?? '' }
  const isCurrent = currentBy(request, realmId)
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
      'Only without points, to spend or held. Its wallets are unlinked; its entries stay in the journal, ' +
      'with what was written of them. The id can join again, as a new account. To have what was written ' +
      'erased too, ask for an erasure instead: a member that is removed can no longer be found by its id.',
    params,
    writes: true,
    conditional: true,
    scope: 'members:write',
    deletes: true,
    refusals: ['member_not_found', 'precondition_failed', 'member_has_points'],
  },
  async (request, services) => {
    await services.removal.remove(...leaverOf(request, services))
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
      'For a person who asks to be forgotten; only without points, to spend or held. The id, names, note, ' +
      'metadata and wallets go, and reason, reference, metadata and actorId of every entry that moved its ' +
      'points or names it as the actor; a claim’s stay, which name its snapshot alone. Amounts and ' +
      'balances stay under a number that belongs to nobody, ' +
      'and the journal still verifies. What was said of a batch stays for its other members, and is no ' +
      'longer returned with the entries of this one. `details` is of how many entries anything was erased. ' +
      'Where it was cut short, the same request goes on. The audit log keeps its acts.',
    params,
    writes: true,
    conditional: true,
    scope: 'realm:admin',
    answer: Type.Object({ erased: Type.Literal(true), details: Type.Integer() }),
    refusals: ['member_not_found', 'precondition_failed', 'member_has_points'],
  },
  async (request, services) =>
    ok({ erased: true, details: await services.removal.erase(...leaverOf(request, services)) }),
)

export const leavingRoutes = [removeMember, eraseMember]
