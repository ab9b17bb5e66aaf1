import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Answer, call } from '../../../tests/support/call.ts'
import { type FilledRealm, filledSettings, fillRealm } from '../../../tests/support/filled.ts'
import { assertInvalid } from '../../../tests/support/problem.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'
import type { Route } from '../../src/http/route/route.ts'
import { documented } from '../../src/http/routes.ts'

/** Every list has the same parameters, and every page says whether more follow. */

type Schema = { readonly type?: string; readonly properties?: Readonly<Record<string, Schema>> }
type Item = Readonly<Record<string, string>>

const made = suite(filledSettings)
let filled: FilledRealm

before(async () => {
  // A hook of the suite starts its server.
  while (!made.fixture) await new Promise((resolve) => setTimeout(resolve, 50))
  filled = await fillRealm(made)
  // Leaderboards are fresh within a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
})

const isRead = ({ methods, audience }: Route) =>
  methods.includes('GET') && (audience === 'realm' || audience === 'operator')
const reads = documented.filter(isRead)
const lists = reads.filter(({ list }) => list)
const fieldsOf = ({ answer }: Route) => Object.entries((answer as Schema | undefined)?.properties ?? {})

/** Reads with a bounded array that is part of one resource. */
const notLists: Readonly<Record<string, string>> = {
  'wallets of a member, in the given API': '/api/v4/realms/{realmID}/web3/members/{memberID}',
  'requested wallets': '/api/v4/realms/{realmID}/members/includes',
  'settings of a realm': '/api/v4/realms/{realmID}',
  'settings of a realm, for the operator': '/operator/v1/realms/{realmID}',
  'neighbours of a member': '/api/v4/realms/{realmID}/leaderboard/{memberID}',
  'the days of a period': '/api/v4/realms/{realmID}/statistics',
  'dates of one rule': '/api/v4/realms/{realmID}/points/{realmPointId}/lapse',
  'types and thresholds of one webhook': '/api/v4/realms/{realmID}/webhooks/{webhookID}',
  'the proof of one member': '/api/v4/realms/{realmID}/snapshots/{snapshotID}/members/{memberID}',
  'entries and points of one merge': '/api/v4/realms/{realmID}/merges/{mergeNumber}',
  'everything that a person issued': '/operator/v1/people/{personID}/issued',
}

/** One value of each filter, that matches data in the realm. A new filter needs one. */
const samples: Readonly<Record<string, string>> = {
  status: 'revoked',
  search: 'member',
  id: '1',
  idPart: '123',
  memberId: '3',
  wallet: '0x52908400098527886E0F7030069857D2E4169EE7',
  walletPart: '0x5290',
  holding: 'ether:1',
  apart: 'true',
  direction: 'in',
  realmPointId: 'point1',
  period: 'month',
  exclude: '99',
  cell: '0',
  name: 'realm',
  from: '2020-01-01T00:00:00Z',
  to: '2100-01-01T00:00:00Z',
  before: '2100-01-01',
  rule: '{"after":{"days":9}}',
}

const isBoard = ({ path }: Route) => path.endsWith('/leaderboard')
const isJournal = ({ path }: Route) => path.endsWith('/journal')

/** A query with this filter; a leaderboard has days, and both ends of a range. */
function queryOf(route: Route, name: string): Readonly<Record<string, string>> {
  const sample = samples[name]
  assert.ok(sample, `${route.path} has a filter ${name} without a sample`)
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const isEnd = name === 'from' || name === 'to'
  return isBoard(route) && isEnd ? { from: dayIn(0), to: dayIn(1) } : { [name]: sample }
}

/** Expected items of a list. A realm's data is the same for its keys and for the operator. */
const expectedIn = (path: string): readonly string[] | undefined =>
  filled.items[path] ?? filled.items[path.replace('/operator/v1/realms/', '/api/v4/realms/')]

const filtersOf = (route: Route) =>
  Object.keys(route.query ?? {}).filter((name) => name !== 'limit' && name !== 'cursor')

const textOf = (query: Readonly<Record<string, string>>): string => new URLSearchParams(query).toString()

function read(route: Route, query: Readonly<Record<string, string>> = {}, member = '1'): Promise<Answer> {
  const { realm } = filled
  const path = route.path
    .replace('{realmID}', realm.id)
    .replace('{memberID}', member)
    .replace('{snapshotID}', 'first')
    .replace('{webhookID}', '1')
    .replace('{realmPointId}', realm.pointId)
  if (route.audience === 'realm')
    return realm.send(`GET ${path.slice(`/api/v4/realms/${realm.id}`.length)}?${textOf(query)}`)
  return call('GET', `${made.app.url}${path}?${textOf(query)}`, { key: operatorToken })
}

const nameOf = (item: Item): string => {
  // Numbers of several realms.
  if (item['toSeq']) return `${item['realmId']} ${item['toSeq']}`
  const own = item['holdId'] ?? item['awardId'] ?? item['transactionId'] ?? item['id'] ?? item['address']
  const name = own ?? item['identity'] ?? item['seq'] ?? item['number'] ?? item['memberId']
  assert.ok(name, JSON.stringify(item))
  return name
}

async function page(route: Route, query: Readonly<Record<string, string>>) {
  const { status, text, json } = await read(route, query)
  assert.equal(status, 200, `${route.path}: ${text}`)
  return json as { readonly data: readonly Item[]; readonly nextCursor: string | null }
}

