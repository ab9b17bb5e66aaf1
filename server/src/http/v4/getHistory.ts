import type { Caller } from '../../keys/index.ts'
import type { MemberView } from '../../ledger/index.ts'
import { cursorsOf, realmList, seqText } from '../route/list.ts'
import { rangeAnswer, rangeBody, rangeFields, rangeOf } from '../route/ranges.ts'
import {
  balance,
  memberIdAnswer,
  memberIdParam,
  nullable,
  pointId,
  realmIdParam,
  Type,
} from '../route/schemas.ts'
import { headFields, headOf, numberOrNull, tailFields, tailOf } from './entryFields.ts'

const query = {
  realmPointId: pointId,
  ...rangeFields,
  direction: Type.Union([Type.Literal('in'), Type.Literal('out')], {
    description: '`in`: entries that raised the balance. `out`: entries that lowered it. All by default.',
  }),
}

const moved = (description: string) =>
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, description })

const entry = Type.Object(
  {
    ...headFields,
    tokens: moved('The change of the balance; 0 for a capture, which spends held points.'),
    newBalance: nullable(balance),
    heldTokens: moved('The change of the member’s held points.'),
    newHeld: nullable(balance),
    pendingTokens: moved('The change of the member’s pending points.'),
    newPending: nullable(balance),
    counterpartyId: nullable(memberIdAnswer),
    mergedFrom: nullable(memberIdAnswer),
    ...tailFields,
  },
  { title: 'MemberEntry' },
)

function entryBody(seen: MemberView, reader: Caller) {
  const { entry: recorded, tokens, newBalance, heldTokens, held, counterparty, mergedFrom } = seen
  const { pendingTokens, pending } = seen
  return {
    ...headOf(recorded),
    tokens: Number(tokens),
    newBalance: numberOrNull(newBalance),
    heldTokens: Number(heldTokens),
    newHeld: numberOrNull(held),
    pendingTokens: Number(pendingTokens),
    newPending: numberOrNull(pending),
    counterpartyId: counterparty,
    mergedFrom,
    ...tailOf(recorded, reader),
  }
}

/** The entry that the next page begins before. */
const cursors = cursorsOf(Type.Tuple([seqText]))

export const getHistory = realmList(
  {
    operationId: 'listMemberEntries',
    tag: 'Journal',
    path: '/api/v4/realms/{realmID}/members/{memberID}/history',
    summary: 'Read a member’s history',
    description:
      'The member’s statement, newest entry first. `newBalance`, `newHeld` and `newPending` are the ' +
      'values after an entry, null where it did not change them. `counterpartyId` is null for the realm, ' +
      'and for a removed member. Entries of members that were merged into this one are included, with the ' +
      'balance that the other one had after them and its old id as `mergedFrom`. With `realmPointId` a ' +
      'page can have fewer entries than `limit`, or none, and not be the ' +
      'last. A page also ends at about 1 MiB.',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    query,
    scope: 'journal:read',
    item: entry,
    beside: rangeAnswer,
    refusals: ['member_not_found', 'point_not_found'],
  },
  cursors,
  async ({ caller, params, query: asked }, { history, standings }, { limit, after }) => {
    const given = { from: asked.get('from'), to: asked.get('to') }
    const range = await rangeOf(given, { caller, standings })
    const { entries, next } = await history.page(caller.realm, {
      member: params.memberID,
      point: asked.get('realmPointId') ?? undefined,
      ...range,
      before: after && BigInt(after[0]),
      direction: (asked.get('direction') as 'in' | 'out' | null) ?? undefined,
      limit,
    })
    return {
      items: entries,
      bodyOf: (one: MemberView) => entryBody(one, caller),
      next: () => (next === null ? null : ([String(next)] as const)),
      beside: () => rangeBody(range),
    }
  },
)
