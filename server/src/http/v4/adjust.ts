import type { Receipts } from '../../ledger/index.ts'
import { realmRoute } from '../route/route.ts'
import {
  balance,
  detailFields,
  dryRun,
  dryRunAnswer,
  memberIdParam,
  realmIdParam,
  signedTokens,
  Type,
  transactionId,
} from '../route/schemas.ts'
import { commandParts, numberOf, replyOf } from './posting.ts'

const body = Type.Object(
  {
    tokens: signedTokens,
    ...detailFields,
  },
  { description: 'A JSON object with tokens.' },
)

export const adjusted = ([{ seq, fromBalance, toBalance }]: Receipts) => ({
  newBalance: numberOf(fromBalance ?? toBalance),
  transactionId: String(seq),
})

export const adjust = realmRoute(
  {
    operationId: 'adjustPoints',
    tag: 'Points',
    methods: ['PATCH'],
    path: '/api/v4/realms/{realmID}/members/{memberID}/tokenBalance',
    summary: 'Add or subtract points',
    description: 'Changes the member’s balance by `tokens`. A balance stays between 0 and 9007199254740991.',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    query: dryRun,
    writes: true,
    lenient: true,
    scope: 'points:write',
    idempotent: 'journal',
    conditional: true,
    body,
    answer: Type.Object({ newBalance: balance, transactionId, ...dryRunAnswer }),
    refusals: [
      'member_not_found',
      'point_not_found',
      'precondition_failed',
      'member_frozen',
      'insufficient_points',
      'balance_limit',
      'key_limit',
    ],
  },
  async (request, { ledger }) => {
    const { tokens: asked, realmPointId: point } = request.body
    const change = { member: request.params.memberID, tokens: BigInt(asked), point }
    const said = [change.member, undefined, String(change.tokens)]
    const parts = commandParts(request, { kind: 'adjust', said, point })
    const outcome = await ledger.post({ kind: 'adjust', ...change, ifMatch: request.ifMatch, ...parts })
    return replyOf(outcome, adjusted, parts)
  },
)
