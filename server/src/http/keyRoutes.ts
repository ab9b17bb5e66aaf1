import { keyForm, overlaps, scopes } from '../keys/keys.ts'
import { ok } from './problem.ts'
import type { Route } from './route.ts'
import { listedFields, nullable, rateLimit, Type, text, time, timeWords } from './schemas.ts'
import type { RealmDoor } from './twoDoors.ts'

const listed = {
  ...listedFields,
  scopes: nullable(
    Type.Array(Type.String(), {
      description: 'Null for a key made without: it may read members and wallets, and change points.',
    }),
  ),
  rateLimit,
}
const issued = { ...listed, key: Type.String({ pattern: keyForm.pattern }) }
const name = Type.Optional(text(100, 'a name'))
const keyID = Type.String({ description: 'A key’s id.' })
const anyOf = Type.Union(scopes.map((scope) => Type.Literal(scope)))

export function keyRoutesAt(door: RealmDoor): Route[] {
  return [issue(door), list(door), rotate(door), change(door), revoke(door)]
}

const issue = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['POST'],
      path: base,
      summary: 'Issue a key',
      description:
        'The key is in this answer and nowhere else: it is stored only as a keyed hash. With scopes it may ' +
        'do what they name and nothing else; without, it may read members and wallets and change points.',
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
          expiresAt: Type.Optional(time),
          rateLimit: Type.Optional(rateLimit),
        },
        { description: 'A JSON object, which may be empty.' },
      ),
      answer: Type.Object(issued),
      refusals,
    },
    async (request, services) => {
      const { body, by } = request
      const expiresAt = body.expiresAt === undefined ? undefined : new Date(body.expiresAt)
      const realm = await realmOf(request, services)
      return ok(await services.keys.issue(realm, { ...body, expiresAt }, by()))
    },
  )

const list = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['GET'],
      path: base,
      summary: 'List a realm’s keys',
      params,
      writes: false,
      answer: Type.Object({ keys: Type.Array(Type.Object(listed)) }),
      refusals,
    },
    async (request, services) => ok({ keys: await services.keys.of(await realmOf(request, services)) }),
  )

const rotate = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
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
      answer: Type.Object({ ...issued, replaced: Type.Object(listed) }),
      refusals: [...refusals, 'key_not_found'],
    },
    async (request, services) => {
      const { params: given, body, by } = request
      const key = { realm: await realmOf(request, services), id: given['keyID'] ?? '' }
      return ok(await services.keys.rotate(key, body.overlapSeconds ?? overlaps.usual, by()))
    },
  )

const never = 'never'

const change = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
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
            Type.Union([Type.Literal(never), time], { description: `${timeWords} Or "${never}".` }),
          ),
        },
        { description: 'A JSON object with what is to change.' },
      ),
      answer: Type.Object(listed),
      refusals: [...refusals, 'key_not_found'],
    },
    async (request, services) => {
      const { params: given, body, by } = request
      const { expiresAt } = body
      const ends = expiresAt === undefined ? undefined : expiresAt === never ? null : new Date(expiresAt)
      const key = { realm: await realmOf(request, services), id: given['keyID'] ?? '' }
      return ok(await services.keys.change(key, { ...body, expiresAt: ends }, by()))
    },
  )

const revoke = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['DELETE'],
      path: `${base}/{keyID}`,
      summary: 'Revoke a key',
      description: 'It stops working everywhere within one second.',
      params: { ...params, keyID },
      writes: true,
      answer: Type.Object(listed),
      refusals: [...refusals, 'key_not_found'],
    },
    async (request, services) => {
      const key = { realm: await realmOf(request, services), id: request.params['keyID'] ?? '' }
      return ok(await services.keys.revoke(key, request.by()))
    },
  )
