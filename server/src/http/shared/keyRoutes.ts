import { keyForm, overlaps, scopes } from '../../keys/index.ts'
import { gone, ok } from '../problem.ts'
import { type AmountLimit, amountLimit, amountLimitAnswer, amountLimitOf } from '../route/amountLimit.ts'
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
import type { RouteBase } from '../route/scopedRoutes.ts'

export const listedKey = {
  ...listedFields,
  scopes: nullable(
    Type.Array(Type.String(), {
      description: 'Null for a key without scopes: it can read members and wallets, and change points.',
    }),
  ),
  rateLimit,
  maxPerChange: amountLimitAnswer('The most points that one change by the key may move; null for no limit.'),
  maxPerDay: amountLimitAnswer('The most points that the key may move in a UTC day; null for no limit.'),
}
export const keyAnswer = Type.Object(listedKey, { title: 'Key' })
const issued = { ...listedKey, key: secret({ pattern: keyForm.pattern }) }
const name = Type.Optional(text(100, 'The name.'))
const moveFields = {
  maxPerChange: amountLimit('The most points that one change by this key may move.'),
  maxPerDay: amountLimit('The most points that this key may move in a day, in UTC, in all point types.'),
}
const keyID = Type.String({ description: 'The key’s id.' })
const anyOf = Type.Union(
  scopes.map((scope) => Type.Literal(scope)),
  { description: `One of ${scopes.join(', ')}.` },
)

type Moves = { readonly maxPerChange?: AmountLimit; readonly maxPerDay?: AmountLimit }

const movesOf = ({ maxPerChange, maxPerDay }: Moves) => ({
  maxPerChange: amountLimitOf(maxPerChange),
  maxPerDay: amountLimitOf(maxPerDay),
})

export function keyRoutesAt(base: RouteBase): Route[] {
  return [issue(base), list(base), get(base), rotate(base), change(base), revoke(base)]
}

const issue = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'createKey',
      tag: 'Keys',
      methods: ['POST'],
      path: base,
      summary: 'Issue a key',
      description:
        'The key is returned only in this response: it is stored as a keyed hash. Scopes limit what it can ' +
        'do; without scopes it can read members and wallets and change points. ' +
        'A key can’t issue one with more rights: the new key inherits its expiry and rate limit, and a ' +
        'later expiry or a higher limit is rejected. `maxPerChange` and `maxPerDay` limit the points that ' +
        'the key may move: docs/limits.md. A key with `maxPerDay` can’t issue keys.',
      params,
      writes: true,
      body: Type.Object(
        {
          name,
          scopes: Type.Optional(
            Type.Array(anyOf, {
              minItems: 1,
              maxItems: scopes.length,
              description: `The scopes: any of ${scopes.join(', ')}.`,
            }),
          ),
          ...expiryFields,
          rateLimit: Type.Optional(rateLimit),
          ...moveFields,
        },
        { description: 'A JSON object, which may be empty.' },
      ),
      creates: `${base}/{keyID}`,
      answer: Type.Object(issued, { title: 'IssuedKey' }),
      refusals: [...refusals, 'forbidden', 'key_limit'],
    },
    async (request, { keys, realms }) => {
      const { body, by, caller } = request
      const { expiresIn: _, ...rest } = body
      const expiresAt = expiryOf(body)
      const realm = await realmOf(request, realms)
      const wanted = { ...rest, ...movesOf(body), expiresAt, within: caller?.bounds }
      return ok(await keys.issue(realm, wanted, by()))
    },
  )

const list = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
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
    async (request, { keys, realms }, asked) => {
      const realm = await realmOf(request, realms)
      const page = { status: statusOf(request.query), from: asked.after?.[0], limit: rowsFor(asked) }
      return pageByNumber(await keys.of(realm, page), asked)
    },
  )

const get = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'getKey',
      tag: 'Keys',
      methods: ['GET'],
      path: `${base}/{keyID}`,
      summary: 'Read a key',
      description: 'Without its secret. Revoked and expired keys can still be read.',
      params: { ...params, keyID },
      writes: false,
      answer: keyAnswer,
      refusals: [...refusals, 'key_not_found'],
    },
    async (request, { keys, realms }) => {
      const realm = await realmOf(request, realms)
      return ok(await keys.get({ realm, id: request.params.keyID }))
    },
  )

const rotate = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'rotateKey',
      tag: 'Keys',
      methods: ['POST'],
      path: `${base}/{keyID}/rotate`,
      summary: 'Replace a key',
      description:
        'Issues a key with the same name, scopes and limits. The old key keeps working for the overlap. ' +
        'The new one counts its own points for `maxPerDay`.',
      params: { ...params, keyID },
      writes: true,
      body: Type.Object(
        {
          overlapSeconds: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: overlaps.longest,
              description: `Seconds, from 0 to ${overlaps.longest}; ${overlaps.usual} by default.`,
            }),
          ),
        },
        { description: 'A JSON object, which may be empty.' },
      ),
      answer: Type.Object({ ...issued, replaced: keyAnswer }),
      refusals: [...refusals, 'forbidden', 'key_not_found', 'key_limit'],
    },
    async (request, { keys, realms }) => {
      const { params: given, body, by, caller } = request
      const key = { realm: await realmOf(request, realms), id: given.keyID }
      const overlapSeconds = body.overlapSeconds ?? overlaps.usual
      const rotation = { overlapSeconds, within: caller?.bounds }
      return ok(await keys.rotate(key, rotation, by()))
    },
  )

const never = 'never'

const change = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'updateKey',
      tag: 'Keys',
      methods: ['PATCH'],
      path: `${base}/{keyID}`,
      summary: 'Rename a key, or set or clear its expiry and its limits',
      params: { ...params, keyID },
      writes: true,
      body: Type.Object(
        {
          name,
          rateLimit: Type.Optional(rateLimit),
          ...moveFields,
          expiresAt: Type.Optional(
            Type.Union([Type.Literal(never), time, Type.Null()], {
              description: `${timeWords} Null or "${never}": the key does not expire.`,
            }),
          ),
          expiresIn: expiryFields.expiresIn,
        },
        { description: 'A JSON object with the fields to change.' },
      ),
      answer: keyAnswer,
      refusals: [...refusals, 'forbidden', 'key_not_found'],
    },
    async (request, { keys, realms }) => {
      const { params: given, body, by, caller } = request
      const { expiresAt, expiresIn, ...rest } = body
      refuseBoth(body)
      const isLifted = expiresAt === never || expiresAt === null
      const ends = isLifted ? null : expiryOf({ expiresAt, expiresIn })
      const key = { realm: await realmOf(request, realms), id: given.keyID }
      const wanted = { ...rest, ...movesOf(body), expiresAt: ends, within: caller?.bounds }
      return ok(await keys.change(key, wanted, by()))
    },
  )

const revoke = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'revokeKey',
      tag: 'Keys',
      methods: ['DELETE'],
      path: `${base}/{keyID}`,
      summary: 'Revoke a key',
      description: 'The key stops working everywhere within one second. It can still be read, as `revoked`.',
      params: { ...params, keyID },
      writes: true,
      deletes: true,
      refusals: [...refusals, 'key_not_found'],
    },
    async (request, { keys, realms }) => {
      const key = { realm: await realmOf(request, realms), id: request.params.keyID }
      await keys.revoke(key, request.by())
      return gone
    },
  )
