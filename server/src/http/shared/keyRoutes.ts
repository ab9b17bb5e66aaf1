import { keyForm, overlaps, scopes } from '../../keys/index.ts'
import { gone, ok } from '../problem.ts'
import { expiryFields, expiryOf, refuseBoth } from '../route/expiry.ts'
import { listAt, numbered, pageByNumber, rowsFor } from '../route/list.ts'
import type { Route } from '../route/route.ts'
import {
  listedFields,
  nullable,
  rateLimit,
  secret,
  statusOf,
  statusQuery,
  statusWords,
  Type,
  text,
  time,
  timeWords,
} from '../route/schemas.ts'
import type { RealmDoor } from '../route/scopedRoutes.ts'

export const listedKey = {
  ...listedFields,
  scopes: nullable(
    Type.Array(Type.String(), {
      description: 'Null for a key made without: it may read members and wallets, and change points.',
    }),
  ),
  rateLimit,
}
export const keyAnswer = Type.Object(listedKey, { title: 'Key' })
const issued = { ...listedKey, key: secret({ pattern: keyForm.pattern }) }
const name = Type.Optional(text(100, 'a name'))
const keyID = Type.String({ description: 'A key’s id.' })
const anyOf = Type.Union(
  scopes.map((scope) => Type.Literal(scope)),
  { description: `One of ${scopes.join(', ')}.` },
)

export function keyRoutesAt(door: RealmDoor): Route[] {
  return [issue(door), list(door), get(door), rotate(door), change(door), revoke(door)]
}

const issue = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      operationId: 'createKey',
      tag: 'Keys',
      methods: ['POST'],
      path: base,
      summary: 'Issue a key',
      description:
        'The key is in this answer and nowhere else: it is stored only as a keyed hash. With scopes it may ' +
        'do what they name and nothing else; without, it may read members and wallets and change points. ' +
        'A key can’t issue one that goes beyond it: its own expiry and limit are handed on, and no later ' +
        'or larger one is accepted.',
      params,
      writes: true,
      body: Type.Object(
        {
          name,
          scopes: Type.Optional(
            Type.Array(anyOf, {
              minItems: 1,
              maxItems: scopes.length,
              description: `A list of scopes: ${scopes.join(', ')}.`,
            }),
          ),
          ...expiryFields,
          rateLimit: Type.Optional(rateLimit),
        },
        { description: 'A JSON object, which may be empty.' },
      ),
      creates: `${base}/{keyID}`,
      answer: Type.Object(issued, { title: 'IssuedKey' }),
      refusals: [...refusals, 'forbidden', 'key_limit'],
    },
    async (request, services) => {
      const { body, by, caller } = request
      const { expiresIn: _, ...rest } = body
      const expiresAt = expiryOf(body)
      const realm = await realmOf(request, services)
      return ok(await services.keys.issue(realm, { ...rest, expiresAt, within: caller?.bounds }, by()))
    },
  )

const list = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  listAt(route)(
    {
      operationId: 'listKeys',
      tag: 'Keys',
      path: base,
      summary: 'List a realm’s keys',
      description: statusWords,
      params,
      query: statusQuery,
      item: keyAnswer,
      refusals,
    },
    numbered,
    async (request, services, asked) => {
      const realm = await realmOf(request, services)
      const page = { status: statusOf(request.query), from: asked.after?.[0], limit: rowsFor(asked) }
      return pageByNumber(await services.keys.of(realm, page), asked)
    },
  )

const get = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      operationId: 'getKey',
      tag: 'Keys',
      methods: ['GET'],
      path: `${base}/{keyID}`,
      summary: 'Read a key',
      description: 'Without its secret. A key that was revoked or has expired can still be read.',
      params: { ...params, keyID },
      writes: false,
      answer: keyAnswer,
      refusals: [...refusals, 'key_not_found'],
    },
    async (request, services) => {
      const realm = await realmOf(request, services)
      return ok(await services.keys.get({ realm, id: request.params['keyID'] ?? '' }))
    },
  )

const rotate = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      operationId: 'rotateKey',
      tag: 'Keys',
      methods: ['POST'],
      path: `${base}/{keyID}/rotate`,
      summary: 'Replace a key',
      description: 'A new key with the same name and scopes; the old one goes on working for the overlap.',
      params: { ...params, keyID },
      writes: true,
      body: Type.Object(
        {
          overlapSeconds: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: overlaps.longest,
              description: `Whole seconds, 0 to ${overlaps.longest}; ${overlaps.usual} unless given.`,
            }),
          ),
        },
        { description: 'A JSON object, which may be empty.' },
      ),
      answer: Type.Object({ ...issued, replaced: keyAnswer }),
      refusals: [...refusals, 'forbidden', 'key_not_found', 'key_limit'],
    },
    async (request, services) => {
      const { params: given, body, by, caller } = request
      const key = { realm: await realmOf(request, services), id: given['keyID'] ?? '' }
      const overlapSeconds = body.overlapSeconds ?? overlaps.usual
      const rotation = { overlapSeconds, within: caller?.bounds }
      return ok(await services.keys.rotate(key, rotation, by()))
    },
  )

const never = 'never'

const change = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      operationId: 'updateKey',
      tag: 'Keys',
      methods: ['PATCH'],
      path: `${base}/{keyID}`,
      summary: 'Rename a key, set or clear its expiry',
      params: { ...params, keyID },
      writes: true,
      body: Type.Object(
        {
          name,
          rateLimit: Type.Optional(rateLimit),
          expiresAt: Type.Optional(
            Type.Union([Type.Literal(never), time, Type.Null()], {
              description: `${timeWords} Or null, or "${never}": it does not expire.`,
            }),
          ),
          expiresIn: expiryFields.expiresIn,
        },
        { description: 'A JSON object with what is to change.' },
      ),
      answer: keyAnswer,
      refusals: [...refusals, 'forbidden', 'key_not_found'],
    },
    async (request, services) => {
      const { params: given, body, by, caller } = request
      const { expiresAt, expiresIn, ...rest } = body
      refuseBoth(body)
      const isLifted = expiresAt === never || expiresAt === null
      const ends = isLifted ? null : expiryOf({ expiresAt, expiresIn })
      const key = { realm: await realmOf(request, services), id: given['keyID'] ?? '' }
      return ok(await services.keys.change(key, { ...rest, expiresAt: ends, within: caller?.bounds }, by()))
    },
  )

const revoke = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      operationId: 'revokeKey',
      tag: 'Keys',
      methods: ['DELETE'],
      path: `${base}/{keyID}`,
      summary: 'Revoke a key',
      description:
        'It stops working everywhere within one second. It can still be read, with `status` `revoked`.',
      params: { ...params, keyID },
      writes: true,
      deletes: true,
      refusals: [...refusals, 'key_not_found'],
    },
    async (request, services) => {
      const key = { realm: await realmOf(request, services), id: request.params['keyID'] ?? '' }
      await services.keys.revoke(key, request.by())
      return gone
    },
  )
