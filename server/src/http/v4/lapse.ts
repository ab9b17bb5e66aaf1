import { lapsingOf } from '../../ledger/index.ts'
import { dateOf, lapseRuleNotFound, pointNotFound } from '../../realms/index.ts'
import { gone, ok } from '../problem.ts'
import { cursorsOf, realmList, rowsFor, smallNumber } from '../route/list.ts'
import { realmRoute } from '../route/route.ts'
import {
  balance,
  dryRun,
  dryRunAnswer,
  memberIdAnswer,
  nullable,
  pointId,
  realmIdParam,
  Type,
} from '../route/schemas.ts'
import {
  changeBody,
  changeInQuery,
  changeOf,
  dayField,
  dayOf,
  lapseAnswer,
  lapseBody,
} from '../shared/lapseRule.ts'

const onePath = '/api/v4/realms/{realmID}/points/{realmPointId}'
const path = `${onePath}/lapse`
const params = { realmID: realmIdParam, realmPointId: pointId }

const setLapse = realmRoute(
  {
    operationId: 'updateLapseRule',
    tag: 'Point types',
    methods: ['PUT'],
    path,
    summary: 'Set or change when points lapse',
    description:
      'Applies to points issued from now on: points keep the day they have. The first rule also gives a ' +
      'day to existing points, as if they were issued today; with `on` it is the first date that is at ' +
      'least `noticeDays` away. With `idle` all points of a member lapse together, and none sooner than ' +
      'by the rule before; a point type has either `idle` or the other rules. `notBefore` postpones ' +
      'everything that lapses, and can be sent alone. Omitted fields do not change. With `dryRun` nothing ' +
      'is changed.',
    params,
    query: dryRun,
    writes: true,
    scope: 'realm:admin',
    body: changeBody,
    bodyRequired: true,
    creates: path,
    answer: Type.Object(
      {
        lapse: nullable(lapseAnswer),
        issuedNow: nullable(
          dayField('When a point issued now would lapse; with `idle`, of a member who is active now.'),
        ),
        existing: Type.Object(
          {
            members: Type.Integer({ description: 'Members with such points.' }),
            tokens: Type.String({ description: 'Their points.' }),
            lapsesOn: nullable(dayField('When they lapse.')),
          },
          {
            title: 'UndatedPoints',
            description:
              'Points without a day of their own until now; with `idle` all, and the first day of any.',
          },
        ),
        ...dryRunAnswer,
      },
      { title: 'LapseRuleChange' },
    ),
    refusals: ['point_not_found', 'lapse_rule_not_found'],
  },
  async ({ caller, params: { realmPointId: id }, query, body, by }, { lapseRules }) => {
    const change = changeOf(body)
    const target = { realm: caller.realm, id }
    const { step, isNew, issuedNow, existing } = await lapseRules.preview(target, change)
    const isDry = query.get('dryRun') === 'true'
    if (!isDry) await lapseRules.set(target, change, by())
    const { members, tokens, lapseOn } = existing
    const answer = {
      lapse: lapseBody(step),
      issuedNow: issuedNow === null ? null : dateOf(issuedNow),
      existing: { members, tokens, lapsesOn: lapseOn === null ? null : dateOf(lapseOn) },
      ...(isDry && { dryRun: true }),
    }
    return { ...ok(answer), isNew }
  },
)

const getLapse = realmRoute(
  {
    operationId: 'getLapseRule',
    tag: 'Point types',
    methods: ['GET'],
    path,
    summary: 'Read when points lapse',
    params,
    writes: false,
    scope: 'members:read',
    answer: lapseAnswer,
    refusals: ['point_not_found', 'lapse_rule_not_found'],
  },
  async ({ caller, params: { realmPointId: id } }, { realms }) => {
    const { config } = await realms.get(caller.realmId)
    const point = config.points.get(id)
    if (!point) throw pointNotFound(id)
    const rule = lapseBody(point.lapse?.at(-1))
    if (!rule) throw lapseRuleNotFound(id)
    return ok(rule)
  },
)

const removeLapse = realmRoute(
  {
    operationId: 'deleteLapseRule',
    tag: 'Point types',
    methods: ['DELETE'],
    path,
    summary: 'Stop points from lapsing',
    description:
      'Nothing lapses any more, and points issued from now on have no day. When a rule is set again, ' +
      'nothing lapses before the day on which a point issued then would.',
    params,
    writes: true,
    scope: 'realm:admin',
    deletes: true,
    refusals: ['point_not_found', 'lapse_rule_not_found'],
  },
  async ({ caller, params: { realmPointId: id }, by }, { lapseRules }) => {
    await lapseRules.set({ realm: caller.realm, id }, { rule: null }, by())
    return gone
  },
)

const listLapsing = realmList(
  {
    operationId: 'listLapsing',
    tag: 'Point types',
    path: `${onePath}/lapsing`,
    summary: 'List who loses which points, and when',
    description:
      'Members whose points lapse before `before`, which is not included, in order of creation. With ' +
      '`rule` as if that rule were set now: nothing is changed. A page can be shorter than `limit`, even ' +
      'empty: `nextCursor` is null at the end.',
    params,
    query: {
      before: Type.Optional(dayField('All days by default.')),
      rule: Type.Optional(
        Type.String({
          maxLength: 500,
          description: 'The body of `updateLapseRule` as JSON, such as `{"after":{"months":12}}`.',
        }),
      ),
    },
    scope: 'journal:read',
    refusals: ['point_not_found', 'lapse_rule_not_found'],
    item: Type.Object(
      { memberId: memberIdAnswer, lapsesOn: dayField('The first day on which some lapse.'), tokens: balance },
      { title: 'LapsingMember' },
    ),
  },
  cursorsOf(Type.Tuple([smallNumber])),
  async ({ caller, params: { realmPointId: id }, query }, { realms, lapseRules, activity }, asked) => {
    const { config } = await realms.get(caller.realmId)
    const point = config.points.get(id)
    if (!point) throw pointNotFound(id)
    const text = query.get('before')
    const before = text === null ? Number.POSITIVE_INFINITY : dayOf('query:before', text)
    const rule = query.get('rule')
    const target = { realm: caller.realm, id }
    const steps = rule === null ? point.lapse : await lapseRules.stepsWith(target, changeInQuery(rule))
    const [after = 0] = asked.after ?? []
    const rows = await lapseRules.lapsing(caller.realm, { point: point.number, after, limit: rowsFor(asked) })
    const page = rows.slice(0, asked.limit)
    const last = rows.length > asked.limit ? page.at(-1) : undefined
    const accounts = page.map(({ account }) => account)
    const active = await activity.of(caller.realm, { point: point.number, steps, accounts })
    const items = page.flatMap((row) => {
      const stored = { ...row, amount: row.balance }
      const lots = lapsingOf(steps ?? [], stored, active.get(row.account)).filter(({ day }) => day < before)
      const [first] = lots
      const tokens = Number(lots.reduce((sum, { amount }) => sum + amount, 0n))
      return first ? [{ memberId: row.id, lapsesOn: dateOf(first.day), tokens }] : []
    })
    return { items, next: () => (last === undefined ? null : ([last.account] as const)) }
  },
)

export const lapseRoutes = [setLapse, getLapse, removeLapse, listLapsing]
