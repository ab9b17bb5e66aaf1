import { type Activity, lapsingOf } from '../../ledger/index.ts'
import type { Member } from '../../members/index.ts'
import { ok } from '../problem.ts'
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
  timeThat,
  timeWords,
} from '../route/schemas.ts'
import { isoOf, isoOfMs, microsecondsOf } from '../route/times.ts'
import { lapsingLot, lotBody } from '../shared/lapseRule.ts'

export const memberAnswerFields = {
  id: memberIdAnswer,
  realmId: realmIdParam,
  username: nullable(Type.String()),
  displayName: nullable(Type.String()),
  balances: Type.Record(pointId, balance, {
    title: 'Balances',
    description: 'By point type, the default first; 0 where the member has none.',
  }),
  tokenBalance: balance,
  held: Type.Record(pointId, balance, {
    title: 'Balances',
    description: 'Held points, which can’t be spent and are not in the balances; only point types with any.',
  }),
  pending: Type.Optional(
    Type.Record(pointId, balance, {
      title: 'Balances',
      description:
        'Points that are promised and not granted yet, which are not in the balances; only point types ' +
        'with any, and absent without any.',
    }),
  ),
  joinedAt: nullable(date),
  updatedAt: nullable(date),
  frozen: Type.Boolean({ description: 'Whether the member’s points can’t be spent.' }),
  hidden: Type.Boolean({ description: 'Whether the member is left out of leaderboards.' }),
}

export const memberAnswer = Type.Object(memberAnswerFields, { title: 'Member' })

const amountsOf = (amounts: Member['held']) =>
  Object.fromEntries(amounts.map(([point, amount]) => [point, Number(amount)]))

export function memberBody(realmId: string, member: Member) {
  const { id, username, displayName, joinedAtMs, updatedAtMs, frozen, hidden } = member
  const balances = member.balances.map(([point, points]) => [point, Number(points)] as const)
  const tokenBalance = balances[0]?.[1] ?? 0
  return {
    id,
    realmId,
    username,
    displayName,
    balances: Object.fromEntries(balances),
    tokenBalance,
    held: amountsOf(member.held),
    ...(member.pending.length > 0 && { pending: amountsOf(member.pending) }),
    joinedAt: joinedAtMs === null ? null : isoOfMs(joinedAtMs),
    updatedAt: updatedAtMs === null ? null : isoOfMs(updatedAtMs),
    frozen,
    hidden,
  }
}

const lotsShown = 12

/** By point type that has such a rule. */
async function lapsingOfAll(realm: number, { account, dated }: Member, activity: Activity) {
  const lotsOf = async ({ point, balance: amount, ...stored }: Member['dated'][number]) => {
    const { number, id, lapse: steps = [] } = point
    const last = await activity.of(realm, { point: number, steps, accounts: [account] })
    const lots = lapsingOf(steps, { ...stored, amount }, last.get(account))
    return [id, lots.slice(0, lotsShown).map(lotBody)] as const
  }
  return Object.fromEntries(await Promise.all(dated.map(lotsOf)))
}

/** `If-Match` of a change of points compares the first two parts: what last moved its points, and whose. */
export const etagOf = ({ version, account, state }: Member): string => `"${version}-${account}-${state}"`

export const getMember = realmRoute(
  {
    operationId: 'getMember',
    tag: 'Members',
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/members/{memberID}',
    summary: 'Read a member',
    description:
      'A member without entries has 0 points. `balances` and `tokenBalance` are available to spend. ' +
      'The `ETag` can be sent as `If-Match` with a change of its points. With `at`, balances and held ' +
      'points are those at that time, names and dates the current ones, and there is no `ETag`.',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    query: { at: timeThat(`${timeWords} Returns the balances at that time.`) },
    writes: false,
    lenient: true,
    scope: 'members:read',
    queryScopes: { at: 'journal:read' },
    answer: Type.Object({
      ...memberAnswer.properties,
      lapsing: Type.Optional(
        Type.Record(pointId, Type.Array(lapsingLot), {
          title: 'LapsingByPointType',
          description:
            'What lapses next, the first 12 days of each point type with a rule; with `idle` all points, ' +
            'on the day by which the member has to be active again.',
        }),
      ),
      at: Type.Optional(Type.Unsafe<string>({ ...date, description: 'The requested time, if any.' })),
    }),
    refusals: ['member_not_found'],
  },
  async ({ caller, params, query }, { members, history, activity }) => {
    const id = params.memberID
    const at = query.get('at')
    if (at !== null) {
      const atUs = microsecondsOf(at)
      const then = await history.memberAt(caller.realm, id, atUs)
      return ok({ ...memberBody(caller.realmId, then), at: isoOf(atUs) })
    }
    const member = await members.get(caller.realm, id)
    const body = memberBody(caller.realmId, member)
    if (member.dated.length === 0) return ok(body, { etag: etagOf(member) })
    const lapsing = await lapsingOfAll(caller.realm, member, activity)
    return ok({ ...body, lapsing }, { etag: etagOf(member) })
  },
)
