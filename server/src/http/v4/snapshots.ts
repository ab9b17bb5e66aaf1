import { refuseLimited } from '../../keys/index.ts'
import { evmChain } from '../../web3/chains/index.ts'
import { membersCap, type SnapshotRow } from '../../web3/snapshots/index.ts'
import { gone, ok, okAgain } from '../problem.ts'
import { expectMark } from '../route/expects.ts'
import { cursorsOf, microseconds, pageOfRows, realmList, rowsFor, smallNumber } from '../route/list.ts'
import { flagParam } from '../route/queryValues.ts'
import { realmRoute } from '../route/route.ts'
import {
  date,
  dryRun,
  dryRunAnswer,
  memberIdParam,
  nullable,
  pointId,
  realmIdParam,
  Type,
  transactionId,
  transactionIdParam,
} from '../route/schemas.ts'
import { hex, memberBody, memberFields, mergedFields, nodesOf } from './snapshotFields.ts'

const path = '/api/v4/realms/{realmID}/snapshots'
const onePath = `${path}/{snapshotID}`

const snapshotId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'A snapshot id: 1 to 64 letters, digits, _ or -.',
  [expectMark]: '1 to 64 letters, digits, _ or -',
  examples: ['season-1'],
})
const params = { realmID: realmIdParam }
const oneParams = { ...params, snapshotID: snapshotId }

const chain = Type.String({
  pattern: `^${evmChain}$`,
  description: 'The EVM chain of the claims, as a CAIP-2 id: `eip155:` and its number.',
  examples: ['eip155:8453'],
})
const sum = Type.String({ description: 'Points, in decimal digits.', examples: ['125000'] })
const part = Type.Object({ members: Type.Integer({ minimum: 0 }), tokens: sum }, { title: 'SnapshotPart' })

const fields = {
  id: snapshotId,
  realmPointId: pointId,
  chain,
  claimable: Type.Boolean({ description: 'Whether its points were deducted, to be claimed on chain.' }),
  seq: Type.String({ description: 'The entry it is as of; for a claimable snapshot, its own last entry.' }),
  hash: Type.String({ description: 'The hash of that entry.' }),
  firstSeq: nullable(transactionId),
  takenAt: date,
  root: nullable(hex),
  members: Type.Integer({ minimum: 0, description: 'Members in the tree.' }),
  tokens: sum,
  apart: Type.Object(
    { withoutWallet: part, frozen: part },
    { title: 'SnapshotRest', description: 'Members who are not in the tree and keep their points.' },
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
      'Balances of a point type at one journal entry, by each member’s first verified wallet for the ' +
      'chain, as a Merkle tree in OpenZeppelin’s standard format. `claimable` first deducts the points, ' +
      'for all members in one transaction, so that no point can be both spent and claimed. That can’t be ' +
      `undone, so use \`dryRun\` first. At most ${membersCap} members. Safe to retry: the same \`id\` ` +
      'returns the same snapshot. See docs/claim.md.',
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
        claimable: Type.Optional(Type.Boolean({ description: 'Deducts the points; false by default.' })),
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
    if (claimable) refuseLimited(caller.bounds, 'take a claimable snapshot')
    const asked = {
      realm: caller.realm,
      id,
      point,
      chain: where,
      claimable,
      seq: seq === undefined ? undefined : BigInt(seq),
      dry: query.get('dryRun') === 'true',
    }
    const snapshot = await snapshots.take(asked, { key: caller.key, requestId, by: by() })
    // With a root it is an existing snapshot with this id, not the result of a dry run.
    if (asked.dry && snapshot.root !== null) return okAgain(bodyOf(snapshot))
    return ok({ ...(asked.dry ? { dryRun: true } : {}), ...bodyOf(snapshot), claimable })
  },
)

const list = realmList(
  {
    operationId: 'listSnapshots',
    tag: 'Snapshots',
    path,
    summary: 'List snapshots',
    description: 'Newest first. `root` is null while the tree is being built.',
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
  async ({ caller: { realm }, params: { snapshotID: id } }, { snapshots }) =>
    ok(bodyOf(await snapshots.get({ realm, id }))),
)

const remove = realmRoute(
  {
    operationId: 'deleteSnapshot',
    tag: 'Snapshots',
    methods: ['DELETE'],
    path: onePath,
    summary: 'Delete a snapshot',
    description: 'Not for a claimable snapshot: points were deducted for it, and members need its proofs.',
    params: oneParams,
    writes: true,
    scope: 'realm:admin',
    deletes: true,
    refusals: ['snapshot_not_found', 'snapshot_claimable'],
  },
  async ({ caller: { realm }, params: { snapshotID: id }, by }, { snapshots }) => {
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
    summary: 'Read a snapshot’s Merkle tree',
    description:
      'In the format of `StandardMerkleTree.dump()` of @openzeppelin/merkle-tree, for ' +
      '`StandardMerkleTree.load()`, with a field `snapshot` that describes it. An erased member is a node ' +
      'without a value.',
    params: oneParams,
    writes: false,
    scope: ['wallets:read', 'members:read'],
    answerType: json,
    refusals: ['snapshot_not_found'],
  },
  async ({ caller: { realm }, params: { snapshotID: id } }, { snapshots }) => {
    const headers = { 'content-disposition': `attachment; filename="${id}.json"` }
    return { status: 200, body: await snapshots.dump({ realm, id }), type: json, headers }
  },
)

const members = realmList(
  {
    operationId: 'listSnapshotMembers',
    tag: 'Snapshots',
    path: `${onePath}/members`,
    summary: 'List the members of a snapshot',
    description:
      'All members with points, in the tree or not. `id` is null for a removed member, `wallet` also for ' +
      'an erased one.',
    params: oneParams,
    query: {
      apart: flagParam('`true`: only members not in the tree; `false`: only members in the tree.'),
    },
    scope: ['wallets:read', 'members:read'],
    item: Type.Object(memberFields, { title: 'SnapshotMember' }),
    refusals: ['snapshot_not_found'],
  },
  cursorsOf(Type.Tuple([smallNumber])),
  async ({ caller: { realm }, params: { snapshotID: id }, query }, { snapshots }, asked) => {
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
    summary: 'Read a member’s proof',
    description:
      'What a contract needs: the wallet, its `tokens`, and the `proof` that both are in the tree. `proof` ' +
      'is null for a member who is not in the tree.',
    params: { ...oneParams, memberID: memberIdParam },
    writes: false,
    scope: ['wallets:read', 'members:read'],
    answer: Type.Object({
      ...memberFields,
      root: hex,
      proof: nullable(Type.Array(hex)),
      merged: Type.Array(Type.Object(mergedFields, { title: 'MergedSnapshotMember' }), {
        description: 'The rows of members that were merged into this one since, each with its own proof.',
      }),
    }),
    refusals: ['snapshot_not_found', 'member_not_found'],
  },
  async ({ caller: { realm }, params: { snapshotID: id, memberID } }, { snapshots }) => {
    const { proof, root, merged, ...found } = await snapshots.member({ realm, id }, memberID)
    const others = merged.map(({ proof: theirs, merged_from: mergedFrom, ...row }) => {
      const { id: _, ...rest } = memberBody(row)
      return { mergedFrom, ...rest, proof: nodesOf(theirs) }
    })
    return ok({ ...memberBody(found), root: `0x${root}`, proof: nodesOf(proof), merged: others })
  },
)

export const snapshotRoutes = [take, list, get, remove, tree, members, member]
