import type { Realm } from '../../realms/realms.ts'
import { ok } from '../problem.ts'
import { operatorRoute } from '../route.ts'
import { date, pointId, realmIdParam, Type, text } from '../schemas.ts'

const unknownMembers = Type.Union([Type.Literal('refuse'), Type.Literal('create')], {
  description: '`refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points.',
})
const name = text(100, 'a name')
const newPoint = { id: Type.Optional(pointId), name: Type.Optional(name) }

export const realmAnswer = Type.Object({
  id: realmIdParam,
  name: Type.String(),
  unknownMembers,
  defaultPointId: pointId,
  points: Type.Array(Type.Object({ id: pointId, name: Type.String(), archived: Type.Boolean() })),
  createdAt: date,
})

function realmBody({ id, createdAt, config }: Realm) {
  const points = [...config.points.values()].map((point) => ({
    id: point.id,
    name: point.name,
    archived: point.archived,
  }))
  const { unknownMembers: unknown, defaultPoint } = config
  return {
    id,
    name: config.name,
    unknownMembers: unknown,
    defaultPointId: defaultPoint.id,
    points,
    createdAt,
  }
}

const base = '/operator/v1/realms'
const params = { realmID: realmIdParam }
const pageSize = 100

const createRealm = operatorRoute(
  {
    methods: ['POST'],
    path: base,
    summary: 'Make a realm',
    description: 'Ids are made when they are not given. Every realm has a first kind of points, its default.',
    writes: true,
    body: Type.Object(
      {
        id: Type.Optional(realmIdParam),
        name: Type.Optional(name),
        unknownMembers: Type.Optional(unknownMembers),
        point: Type.Optional(Type.Object(newPoint, { description: 'A JSON object with id and name.' })),
      },
      { description: 'A JSON object, which may be empty.' },
    ),
    answer: realmAnswer,
    refusals: ['already_exists'],
  },
  async ({ body, by }, { realms }) => ok(realmBody(await realms.create(body, by()))),
)

const listRealms = operatorRoute(
  {
    methods: ['GET'],
    path: base,
    summary: 'List realms',
    query: { after: realmIdParam },
    description: 'A hundred at a time, as they were made; `after` is the last id of the page before.',
    writes: false,
    answer: Type.Object({ realms: Type.Array(realmAnswer) }),
    refusals: ['realm_not_found'],
  },
  async ({ query }, { realms }) => {
    const page = await realms.page(query.get('after') ?? undefined, pageSize)
    return ok({ realms: page.map(realmBody) })
  },
)

const getRealm = operatorRoute(
  {
    methods: ['GET'],
    path: `${base}/{realmID}`,
    summary: 'Read a realm',
    params,
    writes: false,
    answer: realmAnswer,
    refusals: ['realm_not_found'],
  },
  async ({ params: { realmID = '' } }, { realms }) => ok(realmBody(await realms.get(realmID))),
)

const changeRealm = operatorRoute(
  {
    methods: ['PATCH'],
    path: `${base}/{realmID}`,
    summary: 'Change a realm’s settings',
    params,
    writes: true,
    body: Type.Object(
      {
        name: Type.Optional(name),
        unknownMembers: Type.Optional(unknownMembers),
        defaultPoint: Type.Optional(pointId),
      },
      { description: 'A JSON object with what is to change.' },
    ),
    answer: realmAnswer,
    refusals: ['realm_not_found', 'point_not_found'],
  },
  async ({ params: { realmID = '' }, body, by }, { realms }) =>
    ok(realmBody(await realms.change(realmID, body, by()))),
)

const createPoint = operatorRoute(
  {
    methods: ['POST'],
    path: `${base}/{realmID}/points`,
    summary: 'Add a kind of points',
    params,
    writes: true,
    body: Type.Object(newPoint, { description: 'A JSON object, which may be empty.' }),
    answer: realmAnswer,
    refusals: ['realm_not_found', 'already_exists'],
  },
  async ({ params: { realmID = '' }, body, by }, { realms }) =>
    ok(realmBody(await realms.addPoint(realmID, body, by()))),
)

export const realmRoutes = [createRealm, listRealms, getRealm, changeRealm, createPoint]
