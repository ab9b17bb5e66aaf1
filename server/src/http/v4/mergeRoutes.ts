import { RefusalError } from '../../errors.ts'
import { type Caller, refuseLimited } from '../../keys/index.ts'
import type { MergeOutcome, MergeRow } from '../../merges/index.ts'
import { ok } from '../problem.ts'
import { cursorsOf, pageOfRows, realmList, rowsFor, smallNumber } from '../route/list.ts'
import { type Request, realmRoute } from '../route/route.ts'
import {
  balance,
  date,
  dryRun,
  memberId,
  memberIdAnswer,
  memberIdParam,
  nullable,
  pointId,
  realmIdParam,
  Type,
  transactionId,
} from '../route/schemas.ts'
import { isDry } from './posting.ts'

const base = '/api/v4/realms/{realmID}'
const one = `${base}/merges/{mergeNumber}`
const numberParam = Type.String({
  pattern: '^[1-9][0-9]{0,8}$',
  description: 'The merge’s number in the realm.',
  examples: ['1'],
})
const oneParams = { realmID: realmIdParam, mergeNumber: numberParam }

const mergeFields = {
  number: Type.String({ description: 'The merge’s number in the realm.', examples: ['1'] }),
  memberId: nullable(memberIdAnswer),
  mergedId: nullable(memberIdAnswer),
  mergedAt: date,
  undone: Type.Boolean({ description: 'Whether the merge was undone.' }),
  transactionIds: Type.Array(transactionId, {
    description: 'Its entries, one for each point type that the merged member had.',
  }),
}
const mergeAnswer = Type.Object(mergeFields, { title: 'Merge' })

function mergeBody(row: MergeRow) {
  const { number, after_seq: last, entries, at, undone_by: undoneBy } = row
  return {
    number: String(number),
    memberId: row.to_id,
    mergedId: row.from_id,
    mergedAt: at.toISOString(),
    undone: undoneBy !== null,
    transactionIds: Array.from({ length: entries }, (_, index) => String(last - BigInt(entries - index - 1))),
  }
}

const movedPoints = Type.Array(
  Type.Object({ realmPointId: pointId, tokens: balance, newBalance: balance }, { title: 'MergedPoints' }),
  { description: 'What moved of each point type, and the balance of the member that received it.' },
)

const effect = {
  memberId: memberIdAnswer,
  mergedId: memberIdAnswer,
  points: movedPoints,
  identities: Type.Integer({ description: 'How many identities moved.' }),
  wallets: Type.Integer({ description: 'How many wallets moved.' }),
  frozen: Type.Boolean({ description: 'Whether the member is frozen then.' }),
  hidden: Type.Boolean({ description: 'Whether the member is hidden then.' }),
  dryRun: Type.Optional(Type.Literal(true, { description: 'True for a dry run, which changes nothing.' })),
}

/** For an undo the points move the other way, to the member that is there again. */
function effectBody({ from, to, result, identities, wallets, frozen, hidden }: MergeOutcome, dry: boolean) {
  const points = result.points.map(({ point, tokens, newBalance }) => ({
    realmPointId: point,
    tokens: Number(tokens),
    newBalance: Number(newBalance),
  }))
  const moved = { points, identities, wallets, frozen, hidden }
  return { memberId: to, mergedId: from, ...moved, ...(dry ? { dryRun: true as const } : {}) }
}

export type ByKey = Pick<Request, 'requestId' | 'by' | 'query'> & {
  readonly caller: Pick<Caller, 'realm' | 'key' | 'bounds'>
}

export function askedOf({ caller: { realm, key, bounds }, requestId, by, query }: ByKey) {
  refuseLimited(bounds, 'merge members')
  return { realm, key, requestId, by: by(), dry: isDry(query) }
}