/** All items, one page after the other. */
async function walk(route: Route, query: Readonly<Record<string, string>>): Promise<string[]> {
  const names: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data, nextCursor } = await page(route, { ...query, limit: '1', ...(cursor ? { cursor } : {}) })
    assert.ok(data.length <= 1)
    names.push(...data.map(nameOf))
    assert.ok(names.length < 500, `${route.path} does not end`)
    cursor = nextCursor
  }
  return names
}

async function firstCursor(route: Route): Promise<string> {
  const { nextCursor } = await page(route, { limit: '1' })
  assert.ok(nextCursor, route.path)
  return nextCursor
}

const codeIn = ({ json }: Answer): string | undefined => json.errors[0].code

describe('what is a list', () => {
  it('is declared as one when it returns `data`', () => {
    const undeclared = reads.filter(
      (route) => !route.list && fieldsOf(route).some(([name]) => name === 'data'),
    )
    assert.deepEqual(
      undeclared.map(({ path }) => path),
      [],
    )
  })

  it('is every read with an array, except those listed here', () => {
    const others = reads.filter(
      (route) => !route.list && fieldsOf(route).some(([, { type }]) => type === 'array'),
    )
    const known = Object.values(notLists)
    assert.deepEqual(
      others.map(({ path }) => path).filter((path) => !known.includes(path)),
      [],
      'Create them with realmList or operatorList of http/route/list.ts, which adds pages.',
    )
  })

  it('has `limit`, `cursor`, `data` and `nextCursor`', () => {
    assert.ok(lists.length >= 20, `${lists.length} lists`)
    for (const route of lists) {
      assert.ok(route.query?.['limit'] && route.query['cursor'], route.path)
      const names = fieldsOf(route).map(([name]) => name)
      assert.deepEqual(names.slice(0, 2), ['data', 'nextCursor'], route.path)
    }
  })
})

for (const route of lists) {
  describe(`GET ${route.path}`, () => {
    it('has every item once, whatever the length of its pages', async () => {
      const { data, nextCursor } = await page(route, { limit: '1000' })
      assert.equal(nextCursor, null)
      const names = data.map(nameOf)
      assert.ok(names.length >= 3, `only ${names.length} items to list`)
      assert.equal(new Set(names).size, names.length)
      assert.deepEqual(await walk(route, {}), names)
      const expected = expectedIn(route.path)
      assert.ok(expected, `${route.path} is not filled`)
      assert.deepEqual(
        expected.filter((name) => !names.includes(name)),
        [],
      )
    })

    it('has 50 items on a page by default', async () => {
      const { data } = await page(route, {})
      const whole = (await page(route, { limit: '1000' })).data
      assert.equal(data.length, Math.min(50, whole.length))
    })

    it('rejects invalid page sizes', async () => {
      for (const limit of ['0', '1001', '-1', '1.5', 'x', ''])
        assertInvalid(await read(route, { limit }), 'query:limit')
    })

    it('rejects a made-up cursor', async () => {
      const cursor = await firstCursor(route)
      const encoded = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url')
      const [bound, ...values] = isJournal(route) ? [] : JSON.parse(String(Buffer.from(cursor, 'base64url')))
      const wrong = values.map(() => ({}))
      const texts = ['x', '', 'W10', '!', encoded(7), encoded(['x', 1]), encoded([bound, ...wrong])]
      for (const text of texts) assertInvalid(await read(route, { limit: '1', cursor: text }), 'query:cursor')
      const extreme = values.map((one: unknown) => (typeof one === 'number' ? Number.MAX_SAFE_INTEGER : one))
      const { status } = await read(route, { cursor: isJournal(route) ? '1' : encoded([bound, ...extreme]) })
      assert.ok(status === 200 || status === 400, String(status))
    })

    it('rejects a cursor of another list', async () => {
      const other = lists.find(({ path }) => path !== route.path && !path.endsWith('/journal'))
      assert.ok(other)
      const answer = await read(route, { cursor: await firstCursor(other) })
      assertInvalid(answer, 'query:cursor')
      if (!isJournal(route)) assert.equal(codeIn(answer), 'cursor_mismatch')
      if (!route.path.includes('{memberID}')) return
      const elsewhere = await read(route, { cursor: await firstCursor(route) }, '2')
      assertInvalid(elsewhere, 'query:cursor')
      assert.equal(codeIn(elsewhere), 'cursor_mismatch')
    })

    for (const filter of filtersOf(route)) {
      // Holders need a chain, which is unreachable here.
      if (filter !== 'holding')
        it(`has every item once with ${filter}`, async () => {
          const query = queryOf(route, filter)
          const names = (await page(route, { ...query, limit: '1000' })).data.map(nameOf)
          assert.deepEqual(await walk(route, query), names)
          const expected = expectedIn(`${route.path}?${textOf(query)}`) ?? []
          assert.deepEqual(
            expected.filter((name) => !names.includes(name)),
            [],
          )
        })

      // The journal's cursor is a position in the journal, independent of filters.
      if (!isJournal(route))
        it(`rejects a cursor of another ${filter}`, async () => {
          const cursor = await firstCursor(route)
          const answer = await read(route, { ...queryOf(route, filter), cursor })
          assertInvalid(answer, 'query:cursor')
          assert.equal(codeIn(answer), 'cursor_mismatch')
        })
    }
  })
}
