import { ok } from '../problem.ts'
import { cursorsOf, operatorList, pageOfRows, rowsFor, smallNumber } from '../route/list.ts'
import { operatorRoute } from '../route/route.ts'
import { clearable, pointId, rateLimit, realmIdParam, Type, text } from '../route/schemas.ts'
import { realmAnswerFields, realmBody, suspensionReason, unknownMembers } from '../shared/realmAnswer.ts'

const name = text(100, 'The name.')
const newPoint = { id: Type.Optional(pointId), name: Type.Optional(name) }

const realmAnswer = Type.Object(realmAnswerFields, { title: 'Realm' })

const newSuspension = Type.Object(
  { reason: suspensionReason },
  { title: 'NewSuspension', description: 'A JSON object with the reason.' },
)

const base = '/operator/v1/realms'
const params = { realmID: realmIdParam }

const createRealm = operatorRoute(
  {
    operationId: 'createRealm',
    tag: 'Realms',
    methods: ['POST'],
    path: base,
    summary: 'Create a realm',
    description: 'Ids are generated when omitted. Every realm starts with one point type, its default.',
    writes: true,
    body: Type.Object(
      {
        id: Type.Optional(realmIdParam),
        name: Type.Optional(name),
        unknownMembers: Type.Optional(unknownMembers),
        point: Type.Optional(
          Type.Object(newPoint, { title: 'FirstPoint', description: 'A JSON object with id and name.' }),
        ),
      },
      { description: 'A JSON object, which may be empty.' },
    ),
    creates: `${base}/{realmID}`,
    answer: realmAnswer,
    refusals: ['already_exists'],
  },
  async ({ body, by }, { realms }) => ok(realmBody(await realms.create(body, by()))),
)

const listRealms = operatorList(
  {
    operationId: 'listRealms',
    tag: 'Realms',
    path: base,
    summary: 'List realms',
    description: 'In order of creation.',
    item: realmAnswer,
  },
  cursorsOf(Type.Tuple([smallNumber])),
  async (_request, { realms }, asked) => {
    const rows = await realms.page({ after: asked.after?.[0] ?? 0, limit: rowsFor(asked) })
    return pageOfRows(rows, asked, { placeOf: ({ number }) => [number], bodyOf: realmBody })
  },
)

const getRealm = operatorRoute(
  {
    operationId: 'getInstalledRealm',
    tag: 'Realms',
    methods: ['GET'],
    path: `${base}/{realmID}`,
    summary: 'Read a realm',
    params,
    writes: false,
    answer: realmAnswer,
    refusals: ['realm_not_found'],
  },
  async ({ params: { realmID } }, { realms }) => ok(realmBody(await realms.get(realmID))),
)

const changeRealm = operatorRoute(
  {
    operationId: 'updateInstalledRealm',
    tag: 'Realms',
    methods: ['PATCH'],
    path: `${base}/{realmID}`,
    summary: 'Change a realm’s rate limit, or suspend it',
    description:
      'A suspended realm can be read, and every change by its keys and its people is rejected (403 ' +
      '`realm_suspended`), at once on every server; `suspended: null` resumes it. Operators can still ' +
      'manage its keys. For all other settings use a key of the realm: `PATCH /api/v4/realms/{realmID}`.',
    params,
    writes: true,
    body: Type.Object(
      { rateLimit: Type.Optional(rateLimit), suspended: clearable(newSuspension) },
      { description: 'A JSON object with the fields to change.' },
    ),
    answer: realmAnswer,
    refusals: ['realm_not_found'],
  },
  async ({ params: { realmID }, body, by }, { realms }) =>
    ok(realmBody(await realms.change(realmID, body, by()))),
)

export const realmRoutes = [createRealm, listRealms, getRealm, changeRealm]
