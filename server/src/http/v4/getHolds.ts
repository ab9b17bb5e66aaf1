import type { Hold } from '../../ledger/index.ts'
import { ok } from '../problem.ts'
import { cursorsOf, type PageRequest, pageOfRows, realmList, rowsFor, seqText } from '../route/list.ts'
import { realmRoute } from '../route/route.ts'
import {
  balance,
  date,
  memberIdAnswer,
  memberIdParam,
  nullable,
  pointId,
  realmIdParam,
  Type,
  transactionId,
  transactionIdParam,
} from '../route/schemas.ts'

const base = '/api/v4/realms/{realmID}'

export const holdFields = {
  holdId: transactionId,
  memberId: nullable(memberIdAnswer),
  realmPointId: pointId,
  tokens: balance,
  expiresAt: date,
  status: Type.Union(
    ['open', 'captured', 'released', 'expired'].map((one) => Type.Literal(one)),
    { description: 'Whether the hold is open, or how it ended.' },
  ),
  endedBy: nullable(transactionId),
}

/** To the millisecond. */
export const dateOf = (us: bigint): Date => new Date(Number(us / 1000n))

const holdAnswer = Type.Object(holdFields, { title: 'Hold' })

const holdBody = ({ seq, member, point, amount, expiresUs, endedBy, status }: Hold) => ({
  holdId: String(seq),
  memberId: member,
  realmPointId: point,
  tokens: Number(amount),
  expiresAt: dateOf(expiresUs),
  status,
  endedBy: endedBy === null ? null : String(endedBy),
})

const getHold = realmRoute(
  {
    operationId: 'getHold',
    tag: 'Holds',
    methods: ['GET'],
    path: `${base}/holds/{holdID}`,
    summary: 'Read a hold',
    params: { realmID: realmIdParam, holdID: transactionIdParam },
    writes: false,
    scope: 'members:read',
    answer: holdAnswer,
    refusals: ['hold_not_found'],
  },
  async ({ caller, params: { holdID } }, { holds }) =>
    ok(holdBody(await holds.get(caller.realm, BigInt(holdID)))),
)

/** The entry that created the last hold, or award, of a page. */
export const cursors = cursorsOf(Type.Tuple([seqText]))

export type HoldPageRequest = PageRequest<readonly [string]>

export const seqPage = (asked: HoldPageRequest) => ({
  before: asked.after && BigInt(asked.after[0]),
  limit: rowsFor(asked),
})

const pageOfHolds = (rows: readonly Hold[], asked: HoldPageRequest) =>
  pageOfRows(rows, asked, { placeOf: ({ seq }) => [String(seq)], bodyOf: holdBody })

const listHolds = realmList(
  {
    operationId: 'listMemberHolds',
    tag: 'Holds',
    path: `${base}/members/{memberID}/holds`,
    summary: 'List a member’s open holds',
    description: 'Newest first.',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    scope: 'members:read',
    item: holdAnswer,
  },
  cursors,
  async ({ caller, params: { memberID: member } }, { holds }, asked) =>
    pageOfHolds(await holds.of(caller.realm, { member, ...seqPage(asked) }), asked),
)

const listRealmHolds = realmList(
  {
    operationId: 'listHolds',
    tag: 'Holds',
    path: `${base}/holds`,
    summary: 'List the open holds of a realm',
    description: 'Newest first. `memberId` is null when the member was removed.',
    params: { realmID: realmIdParam },
    scope: 'members:read',
    item: holdAnswer,
  },
  cursors,
  async ({ caller }, { holds }, asked) => pageOfHolds(await holds.all(caller.realm, seqPage(asked)), asked),
)

export const holdReads = [getHold, listHolds, listRealmHolds]
