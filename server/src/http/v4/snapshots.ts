import { evmChain } from '../../web3/chains/index.ts'
import { type MemberRow, membersCap, type SnapshotRow } from '../../web3/snapshots/index.ts'
import { gone, ok, okAgain } from '../problem.ts'
import { expectMark } from '../route/expects.ts'
import { cursorsOf, microseconds, pageOfRows, realmList, rowsFor, smallNumber } from '../route/list.ts'
import { realmRoute } from '../route/route.ts'
import {
  balance,
  date,
  dryRun,
  dryRunAnswer,
  memberIdAnswer,
  memberIdParam,
  nullable,
  pointId,
  realmIdParam,
  Type,
  transactionId,
  transactionIdParam,
} from '../route/schemas.ts'

const path = '/api/v4/realms/{realmID}/snapshots'
const onePath = `${path}/{snapshotID}`

const snapshotId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'A snapshot: 1 to 64 letters, digits, _ or -.',
  [expectMark]: '1 to 64 letters, digits, _ or -',
  examples: ['season-1'],
})
const params = { realmID: realmIdParam }
const oneParams = { ...params, snapshotID: snapshotId }

const chain = Type.String({
  pattern: `^${evmChain}$`,
  description: 'The EVM chain where it will be claimed, in CAIP-2: `eip155:` and its id.',
  examples: ['eip155:8453'],
})
const hex = Type.String({ pattern: '^0x[0-9a-f]{64}$' })
const sum = Type.String({ description: 'Points, in decimal digits.', examples: ['125000'] })
const part = Type.Object({ members: Type.Integer({ minimum: 0 }), tokens: sum }, { title: 'SnapshotPart' })

const fields = {
  id: snapshotId,
  realmPointId: pointId,
  chain,
  claimable: Type.Boolean({ description: 'Whether its points were taken out, to be claimed on chain.' }),
  seq: Type.String({ description: 'The entry that it is of; of a claimable one the last of its own.' }),
  hash: Type.String({ description: 'The hash of that entry.' }),
  firstSeq: nullable(transactionId),
  takenAt: date,
  root: nullable(hex),
  members: Type.Integer({ minimum: 0, description: 'Members in the tree.' }),
  tokens: sum,
  apart: Type.Object(
    { withoutWallet: part, frozen: part },
    { title: 'SnapshotRest', description: 'Members with points who are not in the tree, and keep them.' },
  ),
}
const answer = Type.Object(fields, { title: 'Snapshot' })

const takenAnswer = Type.Object({ ...fields, ...dryRunAnswer }, { title: 'TakenSnapshot' })

function bodyOf(row: SnapshotRow) {
  return {
    id: row.id,
    realmPointId: row.point,
    chain: row.chain,
    claimable: row.first_seq !== null,
    seq: String(row.seq),
    hash: row.hash,
    firstSeq: row.first_seq === null ? null : String(row.first_seq),
    takenAt: row.taken_at,
    root: row.root === null ? null : `0x${row.root}`,
    members: row.members,
    tokens: row.tokens,
    apart: {
      withoutWallet: { members: row.unproved, tokens: row.unproved_tokens },
      frozen: { members: row.frozen, tokens: row.frozen_tokens },
    },
  }
}

const take = realmRoute(
  {
    operationId: 'createSnapshot',
    tag: 'Snapshots',
    methods: ['POST'],
    path,
    summary: 'Take a snapshot',
    description:
      'What members have of a kind of points at an entry of the journal, by the first wallet that each has ' +
      'proved for the chain, as a Merkle tree in OpenZeppelin’s standard format. `claimable` takes the ' +
      'points first, in one step for all, so that nothing can be spent and claimed; that is never undone, ' +
      `so try it with \`dryRun\`. At most ${membersCap} members. Sent again with the same \`id\` it ` +
      'answers with the same snapshot, so that it is safe to repeat: docs/claim.md.',
    params,
    query: dryRun,
    writes: true,
    scope: 'realm:admin',
    idempotent: 'named',
    body: Type.Object(
      {
        id: snapshotId,
        chain,
        realmPointId: Type.Optional(pointId),
        claimable: Type.Optional(Type.Boolean({ description: 'true or false; false when left out.' })),
        seq: Type.Optional(transactionIdParam),
      },
      { description: 'A JSON object with the snapshot’s id and chain.' },
    ),
    bodyRequired: true,
    creates: onePath,
    answer: takenAnswer,
    refusals: ['point_not_found', 'already_exists', 'empty_snapshot', 'snapshot_limit'],
  },
  async ({ caller, body, query, requestId, by }, { snapshots }) => {
    const { id, chain: where, realmPointId: point, claimable = false, seq } = body
    const asked = {
      realm: caller.realm,
      id,
      point,
      chain: where,
      claimable,
      seq: seq === undefined ? undefined : BigInt(seq),
      dry: query.get('dryRun') === 'true',
    }
    const told = await snapshots.take(asked, { key: caller.key, requestId, by: by() })
    // With a root it is one that was taken under this id before, not what a dry run would take.
    if (asked.dry && told.root !== null) return okAgain(bodyOf(told))
    return ok({ ...(asked.dry ? { dryRun: true } : {}), ...bodyOf(told), claimable })
  },
)

