import { invalid, type Refused, refuse } from '../../errors.ts'
import type { Outcome, Receipts } from '../../ledger/index.ts'
import type { PickedMembers } from '../../web3/holdings/index.ts'
import { ok, type Reply } from '../problem.ts'
import { realmRoute, type Services } from '../route/route.ts'
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

/** Members of one call: all of them or none. */
const most = 1_000

const body = Type.Object(
  {
    collection: collectionId,
    atLeast: Type.String({
      pattern: '^[1-9][0-9]{0,77}$',
      description: 'How much of it, in its smallest unit, in decimal digits.',
    }),
    tokens: plainTokens,
    realmPointId: Type.Optional(pointId),
    block: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,18}$',
        description: 'The block that a dry run was told at; only a dry run may leave out both.',
      }),
    ),
    blockHash: Type.Optional(
      Type.String({
        pattern: '^0x[0-9a-f]{64}$',
        description:
          'Its hash, besides or instead: a chain may replace a block by another of the same number.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({ pattern: '^[1-9][0-9]{0,9}$', description: 'The `nextCursor` of the call before.' }),
    ),
    ...saidFields,
  },
  { description: 'A JSON object with collection, atLeast, tokens and block or blockHash.' },
)

type Asked = Static<typeof body>

const answer = Type.Object({
  message: Type.Literal('Ok'),
  awarded: Type.Integer({ description: 'How many members.' }),
  transactionId: nullable(transactionId),
  nextCursor: nullable(
    Type.String({ description: 'The `cursor` of the next call; null when all were awarded.' }),
  ),
  at: Type.Optional(collectionAnswer),
  memberIds: Type.Optional(Type.Array(memberIdAnswer, { description: 'Of a dry run: whom it would be.' })),
  ...dryRunAnswer,
})

export const awards = realmRoute(
  {
    operationId: 'awardHolders',
    tag: 'Points',
    methods: ['POST'],
    path: '/api/v4/realms/{realmID}/web3/awards',
    summary: 'Award points to all who hold enough of a collection',
    description:
      `To at most ${most} members at a time, all of them or none, in the order they joined; \`nextCursor\` ` +
      'is where to go on. First with `dryRun=true`: it tells whom it would be and the block that this is ' +
      'true at. Then with that `block` and `blockHash`: if the chain was read again since, nobody is ' +
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
      'chain_unavailable',
    ],
  },
  async (request, services) => {
    const { collection, atLeast, tokens, realmPointId, block, blockHash, cursor, ...said } = request.body
    const dry = isDry(request.query)
    if (!dry && block === undefined && blockHash === undefined)
      throw invalid('/block', 'Expected the block that a dry run was told at: try it with dryRun=true first.')
    const after = Number(cursor ?? 0)
    if (after >= 2 ** 31) throw invalid('/cursor', 'Expected the `nextCursor` of a call.')
    const hashed = blockHash === undefined ? [] : [blockHash]
    const meaning = ['holding', collection, atLeast, String(tokens), realmPointId, block, cursor, ...hashed]
    const parts = commandParts({ ...request, body: said }, { kind: 'batch', said: meaning })
    const { realm } = request.caller
    const rule = { collection, atLeast: BigInt(atLeast) }
    const picked = await services.holdings.pick(realm, { rule, after, limit: most })
    const isMoved = isAnother(picked, request.body)
    // What happened under this key before is told again, whatever the chain says by now.
    const changes = isMoved ? [] : changesOf(request.body, picked)
    const unheard = changes.length === 0 && parts.retry === undefined
    const posting = { kind: 'batch', changes, ...parts, dry: dry || changes.length === 0 } as const
    const outcome = unheard ? undefined : await services.ledger.post(posting)
    if (outcome && (outcome.kind !== 'done' || outcome.replayed))
      return told(services, { realm, after }, outcome)
    if (isMoved) throw moved(picked)
    const marked = dry ? { dryRun: true } : {}
    if (!outcome || changes.length === 0) {
      const told = { ...nobody, at: picked.at, nextCursor: nextOf(picked) }
      return ok(dry ? { ...marked, ...withoutId(told) } : told)
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

const nobody = { message: 'Ok', awarded: 0, transactionId: null } as const

const nextOf = ({ next }: PickedMembers): string | null => (next === null ? null : String(next))

const changesOf = ({ tokens, realmPointId: point }: Asked, { ids }: PickedMembers) =>
  ids.map((member) => ({ member, tokens: BigInt(tokens), point }))

/** Whether it is not the block that is asked for. */
const isAnother = ({ at }: PickedMembers, { block, blockHash }: Asked): boolean =>
  (block !== undefined && block !== at.block) || (blockHash !== undefined && blockHash !== at.blockHash)

const moved = ({ at }: PickedMembers): Refused =>
  refuse(
    'precondition_failed',
    `The chain was read again, at block ${at.block}. Nobody was awarded; begin with a dry run.`,
  )

type From = { readonly realm: number; readonly after: number }

/** An outcome from before. Unless it was all that there is, the rest is behind its last member. */
async function told({ history, holdings }: Services, from: From, outcome: Outcome): Promise<Reply> {
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
