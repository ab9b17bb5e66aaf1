import { pointNotFound, type Realms } from '../../realms/index.ts'
import { ok } from '../problem.ts'
import { type AmountLimit, amountLimit, amountLimitOf } from '../route/amountLimit.ts'
import { cursorsOf, pageOfRows, realmList, smallNumber } from '../route/list.ts'
import { realmRoute } from '../route/route.ts'
import { clearable, pointId, realmIdParam, Type, text } from '../route/schemas.ts'
import { pointAnswer, pointBody } from '../shared/realmAnswer.ts'

const path = '/api/v4/realms/{realmID}/points'
const params = { realmID: realmIdParam }

const rules = {
  name: Type.Optional(text(100, 'The name.')),
  emoji: clearable(text(64, 'An emoji, or the name of one.')),
  maxBalance: amountLimit('The highest balance a member can have.'),
  maxPerTransfer: amountLimit('The most one transfer can move.'),
  maxPerDay: amountLimit('The most a member can transfer in a day of the realm’s time zone.'),
  transferable: Type.Optional(
    Type.Boolean({ description: 'Whether members can transfer these points to each other.' }),
  ),
}

type Given = {
  readonly name?: string
  readonly emoji?: string | null
  readonly maxBalance?: AmountLimit
  readonly maxPerTransfer?: AmountLimit
  readonly maxPerDay?: AmountLimit
  readonly transferable?: boolean
}

const rulesOf = ({ name, emoji, maxBalance, maxPerTransfer, maxPerDay, transferable }: Given) => ({
  name,
  emoji: emoji === '' ? null : emoji,
  maxBalance: amountLimitOf(maxBalance),
  maxPerTransfer: amountLimitOf(maxPerTransfer),
  maxPerDay: amountLimitOf(maxPerDay),
  transferable,
})

async function answerOf(realms: Realms, realmId: string, id: string) {
  const { config } = await realms.get(realmId)
  const point = config.points.get(id)
  if (!point) throw new Error(`point type ${id} does not exist`)
  return ok(pointBody(config, point))
}

const listPoints = realmList(
  {
    operationId: 'listPoints',
    tag: 'Point types',
    path,
    summary: 'List point types',
    description: 'In order of creation, including archived ones. `default` marks the realm’s default.',
    params,
    scope: 'members:read',
    item: pointAnswer,
  },
  cursorsOf(Type.Tuple([smallNumber])),
  async ({ caller }, { realms }, asked) => {
    const { config } = await realms.get(caller.realmId)
    const [after = 0] = asked.after ?? []
    const points = [...config.points.values()]
      .filter(({ number }) => number > after)
      .sort((one, other) => one.number - other.number)
    return pageOfRows(points, asked, {
      placeOf: ({ number }) => [number],
      bodyOf: (point) => pointBody(config, point),
    })
  },
)

const addPoint = realmRoute(
  {
    operationId: 'createPoint',
    tag: 'Point types',
    methods: ['POST'],
    path,
    summary: 'Create a point type',
    description: '`id` is generated when omitted; `name` defaults to `id`.',
    params,
    writes: true,
    scope: 'realm:admin',
    body: Type.Object(
      { id: Type.Optional(pointId), ...rules },
      { description: 'A JSON object, which may be empty.' },
    ),
    creates: `${path}/{realmPointId}`,
    answer: pointAnswer,
    refusals: ['already_exists', 'point_limit'],
  },
  async ({ caller, body: { id, ...given }, by }, { realms, points }) => {
    const made = await points.add(caller.realm, { id, ...rulesOf(given) }, by())
    return answerOf(realms, caller.realmId, made)
  },
)

const getPoint = realmRoute(
  {
    operationId: 'getPoint',
    tag: 'Point types',
    methods: ['GET'],
    path: `${path}/{realmPointId}`,
    summary: 'Read a point type',
    description: 'Archived point types can be read too.',
    params: { ...params, realmPointId: pointId },
    writes: false,
    scope: 'members:read',
    answer: pointAnswer,
    refusals: ['point_not_found'],
  },
  async ({ caller, params: { realmPointId: id } }, { realms }) => {
    const { config } = await realms.get(caller.realmId)
    const point = config.points.get(id)
    if (!point) throw pointNotFound(id)
    return ok(pointBody(config, point))
  },
)

const changePoint = realmRoute(
  {
    operationId: 'updatePoint',
    tag: 'Point types',
    methods: ['PATCH'],
    path: `${path}/{realmPointId}`,
    summary: 'Change, archive or unarchive a point type',
    description:
      'Omitted fields do not change. Rules apply from the next change of points on; a member above ' +
      '`maxBalance` keeps its points. An archived point type is not in balances, and changes of it return ' +
      '404; balances return when it is unarchived. The default can’t be archived.',
    params: { ...params, realmPointId: pointId },
    writes: true,
    scope: 'realm:admin',
    body: Type.Object(
      {
        ...rules,
        archived: Type.Optional(Type.Boolean({ description: 'True to archive it, false to unarchive it.' })),
        default: Type.Optional(Type.Literal(true, { description: 'True makes it the realm’s default.' })),
      },
      { description: 'A JSON object with the fields to change.' },
    ),
    answer: pointAnswer,
    refusals: ['point_not_found', 'default_point'],
  },
  async ({ caller, params: { realmPointId: id }, body, by }, { realms, points }) => {
    const { archived, default: makeDefault, ...given } = body
    const change = { ...rulesOf(given), archived, default: makeDefault }
    await points.change({ realm: caller.realm, id }, change, by())
    return answerOf(realms, caller.realmId, id)
  },
)

export const pointRoutes = [listPoints, addPoint, getPoint, changePoint]
