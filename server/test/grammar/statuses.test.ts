import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, type Call, call } from '../../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { anOperator, invitedPerson } from '../../../tests/support/person.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { proving } from '../../../tests/support/proving.ts'
import { evmSigner } from '../../../tests/support/signers.ts'
import { suite } from '../../../tests/support/suite.ts'
import type { Route } from '../../src/http/route/route.ts'
import { documented } from '../../src/http/routes.ts'
import { misdeclared, titleOf } from './declared.ts'

/** Methods and statuses are the same on every route: for creations, deletions and actions. */

/** What is wrong with the response to a creation, and with a GET of its Location. */
function wrongCreation({ status, headers }: Answer, read: Answer): string[] {
  if (status !== 201) return [`answered ${status}`]
  if (!headers.location) return ['has no Location']
  return read.status === 200 ? [] : [`its Location answers ${read.status}`]
}

/** What is wrong with a deletion that was sent twice. */
function wrongDeletion(first: Answer, second: Answer, then = 404): string[] {
  const { status, text, headers } = first
  if (status !== 204 || text !== '') return [`answered ${status} ${text}`]
  if (headers['content-type'] !== undefined || headers['content-length'] !== undefined)
    return ['has the headers of a body']
  return second.status === then ? [] : [`the second one answered ${second.status}`]
}

/** What is wrong with a dry run. */
function wrongRehearsal({ status, json, text, headers }: Answer, state: readonly [string, string]): string[] {
  if (status !== 200) return [`answered ${status} ${text}`]
  if (json.dryRun !== true) return ['is not marked']
  if (text.includes('"transactionId":') && !text.includes('"reversed":')) return ['names an entry']
  if (headers.location !== undefined) return ['has a Location']
  return state[0] === state[1] ? [] : ['changed something']
}

const chain = 'eip155:1'
let realm: ManagedRealm
const made = suite({ CHAINS: `${chain}=http://127.0.0.1:9` }, async (suited) => {
  realm = await managed(suited)
  for (let n = 0; n < 50; n++) await realm.send('POST /points', { id: `lapse${n}` })
  const ids = [1, 2, 901, 902, 903]
  await realm.send('POST /members', { members: ids.map((id) => ({ id })) })
  await realm.send('POST /members/902/merges', { from: '903', force: true })
  // The entry that is reversed is a small one: the rest is held or spent by then.
  await realm.send('PATCH /members/1/tokenBalance', { tokens: 1, reference: 'opening' })
  await realm.send('PATCH /members/1/tokenBalance', { tokens: 1_000 })
  await proving(() => realm).prove(evmSigner(), { chain })
})

let last = 0
function next(): number {
  last += 1
  return last
}
const fresh = (): string => `new-${next()}`
const freshWallet = (): string => `0x${String(next()).padStart(40, '0')}`

/** The path of a route in the realm or the installation, and what is sent to it. */
type Recipe = { readonly params?: Readonly<Record<string, string>>; readonly body?: object }

const newMember = () => ({ params: { memberID: String(1_000 + next()) }, body: {} })
const creations: Readonly<Record<string, () => Recipe>> = {
  '/operator/v1/realms': () => ({ body: { id: fresh() } }),
  '/operator/v1/tokens': () => ({ body: { name: 'ann' } }),
  '/operator/v1/invitations': () => ({ body: { name: 'Ann' } }),
  '/keys': () => ({ body: {} }),
  '/points': () => ({ body: {} }),
  '/points/{realmPointId}/lapse': () => ({
    params: { realmPointId: `lapse${next() % 50}` },
    body: { after: { days: 30 } },
  }),
  '/invitations': () => ({ body: { name: 'Ann', role: 'viewer' } }),
  '/members/{memberID}': newMember,
  '/members/{memberID}/wallets': () => ({ params: { memberID: '1' }, body: { address: freshWallet() } }),
  '/members/{memberID}/identities': () => ({
    params: { memberID: '2' },
    body: { identity: `email:${fresh()}@example.org` },
  }),
  '/members/{memberID}/identities/{identity}': () => ({
    params: { memberID: '1', identity: `game:${fresh()}` },
    body: {},
  }),
  '/members/{memberID}/merges': () => ({ params: { memberID: '2' }, body: { from: '901', force: true } }),
  '/members/{memberID}/holds': () => ({ params: { memberID: '1' }, body: { tokens: 1 } }),
  '/members/{memberID}/awards': () => ({ params: { memberID: '1' }, body: { tokens: 1 } }),
  '/web3/collections/{collectionID}': () => ({
    params: { collectionID: fresh() },
    body: { chain, standard: 'native' },
  }),
  '/snapshots': () => ({ body: { id: fresh(), chain } }),
  '/webhooks': () => ({ body: { url: 'https://example.com/events', types: ['endpoint.disabled'] } }),
}

