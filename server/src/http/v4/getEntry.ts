import { ok } from '../problem.ts'
import { realmRoute } from '../route/route.ts'
import {
  balance,
  memberIdAnswer,
  nullable,
  realmIdParam,
  Type,
  transactionIdParam,
} from '../route/schemas.ts'
import { headFields, headOf, numberOrNull, tailFields, tailOf } from './entryFields.ts'

export const getEntry = realmRoute(
  {
    operationId: 'getEntry',
    tag: 'Journal',
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/entries/{transactionID}',
    summary: 'Read an entry',
    description:
      'One entry of the realm’s journal: `tokens` moved from one account to another. A side is null for ' +
      'the realm, or for a removed member. The two sides of a hold, and of the entry that ends it, are the ' +
      'available and the held points of the same member; those of a grant its pending and available points.',
    params: { realmID: realmIdParam, transactionID: transactionIdParam },
    writes: false,
    scope: 'journal:read',
    answer: Type.Object({
      ...headFields,
      tokens: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      fromId: nullable(memberIdAnswer),
      fromBalance: nullable(balance),
      toId: nullable(memberIdAnswer),
      toBalance: nullable(balance),
      ...tailFields,
      hash: Type.String({ description: 'The entry’s hash, 64 hex digits; see docs/journal.md.' }),
    }),
    refusals: ['entry_not_found'],
  },
  async ({ caller, params }, { history }) => {
    const entry = await history.entry(caller.realm, BigInt(params.transactionID))
    const { amount, fromId, fromBalance, toId, toBalance, hash } = entry
    return ok({
      ...headOf(entry),
      tokens: Number(amount),
      fromId,
      fromBalance: numberOrNull(fromBalance),
      toId,
      toBalance: numberOrNull(toBalance),
      ...tailOf(entry, caller),
      hash,
    })
  },
)
