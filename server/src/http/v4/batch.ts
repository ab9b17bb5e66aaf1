import { invalid } from '../../errors.ts'
import { makeReason, type Receipts } from '../../ledger/index.ts'
import { countOf, realmRoute } from '../route/route.ts'
import {
  balance,
  dryRun,
  dryRunAnswer,
  memberId,
  memberIdAnswer,
  pointId,
  realmIdParam,
  saidFields,
  signedTokens,
  Type,
  text,
  transactionId,
} from '../route/schemas.ts'
import { commandParts, numberOf, replyOf } from './posting.ts'

const entry = Type.Object(
  {
    memberId: memberId('The member whose points change'),
    tokens: signedTokens,
    realmPointId: Type.Optional(pointId),
    reason: Type.Optional(text(500, 'The reason for this entry, instead of `description`.')),
  },
  { title: 'BatchEntry', description: 'A JSON object with memberId and tokens.' },
)

const { reason: _, ...said } = saidFields

/** The reason of each entry, if one has its own; undefined if all share the batch's reason. */
const ownReasons = (
  entries: readonly { readonly reason?: string }[],
  description: string | undefined,
): readonly (string | undefined)[] | undefined =>
  entries.some(({ reason }) => reason !== undefined)
    ? entries.map(({ reason = description }) => reason)
    : undefined

export const batch = realmRoute(
  {
    operationId: 'adjustManyPoints',
    tag: 'Points',
    methods: ['PATCH'],
    path: '/api/v4/realms/{realmID}/members/tokenBalance',
    summary: 'Add or subtract points of many members',
    description:
      'All or none. Each entry changes one member’s balance by `tokens`, in order. If one is rejected, all ' +
      'are, and the error says which one. `reason`, or `description`, is the reason of every entry without ' +
      'its own `reason`.',
    params: { realmID: realmIdParam },
    query: dryRun,
    writes: true,
    lenient: true,
    scope: 'points:write',
    idempotent: 'journal',
    weight: countOf('entries'),
    body: Type.Object(
      {
        reason: Type.Optional(text(500, 'The reason for the change.')),
        description: Type.Optional(text(500, 'The same as `reason`, for clients of the old service.')),
        entries: Type.Array(entry, {
          minItems: 1,
          maxItems: 1000,
          description: 'A list of 1 to 1000 entries, each with memberId and tokens.',
        }),
        ...said,
      },
      { description: 'A JSON object with entries.' },
    ),
    answer: Type.Object({
      message: Type.Literal('Ok'),
      transactionId,
      balances: Type.Array(
        Type.Object(
          { memberId: memberIdAnswer, newBalance: balance, transactionId },
          { title: 'BatchBalance' },
        ),
        {
          description: 'In the order of the entries.',
        },
      ),
      ...dryRunAnswer,
    }),
    refusals: [
      'member_not_found',
      'point_not_found',
      'member_frozen',
      'insufficient_points',
      'balance_limit',
      'key_limit',
    ],
  },
  async (request, { ledger }) => {
    const { reason: why, entries, description = why, ...rest } = request.body
    if (why !== undefined && why !== description)
      throw invalid('/description', 'Send reason or description, not both.')
    const reasons = ownReasons(entries, description)
    const reason = reasons ? reasons[0] : description
    const changes = entries.map(({ memberId: member, tokens, realmPointId: point }, index) => ({
      member,
      tokens: BigInt(tokens),
      point,
      details: reasons && reasons[index] !== reason ? makeReason(reasons[index]) : undefined,
    }))
    const plain = changes.flatMap(({ member, tokens, point }) => [member, String(tokens), point])
    const named = reasons ? [...plain, 'reasons', ...reasons] : plain
    const body = reason === undefined ? rest : { ...rest, reason }
    const parts = commandParts({ ...request, body }, { kind: 'batch', said: named })
    const outcome = await ledger.post({ kind: 'batch', changes, ...parts })
    const bodyOf = (receipts: Receipts, { replayed }: { readonly replayed: boolean }) => ({
      message: 'Ok',
      transactionId: String(receipts[0].seq),
      balances: receipts.map(({ seq, fromBalance, toBalance }, index) => ({
        memberId: changes[index]?.member,
        newBalance: numberOf(fromBalance ?? toBalance),
        ...(parts.dry && !replayed ? {} : { transactionId: String(seq) }),
      })),
    })
    return replyOf(outcome, bodyOf, parts)
  },
)
