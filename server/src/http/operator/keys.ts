import { keyPattern } from '../../keys/keys.ts'
import { ok } from '../problem.ts'
import { operatorRoute } from '../route.ts'
import { date, nullable, rateLimit, realmIdParam, Type, text } from '../schemas.ts'

const listed = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  lastFour: Type.String(),
  createdAt: date,
  revokedAt: nullable(date),
  rateLimit,
}
const base = '/operator/v1/realms/{realmID}/keys'
const params = { realmID: realmIdParam }

const issueKey = operatorRoute(
  {
    methods: ['POST'],
    path: base,
    summary: 'Issue a key',
    description: 'The key is in this answer and nowhere else: it is stored only as a keyed hash.',
    params,
    writes: true,
    body: Type.Object(
      { name: Type.Optional(text(100, 'a name')), rateLimit: Type.Optional(rateLimit) },
      { description: 'A JSON object, which may be empty.' },
    ),
    answer: Type.Object({ ...listed, key: Type.String({ pattern: keyPattern }) }),
    refusals: ['realm_not_found'],
  },
  async ({ params: { realmID = '' }, body }, { realms, keys }) =>
    ok(await keys.issue(await realms.number(realmID), { name: 'key', ...body })),
)

const listKeys = operatorRoute(
  {
    methods: ['GET'],
    path: base,
    summary: 'List a realm’s keys',
    params,
    writes: false,
    answer: Type.Object({ keys: Type.Array(Type.Object(listed)) }),
    refusals: ['realm_not_found'],
  },
  async ({ params: { realmID = '' } }, { realms, keys }) =>
    ok({ keys: await keys.of(await realms.number(realmID)) }),
)

const revokeKey = operatorRoute(
  {
    methods: ['DELETE'],
    path: `${base}/{keyID}`,
    summary: 'Revoke a key',
    description: 'It stops working everywhere within one second.',
    params: { ...params, keyID: Type.String({ description: 'A key’s id.' }) },
    writes: true,
    answer: Type.Object(listed),
    refusals: ['realm_not_found', 'key_not_found'],
  },
  async ({ params: { realmID = '', keyID = '' } }, { realms, keys }) =>
    ok(await keys.revoke(await realms.number(realmID), keyID)),
)

export const keyRoutes = [issueKey, listKeys, revokeKey]
