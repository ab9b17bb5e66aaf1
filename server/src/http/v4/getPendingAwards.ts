import type { AwardView } from '../../ledger/index.ts'
import { ok } from '../problem.ts'
import { pageOfRows, realmList } from '../route/list.ts'
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
import { cursors, dateOf, type HoldPageRequest, seqPage } from './getHolds.ts'

const base = '/api/v4/realms/{realmID}'

export const awardFields = {
  awardId: transactionId,
  memberId: nullable(memberIdAnswer),
  realmPointId: pointId,
  tokens: balance,
  grantAt: nullable(
    Type.Unsafe<string>({ ...date, description: 'When it is granted without a request; null for never.' }),
  ),
  status: Type.Union(
    ['pending', 'granted', 'cancelled'].map((one) => Type.Literal(one)),
    { description: 'Whether the award is pending, or how it ended.' },
  ),
  endedBy: nullable(Type.String({ description: 'The entry that granted or cancelled it.' })),
  postponedBy: nullable(
    Type.String({
      description:
        'The code of the error that kept a due award from being granted, such as `balance_limit`: it is ' +
        'tried again, at least once an hour, until it is granted or cancelled.',
    }),
  ),
}

const awardAnswer = Type.Object(awardFields, { title: 'Award' })

const awardBody = ({ seq, member, point, amount, grantUs, endedBy, status, postponedBy }: AwardView) => ({
  awardId: String(seq),
  memberId: member,
  realmPointId: point,
  tokens: Number(amount),
  grantAt: grantUs === null ? null : dateOf(grantUs),
  status,
  endedBy: endedBy === null ? null : String(endedBy),
  postponedBy,
})

const getAward = realmRoute(
  {
    operationId: 'getAward',
    tag: 'Awards',
    methods: ['GET'],
    path: `${base}/awards/{awardID}`,
    summary: 'Read an award',
    params: { realmID: realmIdParam, awardID: transactionIdParam },
    writes: false,
    scope: 'members:read',
    answer: awardAnswer,
    refusals: ['award_not_found'],
  },
  async ({ caller, params: { awardID } }, { awards }) =>
    ok(awardBody(await awards.get(caller.realm, BigInt(awardID)))),
)

const pageOfAwards = (rows: readonly AwardView[], asked: HoldPageRequest) =>
  pageOfRows(rows, asked, { placeOf: ({ seq }) => [String(seq)], bodyOf: awardBody })

const listMemberAwards = realmList(
  {
    operationId: 'listMemberAwards',
    tag: 'Awards',
    path: `${base}/members/{memberID}/awards`,
    summary: 'List a member’s pending awards',
    description: 'Newest first.',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    scope: 'members:read',
    item: awardAnswer,
  },
  cursors,
  async ({ caller, params: { memberID: member } }, { awards }, asked) =>
    pageOfAwards(await awards.list(caller.realm, { member, ...seqPage(asked) }), asked),
)

const listAwards = realmList(
  {
    operationId: 'listAwards',
    tag: 'Awards',
    path: `${base}/awards`,
    summary: 'List the pending awards of a realm',
    description: 'Newest first.',
    params: { realmID: realmIdParam },
    scope: 'members:read',
    item: awardAnswer,
  },
  cursors,
  async ({ caller }, { awards }, asked) =>
    pageOfAwards(await awards.list(caller.realm, seqPage(asked)), asked),
)

export const awardReads = [getAward, listMemberAwards, listAwards]
