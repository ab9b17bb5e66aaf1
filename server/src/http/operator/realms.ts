import type { ListedRealm, Realm } from '../../realms/index.ts'
import { ok } from '../problem.ts'
import { cursorsOf, operatorList, pageOfRows, rowsFor, smallNumber } from '../route/list.ts'
import { numberParam } from '../route/queryValues.ts'
import { operatorRoute } from '../route/route.ts'
import { clearable, pointId, rateLimit, realmIdParam, Type, text } from '../route/schemas.ts'
import { cellIn, cellParam } from '../shared/cell.ts'
import { realmAnswerFields, realmBody, suspensionReason, unknownMembers } from '../shared/realmAnswer.ts'

const name = text(100, 'The name.')
const newPoint = { id: Type.Optional(pointId), name: Type.Optional(name) }

const { id, createdAt, name: shownName, ...settings } = realmAnswerFields
const cell = Type.Integer({ minimum: 0, description: 'The cell that the realm is in: 0 where there is one.' })

const realmAnswer = Type.Object({ ...realmAnswerFields, cell }, { title: 'InstalledRealm' })

/** A list has the settings of the cell that responds. */
const realmItem = Type.Object(
  { id, name: shownName, cell, createdAt, ...Type.Partial(Type.Object(settings)).properties },
  {
    title: 'ListedRealm',
    description: 'Of a realm in another cell than that of the responding server, only the first four fields.',
  },
)

const bodyOf = (realm: Realm) => ({ ...realmBody(realm), cell: realm.cell })

const itemOf = ({ id: realmId, name: named, cell: at, createdAt: since, realm }: ListedRealm) =>
  realm ? bodyOf(realm) : { id: realmId, name: named, cell: at, createdAt: since }

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
    description:
      'Ids are generated when omitted. Every realm starts with one point type, its default. Where there ' +
      'are several cells, the realm is created in the cell of the responding server, which answers 503 ' +
      '`wrong_cell` if it takes no new realms; with `cell`, the proxy sends the request to that cell.',
    query: { cell: cellParam },
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
  async ({ body, query, by }, { realms }) => {
    realms.refuseOther(cellIn(query))
    return ok(bodyOf(await realms.create(body, by())))
  },
)

const listRealms = operatorList(
  {
    operationId: 'listRealms',
    tag: 'Realms',
    path: base,
    summary: 'List realms',
    description: 'Of all cells, in order of creation.',
    query: {
      cell: numberParam({ from: 0, to: 9999, description: 'Only the realms of this cell.' }),
      name: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Only realms with this text in their name, in upper or lower case.',
      }),
    },
    item: realmItem,
  },
  cursorsOf(Type.Tuple([smallNumber])),
  async ({ query }, { realms }, asked) => {
    const page = { after: asked.after?.[0] ?? 0, limit: rowsFor(asked) }
    const filters = { cell: cellIn(query), name: query.get('name') ?? undefined }
    const rows = await realms.listed({ ...page, ...filters })
    return pageOfRows(rows, asked, { placeOf: ({ number }) => [number], bodyOf: itemOf })
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
  async ({ params: { realmID } }, { realms }) => ok(bodyOf(await realms.get(realmID))),
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
    ok(bodyOf(await realms.change(realmID, body, by()))),
)

export const realmRoutes = [createRealm, listRealms, getRealm, changeRealm]