const ofRealm = /^\/(api\/v4|operator\/v1)\/realms\/\{realmID\}(?=\/)/
const suffixOf = ({ path }: Route): string => path.replace(ofRealm, '')

const pathOf = (path: string, params: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'realmID' ? realm.id : (params[name] ?? '')))

async function ask(method: string, path: string, options: Call = {}): Promise<Answer> {
  const key = path.startsWith('/operator/') ? operatorToken : await adminKey()
  return call(method, made.app.url + path, { key, ...options })
}

let admin: Promise<string> | undefined
const adminKey = (): Promise<string> => {
  const scopes = ['members:read', 'members:write', 'wallets:read', 'wallets:write']
  admin ??= realm
    .send('POST /keys', { scopes: [...scopes, 'points:write', 'journal:read', 'realm:admin'] })
    .then(({ json }) => json.key as string)
  return admin
}

async function create(route: Route, options: Call = {}): Promise<Answer> {
  const recipe = creations[suffixOf(route)]
  assert.ok(recipe, `${titleOf(route)} has no recipe here`)
  const { params, body } = recipe()
  return ask(route.methods[0] ?? '', pathOf(route.path, params), { body, ...options })
}

const creating = documented.filter(({ creates }) => creates)
const deleting = documented.filter(({ deletes }) => deletes)
const rehearsed = documented.filter(({ query }) => query?.['dryRun'])

describe('routes', () => {
  it('are declared correctly: every POST creates, or is one of the listed actions', () => {
    assert.deepEqual(misdeclared(documented), [])
  })

  it('with a wrong declaration are detected', () => {
    const one = (path: string) => documented.filter((route) => route.path === path)
    const planted = (route: Route, change: object) => misdeclared([...documented, { ...route, ...change }])
    for (const [path, change, words] of [
      ['/api/v4/realms/{realmID}/points', { creates: undefined }, /neither creates/],
      ['/api/v4/realms/{realmID}/points', { creates: '/nowhere/{id}' }, /can’t be read/],
      ['/api/v4/realms/{realmID}/keys/{keyID}', { deletes: undefined }, /is a DELETE/],
      ['/api/v4/realms/{realmID}/members/{memberID}', { creates: undefined }, /is a PUT/],
    ] as const) {
      const found = one(path).flatMap((route) => planted(route, change))
      assert.ok(
        found.some((fault) => words.test(fault)),
        path,
      )
    }
  })
})

describe('what creates', () => {
  for (const route of creating) {
    it(`${titleOf(route)}: 201 with a Location that answers 200`, async () => {
      const answer = await create(route)
      const read = await ask('GET', answer.headers.location ?? '/')
      assert.deepEqual(wrongCreation(answer, read), [], answer.text)
      const again = await ask('GET', answer.headers.location ?? '/')
      assert.deepEqual(wrongCreation({ ...answer, status: 200 }, again), ['answered 200'])
      assert.deepEqual(wrongCreation({ ...answer, headers: {} }, again), ['has no Location'])
      assert.deepEqual(wrongCreation(answer, { ...again, status: 404 }), ['its Location answers 404'])
    })
  }

  it('is 200 when a PUT changes an existing resource, and keeps omitted fields', async () => {
    const member = '/api/v4/realms/{realmID}/members/{memberID}'
    const at = pathOf(member, { memberID: '77' })
    assert.equal((await ask('PUT', at, { body: { username: 'ann', note: 'x' } })).status, 201)
    const changed = await ask('PUT', at, { body: { note: null } })
    assert.deepEqual([changed.status, changed.json.username, changed.json.note], [200, 'ann', null])
    assert.equal(changed.headers.location, undefined)
  })

  it('answers a replay with the same status and Location, and null where a secret was', async () => {
    for (const [path, secret] of [
      ['/keys', 'key'],
      ['/invitations', 'link'],
      ['/members/1/holds', undefined],
      ['/members/1/awards', undefined],
    ] as const) {
      const body =
        path === '/keys' ? {} : path === '/invitations' ? { name: 'B', role: 'viewer' } : { tokens: 1 }
      const options = { body, headers: { 'idempotency-key': fresh() } }
      const at = `/api/v4/realms/${realm.id}${path}`
      const [first, again] = [await ask('POST', at, options), await ask('POST', at, options)]
      assert.deepEqual([again.status, again.headers.location], [201, first.headers.location], path)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.deepEqual(again.json, secret ? { ...first.json, [secret]: null } : first.json)
    }
  })
})

