import { invalid, type RefusalError, refuse } from '../../errors.ts'
import type { History, Outcome, Receipts } from '../../ledger/index.ts'
import type { Holdings, PickedMembers } from '../../web3/holdings/index.ts'
import { ok, type Reply } from '../problem.ts'
import { realmRoute } from '../route/route.ts'
import {
  dryRun,
  dryRunAnswer,
  memberIdAnswer,
  nullable,
  plainTokens,
  pointId,
  realmIdParam,
  type Static,
  saidFields,
  Type,
  transactionId,
} from '../route/schemas.ts'
import { collectionAnswer, collectionId } from './collectionRoutes.ts'
import { commandParts, isDry, replyOf, withoutId } from './posting.ts'

/** The most members in one call: all of them or none. */
const most = 1_000

const body = Type.Object(
  {
    collection: collectionId,
    atLeast: Type.String({
      pattern: '^[1-9][0-9]{0,77}$',
      description: 'The minimum amount, in the smallest unit, in decimal digits.',
    }),
    tokens: plainTokens,
    realmPointId: Type.Optional(pointId),
    block: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,18}$',
        description: 'The block of a dry run. Only a dry run may omit both this and `blockHash`.',
      }),
    ),
    blockHash: Type.Optional(
      Type.String({
        pattern: '^0x[0-9a-f]{64}$',
        description:
          'Its hash, in addition or instead: a chain can replace a block by another of the same number.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({ pattern: '^[1-9][0-9]{0,9}$', description: '`nextCursor` of the previous call.' }),
    ),
    ...saidFields,
  },
  { description: 'A JSON object with collection, atLeast, tokens and block or blockHash.' },
)

type Asked = Static<typeof body>

const answer = Type.Object({
  message: Type.Literal('Ok'),
  awarded: Type.Integer({ description: 'The number of members awarded.' }),
  transactionId: nullable(transactionId),
  nextCursor: nullable(
    Type.String({ description: 'The `cursor` of the next call; null when all members were awarded.' }),
  ),
  at: Type.Optional(collectionAnswer),
  memberIds: Type.Optional(Type.Array(memberIdAnswer, { description: 'In a dry run: the members.' })),
  ...dryRunAnswer,
})

export const awards = realmRoute(
  {
    operationId: 'awardHolders',
    tag: 'Points',
    methods: ['POST'],
    path: '/api/v4/realms/{realmID}/web3/awards',
    summary: 'Award points to holders of a collection',
    description:
      `To at most ${most} members per call, all of them or none, in the order they joined; continue with ` +
      '`nextCursor`. Use `dryRun=true` first: it returns the members, and the block at which they were ' +
      'read. Then send that `block` and `blockHash`: if the chain was read again since, no points are ' +
      'awarded (412).',
    params: { realmID: realmIdParam },
    query: dryRun,
    writes: true,
    scope: 'points:write',
    idempotent: 'journal',
    weight: () => most,
    body,
    answer,
    refusals: [
      'collection_not_found',
      'point_not_found',
      'precondition_failed',
      'balance_limit',
      'key_limit',
      'chain_unavailable',
    ],
  },
  async (request, { ledger, history, holdings }) => {
    const { collection, atLeast, tokens, realmPointId, block, blockHash, cursor, ...said } = request.body
    const dry = isDry(request.query)
    if (!dry && block === undefined && blockHash === undefined)
      throw invalid('/block', 'Expected the block of a dry run. Send the request with dryRun=true first.')
    const after = Number(cursor ?? 0)
    if (after >= 2 ** 31) throw invalid('/cursor', 'Expected `nextCursor` of the previous call.')
    const hashed = blockHash === undefined ? [] : [blockHash]
    const meaning = ['holding', collection, atLeast, String(tokens), realmPointId, block, cursor, ...hashed]
    const parts = commandParts({ ...request, body: said }, { kind: 'batch', said: meaning })
    const { realm } = request.caller
    const rule = { collection, atLeast: BigInt(atLeast) }
    const picked = await holdings.pick(realm, { rule, after, limit: most })
    const isMoved = isAnother(picked, request.body)
    // The earlier outcome under this key is returned again, whatever the chain's state is now.
    const changes = isMoved ? [] : changesOf(request.body, picked)
    const unheard = changes.length === 0 && parts.retry === undefined
    const posting = { kind: 'batch', changes, ...parts, dry: dry || changes.length === 0 } as const
    const outcome = unheard ? undefined : await ledger.post(posting)
    if (outcome && (outcome.kind !== 'done' || outcome.replayed))
      return earlierReply({ history, holdings }, { realm, after }, outcome)
    if (isMoved) throw moved(picked)
    const marked = dry ? { dryRun: true } : {}
    if (!outcome || changes.length === 0) {
      const result = { ...noneAwarded, at: picked.at, nextCursor: nextOf(picked) }
      return ok(dry ? { ...marked, ...withoutId(result) } : result)
    }
    const { ids, at } = picked
    return replyOf(outcome, (receipts) => ({
      ...marked,
      message: 'Ok',
      awarded: receipts.length,
      ...(dry ? {} : { transactionId: String(receipts[0].seq) }),
      nextCursor: nextOf(picked),
      at,
      ...(dry ? { memberIds: ids } : {}),
    }))
  },
)

const noneAwarded = { message: 'Ok', awarded: 0, transactionId: null } as const

const nextOf = ({ next }: PickedMembers): string | null => (next === null ? null : String(next))

const changesOf = ({ tokens, realmPointId: point }: Asked, { ids }: PickedMembers) =>
  ids.map((member) => ({ member, tokens: BigInt(tokens), point }))

/** Whether the holdings are from a block other than the requested one. */
const isAnother = ({ at }: PickedMembers, { block, blockHash }: Asked): boolean =>
  (block !== undefined && block !== at.block) || (blockHash !== undefined && blockHash !== at.blockHash)

const moved = ({ at }: PickedMembers): RefusalError =>
  refuse(
    'precondition_failed',
    `The chain was read again, at block ${at.block}. No points were awarded; start with a dry run.`,
  )

type Sources = { readonly history: History; readonly holdings: Holdings }
type From = { readonly realm: number; readonly after: number }

/** An earlier outcome. If more members remain, they follow its last member. */
async function earlierReply({ history, holdings }: Sources, from: From, outcome: Outcome): Promise<Reply> {
  const { realm, after } = from
  const receipts = outcome.kind === 'done' ? outcome.receipts : []
  const last = receipts.at(-1)
  const isPart = receipts.length === most || !(await holdings.isOnePage(realm, after))
  const nextCursor = last && isPart ? String((await history.entry(realm, last.seq)).to) : null
  return replyOf(outcome, (made: Receipts) => ({
    message: 'Ok',
    awarded: made.length,
    transactionId: String(made[0].seq),
    nextCursor,
  }))
}