const list = realmList(
  {
    operationId: 'listSnapshots',
    tag: 'Snapshots',
    path,
    summary: 'List snapshots',
    description: 'The newest first. `root` is null while a tree is being built.',
    params,
    scope: 'wallets:read',
    item: answer,
  },
  cursorsOf(Type.Tuple([microseconds, snapshotId])),
  async ({ caller }, { snapshots }, asked) => {
    const [takenUs = 0, id = ''] = asked.after ?? []
    const before = asked.after && { takenUs, id }
    const rows = await snapshots.list(caller.realm, { before, limit: rowsFor(asked) })
    return pageOfRows(rows, asked, { placeOf: (row) => [Number(row.taken_us), row.id], bodyOf })
  },
)

const get = realmRoute(
  {
    operationId: 'getSnapshot',
    tag: 'Snapshots',
    methods: ['GET'],
    path: onePath,
    summary: 'Read a snapshot',
    params: oneParams,
    writes: false,
    scope: 'wallets:read',
    answer,
    refusals: ['snapshot_not_found'],
  },
  async ({ caller: { realm }, params: { snapshotID: id = '' } }, { snapshots }) =>
    ok(bodyOf(await snapshots.get({ realm, id }))),
)

const remove = realmRoute(
  {
    operationId: 'deleteSnapshot',
    tag: 'Snapshots',
    methods: ['DELETE'],
    path: onePath,
    summary: 'Delete a snapshot',
    description: 'Only one that is not claimable: points were taken for that one, and its proofs stay.',
    params: oneParams,
    writes: true,
    scope: 'realm:admin',
    deletes: true,
    refusals: ['snapshot_not_found', 'snapshot_claimable'],
  },
  async ({ caller: { realm }, params: { snapshotID: id = '' }, by }, { snapshots }) => {
    await snapshots.remove({ realm, id }, by())
    return gone
  },
)

const json = 'application/json'

const tree = realmRoute(
  {
    operationId: 'getSnapshotTree',
    tag: 'Snapshots',
    methods: ['GET'],
    path: `${onePath}/tree.json`,
    summary: 'The whole tree of a snapshot',
    description:
      'As `StandardMerkleTree.dump()` of @openzeppelin/merkle-tree, for `StandardMerkleTree.load()`, with ' +
      'a field `snapshot` that says what it is of. A member who was erased is a node without a value.',
    params: oneParams,
    writes: false,
    scope: ['wallets:read', 'members:read'],
    answerType: json,
    refusals: ['snapshot_not_found'],
  },
  async ({ caller: { realm }, params: { snapshotID: id = '' } }, { snapshots }) => {
    const headers = { 'content-disposition': `attachment; filename="${id}.json"` }
    return { status: 200, body: await snapshots.dump({ realm, id }), type: json, headers }
  },
)

const apart = nullable(
  Type.Union([Type.Literal('no_wallet'), Type.Literal('frozen')], {
    description: 'Why a member is not in the tree; null when it is.',
  }),
)
const memberFields = {
  id: nullable(memberIdAnswer),
  wallet: nullable(Type.String()),
  tokens: balance,
  apart,
}

function memberBody({ id, address, amount, frozen, leaf }: MemberRow) {
  const without = address === null && leaf === null
  const why = without ? ('no_wallet' as const) : frozen ? ('frozen' as const) : null
  return { id, wallet: address, tokens: Number(amount), apart: why }
}

const members = realmList(
  {
    operationId: 'listSnapshotMembers',
    tag: 'Snapshots',
    path: `${onePath}/members`,
    summary: 'List the members of a snapshot',
    description:
      'Everyone who had points, in the tree or apart. `id` is null for who is no longer a member, `wallet` ' +
      'also for who was erased.',
    params: oneParams,
    query: {
      apart: Type.Union([Type.Literal('true'), Type.Literal('false')], {
        description: '`true`: only those who are not in the tree; `false`: only those who are.',
      }),
    },
    scope: ['wallets:read', 'members:read'],
    item: Type.Object(memberFields, { title: 'SnapshotMember' }),
    refusals: ['snapshot_not_found'],
  },
  cursorsOf(Type.Tuple([smallNumber])),
  async ({ caller: { realm }, params: { snapshotID: id = '' }, query }, { snapshots }, asked) => {
    const apart = query.get('apart')
    const page = {
      after: asked.after?.[0] ?? 0,
      limit: rowsFor(asked),
      apart: apart === null ? null : apart === 'true',
    }
    const rows = await snapshots.members({ realm, id }, page)
    return pageOfRows(rows, asked, { placeOf: ({ account }) => [account], bodyOf: memberBody })
  },
)

const member = realmRoute(
  {
    operationId: 'getSnapshotMember',
    tag: 'Snapshots',
    methods: ['GET'],
    path: `${onePath}/members/{memberID}`,
    summary: 'A member’s own proof',
    description:
      'What a contract asks for: the wallet, its `tokens`, and the `proof` that both are in the tree. Null ' +
      'for a member who stands apart.',
    params: { ...oneParams, memberID: memberIdParam },
    writes: false,
    scope: ['wallets:read', 'members:read'],
    answer: Type.Object({ ...memberFields, root: hex, proof: nullable(Type.Array(hex)) }),
    refusals: ['snapshot_not_found', 'member_not_found'],
  },
  async ({ caller: { realm }, params: { snapshotID: id = '', memberID = '' } }, { snapshots }) => {
    const { proof, root, ...found } = await snapshots.member({ realm, id }, memberID)
    const nodes = proof?.map((node) => `0x${node}`) ?? null
    return ok({ ...memberBody(found), root: `0x${root}`, proof: nodes })
  },
)

export const snapshotRoutes = [take, list, get, remove, tree, members, member]
