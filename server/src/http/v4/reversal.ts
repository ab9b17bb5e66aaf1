import type { About, Receipts } from '../../ledger/index.ts'
import { realmRoute } from '../route/route.ts'
import {
  balance,
  dryRun,
  dryRunAnswer,
  memberIdAnswer,
  pointId,
  realmIdParam,
  saidFields,
  Type,
  transactionId,
  transactionIdParam,
} from '../route/schemas.ts'
import { commandParts, numberOf, replyOf } from './posting.ts'

/** The members whose points moved, and their balances after it. */
function balancesAfter({ fromBalance, toBalance }: Receipts[0], { from, to }: About) {
  const sides = [
    { memberId: from, newBalance: fromBalance },
    { memberId: to, newBalance: toBalance },
  ]
  return sides.flatMap(({ memberId, newBalance }) =>
    newBalance === null ? [] : [{ memberId, newBalance: numberOf(newBalance) }],
  )
}

const emptyAbout: About = { from: null, to: null, point: '' }

export const reversal = realmRoute(
  {
    operationId: 'reverseEntry',
    tag: 'Journal',
    methods: ['POST'],
    path: '/api/v4/realms/{realmID}/entries/{transactionID}/reverse',
    summary: 'Reverse an entry',
    description:
      'Moves the entry’s points back with a new entry; the two refer to each other. An entry can be ' +
      'reversed once. Rejected if a balance would leave its bounds: spent points can’t be reversed. ' +
      'The lapse of points is reversed only with the scope `realm:admin`, and they get a whole new life. ' +
      'With `If-Match`, each member whose points it moves must match one of the ETags.',
    params: { realmID: realmIdParam, transactionID: transactionIdParam },
    query: dryRun,
    writes: true,
    scope: 'points:write',
    idempotent: 'journal',
    conditional: true,
    body: Type.Object(saidFields, { description: 'A JSON object, which may be empty.' }),
    bodyRequired: false,
    answer: Type.Object({
      transactionId,
      reverses: transactionId,
      tokens: balance,
      realmPointId: pointId,
      balances: Type.Array(
        Type.Object({ memberId: memberIdAnswer, newBalance: balance }, { title: 'ReversedBalance' }),
      ),
      ...dryRunAnswer,
    }),
    refusals: [
      'entry_not_found',
      'precondition_failed',
      'already_reversed',
      'not_reversible',
      'insufficient_points',
      'balance_limit',
      'key_limit',
    ],
  },
  async (request, { ledger }) => {
    const { ifMatch } = request
    const reverses = request.params.transactionID
    const isAdmin = request.caller.scopes.has('realm:admin')
    const parts = commandParts(request, { kind: 'reverse', said: [reverses] })
    const outcome = await ledger.post({
      kind: 'reverse',
      entry: BigInt(reverses),
      isAdmin,
      ifMatch,
      ...parts,
    })
    return replyOf(
      outcome,
      ([receipt], { about = emptyAbout }) => ({
        transactionId: String(receipt.seq),
        reverses,
        tokens: numberOf(receipt.amount),
        realmPointId: about.point,
        balances: balancesAfter(receipt, about),
      }),
      parts,
    )
  },
)