describe('what deletes', () => {
  for (const route of deleting) {
    const maker = creating.find(({ creates }) => creates === route.path)
    if (!maker) continue
    it(`${titleOf(route)}: 204, then 404`, async () => {
      const at = (await create(maker)).headers.location ?? '/'
      const [first, second] = [await ask('DELETE', at), await ask('DELETE', at)]
      assert.deepEqual(wrongDeletion(first, second), [])
      assert.deepEqual(wrongDeletion({ ...first, status: 200 }, second), ['answered 200 '])
      assert.deepEqual(wrongDeletion(first, first), ['the second one answered 204'])
    })
  }

  it('a person and an operator: 204, then 404; sign-out: 204, then 401', async () => {
    const known = new Set(creating.map(({ creates }) => creates))
    const others = new Set(deleting.map(({ path }) => path).filter((path) => !known.has(path)))
    for (const path of others) assert.match(path, /\/people\/\{personID\}$|^\/console\/session$/)
    const ann = await invitedPerson(made.app.url, realm, { role: 'owner' })
    const olga = await anOperator(made.app.url)
    for (const [person, at] of [
      [ann, `/api/v4/realms/${realm.id}/people`],
      [olga, '/operator/v1/people'],
    ] as const) {
      const { id } = (await person.send('GET', '/console/session')).json.person
      assert.equal((await ask('GET', `${at}/${id}`)).json.id, id)
      const deletions = [await ask('DELETE', `${at}/${id}`), await ask('DELETE', `${at}/${id}`)] as const
      assert.deepEqual(wrongDeletion(...deletions), [])
    }
    const out = () => ann.send('DELETE', '/console/session')
    assert.deepEqual(wrongDeletion(await out(), await out(), 401), [])
  })
})

describe('a dry run', () => {
  const changes = [{ memberId: '1', tokens: 1 }]
  const bodies: Readonly<Record<string, object | string>> = {
    '/points/{realmPointId}/lapse': { after: { days: 30 } },
    '/members/{memberID}/tokenBalance': { tokens: 1 },
    '/members/{memberID}/transfer': { tokens: 1, recipientId: '2' },
    '/members/tokenBalance': { entries: changes },
    '/changes': { changes },
    '/entries/{transactionID}/reverse': {},
    '/reversals': { filter: { reference: 'opening' } },
    '/members/{memberID}/merges': { from: '902', force: true },
    '/merges/{mergeNumber}/undo': {},
    '/members/{memberID}/holds': { tokens: 1 },
    '/holds/{holdID}/capture': {},
    '/holds/{holdID}/release': {},
    '/members/{memberID}/awards': { tokens: 1 },
    '/awards/{awardID}/grant': {},
    '/awards/{awardID}/cancel': {},
    '/snapshots': { id: 'tried', chain },
    '/import': 'id,balance\n99,5\n',
  }
  const state = async (): Promise<string> => {
    const own = ['/members/1', '/members/2', '/members/1/holds', '/awards']
    const paths = ['/journal?limit=1', '/snapshots', ...own]
    const read = await Promise.all(paths.map((path) => ask('GET', `/api/v4/realms/${realm.id}${path}`)))
    return JSON.stringify(read.map(({ json }) => json))
  }

  for (const route of rehearsed) {
    // An award needs a chain that was read: awards.test.ts.
    if (suffixOf(route) === '/web3/awards') continue
    it(`${titleOf(route)}: marked, without an entry, and nothing is changed`, async () => {
      const body = bodies[suffixOf(route)]
      assert.ok(body !== undefined, 'a body is needed here')
      const held = (await realm.send('POST /members/1/holds', { tokens: 1 })).json.holdId
      const awardID = (await realm.send('POST /members/1/awards', { tokens: 1 })).json.awardId
      const before = await state()
      // A member with held points can't be merged.
      const memberID = suffixOf(route).endsWith('/merges') ? '2' : '1'
      const own = { memberID, holdID: held, awardID, realmPointId: realm.pointId }
      const params = { ...own, transactionID: '1', mergeNumber: '1' }
      const query = suffixOf(route) === '/import' ? '?dryRun=true&name=tried' : '?dryRun=true'
      const csv = { 'content-type': 'text/csv' }
      const sent = typeof body === 'string' ? { raw: body, headers: csv } : { body }
      const answer = await ask(route.methods[0] ?? '', pathOf(route.path, params) + query, sent)
      assert.deepEqual(wrongRehearsal(answer, [before, await state()]), [], answer.text)
      assert.deepEqual(wrongRehearsal(answer, [before, 'another']), ['changed something'])
      const unmarked = { ...answer, json: { ...answer.json, dryRun: undefined } }
      assert.deepEqual(wrongRehearsal(unmarked, [before, before]), ['is not marked'])
    })
  }
})
