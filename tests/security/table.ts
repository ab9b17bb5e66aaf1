import { setTimeout as sleep } from 'node:timers/promises'
import { type Route, scopesNeeded } from '../../server/src/http/route/route.ts'
import { documented } from '../../server/src/http/routes.ts'
import { keyForm, scopes } from '../../server/src/keys/index.ts'
import { call } from '../support/call.ts'
import { makeRealm, operator, type RealmAccess } from '../support/fixture.ts'
import { operatorToken } from '../support/process.ts'
import type { Checks } from './checks.ts'

type Credentials = {
  readonly realm: RealmAccess
  readonly other: RealmAccess
  readonly expired: string
  readonly revoked: string
  /** A key with every scope except this one. */
  readonly without: ReadonlyMap<string, string>
  readonly expiredToken: string
  readonly revokedToken: string
}

type Issued = { readonly id: string; readonly key: string; readonly token: string }

async function makeCredentials(baseUrl: string): Promise<Credentials> {
  const access = { baseUrl, token: operatorToken }
  const [realm, other] = [await makeRealm(access), await makeRealm(access)]
  const at = `/realms/${realm.id}/keys`
  const post = async (path: string, body: object) =>
    (await operator(access, 'POST', { path, body })) as Issued
  const soon = { expiresAt: new Date(Date.now() + 2_000).toISOString() }
  const expired = (await post(at, soon)).key
  const revoked = await post(at, {})
  await operator(access, 'DELETE', { path: `${at}/${revoked.id}` })
  const without = new Map<string, string>()
  for (const scope of scopes)
    without.set(scope, (await post(at, { scopes: scopes.filter((one) => one !== scope) })).key)
  const expiredToken = (await post('/tokens', { name: 'brief', ...soon })).token
  const revokedToken = await post('/tokens', { name: 'revoked' })
  await operator(access, 'DELETE', { path: `/tokens/${revokedToken.id}` })
  await sleep(3_300)
  return {
    realm,
    other,
    expired,
    revoked: revoked.key,
    without,
    expiredToken,
    revokedToken: revokedToken.token,
  }
}

/** A well-formed key that was never issued: the server looks it up in the database. */
const unknownKey = keyForm.make()

/** A path with every parameter filled in. */
function pathOf(route: Route, realm: string): string {
  const values: Readonly<Record<string, string>> = { realmID: realm, memberID: '42' }
  return route.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => values[name] ?? '7')
}

type Case = {
  readonly name: string
  readonly key: string | undefined
  readonly realm?: string
  status: number
}

function casesOf(route: Route, held: Credentials): Case[] {
  if (route.audience === 'public') return []
  if (route.audience === 'session') {
    return [
      { name: 'no session', key: undefined, status: 401 },
      { name: 'a realm’s key', key: held.realm.key, status: 401 },
      { name: 'the operator’s token', key: operatorToken, status: 401 },
    ]
  }
  const unauthenticated: Case[] = [
    { name: 'no key', key: undefined, status: 401 },
    { name: 'a malformed key', key: 'x', status: 401 },
    { name: 'a wrong key', key: unknownKey, status: 401 },
  ]
  if (route.audience === 'operator') {
    return [
      ...unauthenticated,
      { name: 'an expired token', key: held.expiredToken, status: 401 },
      { name: 'a revoked token', key: held.revokedToken, status: 401 },
      { name: 'a realm’s key', key: held.realm.key, status: 401 },
    ]
  }
  return [
    ...unauthenticated,
    { name: 'an expired key', key: held.expired, status: 401 },
    { name: 'a revoked key', key: held.revoked, status: 401 },
    { name: 'the operator’s token', key: operatorToken, status: 401 },
    { name: 'another realm’s path', key: held.realm.key, realm: held.other.id, status: 403 },
    { name: 'a path of no realm', key: held.realm.key, realm: 'none', status: 403 },
    ...scopesNeeded(route).map((scope) => {
      return { name: 'a missing scope', key: held.without.get(scope), status: 403 }
    }),
  ]
}

/** Each from another address: wrong keys are throttled by address, and X-Forwarded-For is trusted here. */
let count = 0
const forwardedHeaders = () => ({ 'x-forwarded-for': `192.0.2.${count++ % 250}` })

const nameless = (body: string): string => body.replace(/"requestId":"[^"]*"/, '')

/** Every route, with every wrong key. New routes are included automatically. */
export async function checkTable(baseUrl: string, checks: Checks): Promise<void> {
  const held = await makeCredentials(baseUrl)
  const [refused, unsigned] = [new Set<string>(), new Set<string>()]
  for (const route of documented) {
    for (const method of route.methods) {
      for (const { name, key, realm = held.realm.id, status } of casesOf(route, held)) {
        const answer = await call(method, baseUrl + pathOf(route, realm), {
          ...(key === undefined ? {} : { key }),
          headers: forwardedHeaders(),
          ...(route.body && method !== 'GET' ? { body: { nonsense: true } } : {}),
        })
        const words = `${method} ${route.path} with ${name}: ${answer.status}, ${status} expected`
        checks.check(answer.status === status, words)
        if (answer.status === 401) {
          const bodies = route.audience === 'session' ? unsigned : refused
          bodies.add(nameless(answer.text))
          checks.check(answer.headers['www-authenticate'] === 'Bearer', `${words}: WWW-Authenticate`)
        }
        if (name === 'a missing scope')
          checks.check(answer.json?.code === 'insufficient_scope', `${words}: ${answer.json?.code}`)
      }
    }
  }
  for (const bodies of [refused, unsigned])
    checks.check(bodies.size === 1, `401 in ${bodies.size} forms: ${[...bodies].join('\n')}`)
}