const merge = realmRoute(
  {
    operationId: 'mergeMembers',
    tag: 'Members',
    methods: ['POST'],
    path: `${base}/members/{memberID}/merges`,
    summary: 'Merge another member into this one',
    description:
      'All points, identities and wallets of `from` move to the member in the path, and requests to its ' +
      'old id act on that member from then on. Names and metadata that the member lacks are taken over; ' +
      'it is frozen or hidden if either was. Two members that have both joined are merged only with ' +
      '`"force": true` and a key with `realm:admin`, as are frozen ones. Send `?dryRun=true` first.',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    query: dryRun,
    writes: true,
    scope: 'members:write',
    body: Type.Object(
      {
        from: memberId('The member that is merged'),
        force: Type.Optional(Type.Boolean({ description: 'Merges two members that have both joined.' })),
      },
      { description: 'A JSON object with from.' },
    ),
    creates: one,
    createdId: 'number',
    answer: Type.Object({ number: Type.Optional(mergeFields.number), ...effect }, { title: 'MergeResult' }),
    refusals: [
      'member_not_found',
      'member_has_holds',
      'member_claimed',
      'already_merged',
      'same_member',
      'merge_limit',
      'identity_limit',
      'balance_limit',
    ],
  },
  async (request, { merges }) => {
    const { from, force = false } = request.body
    const consent = { force, isAdmin: request.caller.scopes.has('realm:admin') }
    const asked = askedOf(request)
    const merged = await merges.merge(asked, { from, to: request.params.memberID, consent })
    const number = merged.number === undefined ? {} : { number: String(merged.number) }
    return ok({ ...number, ...effectBody(merged, asked.dry) })
  },
)

const undo = realmRoute(
  {
    operationId: 'undoMerge',
    tag: 'Members',
    methods: ['POST'],
    path: `${one}/undo`,
    summary: 'Undo a merge',
    description:
      'The merged member is there again, with its old id, and each entry of the merge is reversed. ' +
      'Identities, wallets and flags that are still those of the other member go back; names and entries ' +
      'made since the merge stay with it. Rejected if the points were spent since.',
    params: oneParams,
    query: dryRun,
    writes: true,
    scope: 'realm:admin',
    answer: Type.Object({ number: mergeFields.number, ...effect }, { title: 'UndoneMerge' }),
    refusals: ['merge_not_found', 'merge_ended', 'insufficient_points'],
  },
  async (request, { merges }) => {
    const number = request.params.mergeNumber
    const asked = askedOf(request)
    return ok({ number, ...effectBody(await merges.undo(asked, Number(number)), asked.dry) })
  },
)

const get = realmRoute(
  {
    operationId: 'getMerge',
    tag: 'Members',
    methods: ['GET'],
    path: one,
    summary: 'Read a merge',
    params: oneParams,
    writes: false,
    scope: 'members:read',
    answer: mergeAnswer,
    refusals: ['merge_not_found'],
  },
  async ({ caller: { realm }, params: { mergeNumber } }, { merges }) =>
    ok(mergeBody(await merges.get(realm, Number(mergeNumber)))),
)

const list = realmList(
  {
    operationId: 'listMerges',
    tag: 'Members',
    path: `${base}/merges`,
    summary: 'List merges',
    description: 'The latest first, with those that were undone.',
    params: { realmID: realmIdParam },
    query: { memberId: Type.Optional(memberIdParam) },
    scope: 'members:read',
    item: mergeAnswer,
    refusals: ['member_not_found'],
  },
  cursorsOf(Type.Tuple([smallNumber])),
  async ({ caller: { realm }, query }, { merges }, asked) => {
    const before = asked.after?.[0] ?? 2 ** 31 - 1
    const rows = await merges.list(realm, { member: query.get('memberId'), before, limit: rowsFor(asked) })
    return pageOfRows(rows, asked, { placeOf: ({ number }) => [number], bodyOf: mergeBody })
  },
)

/** Whether an identity could not be linked because another member has it. */
export const isTaken = (error: unknown): boolean =>
  error instanceof RefusalError && error.refusal.code === 'already_exists'

export const mergeRoutes = [merge, list, get, undo]
