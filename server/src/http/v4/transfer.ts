import type { Receipts } from '../../ledger/index.ts'
import { realmRoute } from '../route/route.ts'
import {
  balance,
  detailFields,
  dryRun,
  dryRunAnswer,
  memberId,
  memberIdParam,
  plainTokens,
  realmIdParam,
  Type,
  transactionId,
} from '../route/schemas.ts'
import { commandParts, numberOf, replyOf } from './posting.ts'

const body = Type.Object(
  {
    recipientId: memberId('The member who receives the points'),
    tokens: plainTokens,
    ...detailFields,
  },
  { description: 'A JSON object with recipientId and tokens.' },
)

export const transferred = ([{ seq, fromBalance, toBalance }]: Receipts) => ({
  message: 'Ok',
  transactionId: String(seq),
  newBalance: numberOf(fromBalance),
  recipientBalance: numberOf(toBalance),
})

export const transfer = realmRoute(
  {
    operationId: 'transferPoints',
    tag: 'Points',
    methods: ['PATCH'],
    path: '/api/v4/realms/{realmID}/members/{memberID}/transfer',
    summary: 'Transfer points between members',
    description:
      'Moves `tokens` points from the member in the path to `recipientId`. Both balances change, or neither.',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    query: dryRun,
    writes: true,
    lenient: true,
    scope: 'points:write',
    idempotent: 'journal',
    conditional: true,
    body,
    answer: Type.Object({
      message: Type.Literal('Ok'),
      transactionId,
      newBalance: balance,
      recipientBalance: balance,
      ...dryRunAnswer,
    }),
    refusals: [
      'member_not_found',
      'recipient_not_found',
      'point_not_found',
      'precondition_failed',
      'same_member',
      'not_transferable',
      'member_frozen',
      'transfer_limit',
      'daily_limit',
      'insufficient_points',
      'balance_limit',
      'key_limit',
    ],
  },
  async (request, { ledger }) => {
    const { recipientId: recipient, tokens: asked, realmPointId: point } = request.body
    const change = { member: request.params.memberID, recipient, tokens: BigInt(asked), point }
    const said = [change.member, recipient, String(change.tokens)]
    const parts = commandParts(request, { kind: 'transfer', said, point })
    const outcome = await ledger.post({ kind: 'transfer', ...change, ifMatch: request.ifMatch, ...parts })
    return replyOf(outcome, transferred, parts)
  },
)
