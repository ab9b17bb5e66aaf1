import { setTimeout as sleep } from 'node:timers/promises'
import { type Route, scopesNeeded } from '../../server/src/http/route/route.ts'
import { documented } from '../../server/src/http/routes.ts'
import { type Scope, scopes } from '../../server/src/keys/index.ts'
import { call } from '../support/call.ts'
import { makeRealm, operator } from '../support/fixture.ts'
import { operatorToken } from '../support/process.ts'
import { evmSigner } from '../support/signers.ts'
import type { Checks } from './checks.ts'

/** A kind of data, a text that only it contains, and its scopes. `realm:admin` covers all. */
type Secret = { readonly what: string; readonly text: string; readonly scopes: readonly Scope[] }

type Seeded = {
  readonly realm: string
  readonly secrets: readonly Secret[]
  readonly address: string
  readonly values: Readonly<Record<string, string>>
  readonly keyFor: (scopes: readonly Scope[]) => Promise<string>
}

const memberId = '7770777'
const chain = 'eip155:8453'

async function seed(baseUrl: string): Promise<Seeded> {
  const access = { baseUrl, token: operatorToken }
  const { id: realm } = await makeRealm(access)
  const keyFor = async (may: readonly Scope[]) => {
    const body = { scopes: may, name: may.length > 1 ? 'secretkeyname' : 'one scope' }
    return ((await operator(access, 'POST', { path: `/realms/${realm}/keys`, body })) as { key: string }).key
  }
  const key = await keyFor(scopes)
  const send: Send = async (line, body) => {
    const [method = '', path = ''] = line.split(' ')
    const answer = await call(method, `${baseUrl}/api/v4/realms/${realm}${path}`, { key, body })
    if (answer.status >= 300) throw new Error(`${line}: ${answer.status} ${answer.text}`)
    return answer.json
  }
  const named = { username: 'secretname', displayName: 'secretdisplay' }
  await send(`PUT /members/${memberId}`, { ...named, note: 'secretnote', metadata: { own: 'secretown' } })
  const address = await prove(send, memberId)
  const said = { reason: 'secretreason', reference: 'secretreference', metadata: { own: 'secretsaid' } }
  await send(`PATCH /members/${memberId}/tokenBalance`, { tokens: 4_242_424, ...said })
  const hold = await send(`POST /members/${memberId}/holds`, { tokens: 31_313, ...said })
  const award = await send(`POST /members/${memberId}/awards`, { tokens: 27_272, ...said })
  // Of two members, so that totals differ from one member's values.
  await send('PUT /members/8880888', {})
  await prove(send, '8880888')
  await send('PATCH /members/8880888/tokenBalance', { tokens: 9 })
  await send('POST /snapshots', { id: 'taken', chain })
  const hook = await send('POST /webhooks', {
    url: 'https://example.com/events',
    types: ['endpoint.disabled'],
  })
  await send('POST /invitations', { name: 'secretinvited', role: 'viewer' })
  await sleep(1_500)
  const values = {
    realmID: realm,
    memberID: memberId,
    snapshotID: 'taken',
    holdID: hold.holdId,
    awardID: award.awardId,
    webhookID: hook.id,
  }
  return { realm, secrets: secretsOf(address), address, values, keyFor }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several routes
type Send = (line: string, body: object) => Promise<any>

async function prove(send: Send, member: string): Promise<string> {
  const { address, sign } = evmSigner()
  const { message } = await send(`POST /members/${member}/wallets/challenges`, { address, chain })
  await send(`POST /members/${member}/wallets`, { address, message, signature: sign(message) })
  return address
}

function secretsOf(address: string): Secret[] {
  const secret = (what: string, text: string, ...named: Scope[]) => ({ what, text, scopes: named })
  return [
    secret('a username', 'secretname', 'members:read'),
    secret('a displayName', 'secretdisplay', 'members:read'),
    secret('a note', 'secretnote', 'members:write'),
    secret('a member’s metadata', 'secretown', 'members:write'),
    secret('a wallet', address, 'wallets:read'),
    secret('a balance', '4211111', 'members:read', 'journal:read'),
    secret('a hold', '31313', 'members:read', 'journal:read'),
    secret('an award', '27272', 'members:read', 'journal:read'),
    secret('a reason', 'secretreason', 'journal:read'),
    secret('a reference', 'secretreference', 'journal:read'),
    secret('metadata of an entry', 'secretsaid', 'journal:read'),
    secret('an invitation', 'secretinvited'),
    secret('a key’s name', 'secretkeyname'),
  ]
}

const everything: Scope = 'realm:admin'

/** The URLs of a route: as it is, and with each query parameter that filters. */
function urlsOf(route: Route, { values, address }: Seeded): string[] {
  const path = route.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => values[name] ?? '1')
  const given: Readonly<Record<string, string>> = { wallet: address, wallets: address, at: '2100-01-01' }
  const queries = Object.keys(route.query ?? {}).filter((name) => given[name] !== undefined)
  return [path, ...queries.map((name) => `${path}?${name}=${given[name]}`)]
}

/** Each scope alone, on every GET: no response shows data that the scope does not cover. */
export async function checkScopes(baseUrl: string, checks: Checks): Promise<void> {
  const seeded = await seed(baseUrl)
  const gets = documented.filter(({ audience, methods }) => audience === 'realm' && methods.includes('GET'))
  const shows = async (url: string, key: string) => {
    const { status, text } = await call('GET', baseUrl + url, { key })
    const seen = status === 200 ? seeded.secrets.filter((one) => isIn(text, one.text)) : []
    return { status, seen }
  }
  for (const scope of scopes) {
    const key = await seeded.keyFor([scope])
    for (const url of gets.flatMap((route) => urlsOf(route, seeded))) {
      const { status, seen } = await shows(url, key)
      if (scope === everything) continue
      for (const { what, scopes: named } of seeded.secrets.filter((one) => seen.includes(one)))
        checks.check(named.includes(scope), `${scope} alone reads ${what} at ${url}`)
      const asksForWallet = url.includes(`=${seeded.address}`)
      const mayAsk = !asksForWallet || status !== 200 || scope === 'wallets:read'
      checks.check(mayAsk, `${scope} alone searches by wallet at ${url}`)
    }
  }
  await checkThemselves({ seeded, gets, shows, checks })
}

/** Proves that the check works: with the scopes of the routes, each secret is shown somewhere. */
async function checkThemselves({
  seeded,
  gets,
  shows,
  checks,
}: {
  readonly seeded: Seeded
  readonly gets: readonly Route[]
  readonly shows: (url: string, key: string) => Promise<{ status: number; seen: Secret[] }>
  readonly checks: Checks
}): Promise<void> {
  const key = await seeded.keyFor(scopes)
  const seen = new Set<Secret>()
  for (const route of gets) {
    const own = await seeded.keyFor(scopesNeeded(route))
    for (const url of urlsOf(route, seeded)) {
      for (const secret of (await shows(url, key)).seen) seen.add(secret)
      if (url.includes('?')) continue
      const [{ status: all }, { status: named }] = [await shows(url, key), await shows(url, own)]
      checks.check(named === all, `with the scopes of ${url}: ${named}, with all: ${all}`)
    }
  }
  for (const secret of seeded.secrets) checks.check(seen.has(secret), `${secret.what} is shown nowhere`)
}

const isIn = (text: string, secret: string): boolean =>
  text.toLowerCase().replaceAll(',', '').includes(secret.toLowerCase())
