import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { rowsOf } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import { empty, managerKey, poor, rich } from '../../../tests/support/fixture.ts'
import { asRealm, manage } from '../../../tests/support/operator.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'

const anotherApp = moreApps()
const made = suite()
const members = () => `/realms/${made.fixture.realm.id}/members`
const put = (id: string, body: unknown) => manage(made.app.url, `PUT ${members()}/${id}`, body)
const putMany = (body: unknown) => manage(made.app.url, `POST ${members()}`, body)
const read = (id: string) => asRealm(made.app.url, made.fixture.realm, { line: `GET /members/${id}` })
const many = (count: number, from = 1_000_000) =>
  Array.from({ length: count }, (_, index) => ({ id: String(from + index) }))

describe('200', () => {
  it('a member is created with 0 points of every type, and is the same when read with a key', async () => {
    const { status, json } = await put('10', { username: 'ten', displayName: 'Ten' })
    assert.equal(status, 201)
    const { joinedAt, updatedAt, ...rest } = json
    assert.ok(Math.abs(Date.parse(joinedAt) - Date.now()) < 60_000)
    assert.equal(updatedAt, joinedAt)
    const { realm } = made.fixture
    assert.deepEqual(rest, {
      id: '10',
      realmId: realm.id,
      username: 'ten',
      displayName: 'Ten',
      balances: { [realm.pointId]: 0, [realm.secondPointId]: 0 },
      tokenBalance: 0,
      held: {},
      frozen: false,
      hidden: false,
      metadata: null,
      note: null,
    })
    const { metadata: _metadata, note: _note, ...seen } = json
    assert.deepEqual((await read('10')).json, seen)
  })

  it('a member without names has null names', async () => {
    const { json } = await put('11', { username: null })
    assert.equal(json.username, null)
    assert.equal(json.displayName, null)
  })

  it('a rename changes the given fields and nothing else', async () => {
    await put('12', { username: 'twelve', displayName: 'Twelve' })
    await asRealm(made.app.url, made.fixture.realm, {
      line: 'PATCH /members/12/tokenBalance',
      body: { tokens: 7 },
    })
    const before = (await put('12', {})).json
    const { json } = await put('12', { displayName: '🦊 Zwölf' })
    assert.deepEqual({ ...json, updatedAt: '' }, { ...before, displayName: '🦊 Zwölf', updatedAt: '' })
    assert.ok(json.updatedAt >= before.updatedAt)
    assert.equal(json.tokenBalance, 7)
  })

  it('the largest id is valid, and neighbours that a float would confuse stay distinct', async () => {
    await put(rich, { username: 'rich' })
    await put(poor, { username: 'poor' })
    assert.equal((await put(empty, {})).json.id, empty)
    assert.equal((await read(rich)).json.username, 'rich')
    assert.equal((await read(poor)).json.username, 'poor')
  })

  it('many are created and renamed in one request, and the response has both counts', async () => {
    const first = await putMany({ members: [{ id: '20' }, { id: '21', username: 'a' }] })
    assert.deepEqual(first.json, { created: 2, updated: 0 })
    const second = await putMany({ members: [{ id: '21', username: 'b' }, { id: '22' }] })
    assert.deepEqual(second.json, { created: 1, updated: 1 })
    assert.equal((await read('21')).json.username, 'b')
  })

  it('a member who is listed twice is created once, with the last values', async () => {
    const list = [
      { id: '30', username: 'first' },
      { id: 30, username: 'last' },
    ]
    assert.deepEqual((await putMany({ members: list })).json, { created: 1, updated: 0 })
    assert.equal((await read('30')).json.username, 'last')
  })

  it('an id that is a JSON number beyond 2^53 names exactly that member', async () => {
    const raw = '{"members":[{"id":1190194345295482953,"username":"exact"}]}'
    const key = await managerKey({ baseUrl: made.app.url, token: operatorToken }, made.fixture.realm.id)
    const answer = await call('POST', `${made.app.url}/api/v4${members()}`, { key, raw })
    assert.deepEqual(answer.json, { created: 1, updated: 0 })
    assert.equal((await read('1190194345295482953')).json.username, 'exact')
    assert.equal((await read('1190194345295482954')).status, 404)
  })

  it('1000 members fit in one request', async () => {
    assert.deepEqual((await putMany({ members: many(1000) })).json, { created: 1000, updated: 0 })
    assert.deepEqual((await putMany({ members: many(1000, 1_000_500) })).json, { created: 500, updated: 500 })
  })

  it('a member created by two servers at once is one member with one account', async () => {
    const { other } = made.fixture
    const urls = [made.app.url, (await anotherApp(made)).url]
    const list = many(50, 5_000)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        manage(urls[index % 2] ?? '', `POST /realms/${other.id}/members`, { members: list }),
      ),
    )
    assert.equal(
      answers.reduce((sum, answer) => sum + answer.json.created, 0),
      50,
    )
    const rows = await rowsOf(
      made.database.superuserUrl,
      `select m.account from members m join realms r on r.realm = m.realm where r.id = $1 order by 1`,
      [other.id],
    )
    assert.deepEqual(
      rows.map((row) => row.account),
      list.map((_, index) => index + 1),
    )
  })
})

describe('400', () => {
  for (const id of [
    '0',
    '01',
    '-1',
    '+1',
    '1.0',
    '1e3',
    'abc',
    '9223372036854775808',
    '99999999999999999999',
  ]) {
    it(`${id} in the path is not a member id`, async () => {
      const { status, json } = await put(id, {})
      assert.equal(status, 400)
      assert.equal(json.errors[0].pointer, 'path:memberID')
    })
  }

  const lists: [what: string, body: unknown, pointer: string][] = [
    ['no list', {}, '/members'],
    ['an empty list', { members: [] }, '/members'],
    ['1001 members', { members: many(1001, 2_000_000) }, '/members'],
    ['an entry without id', { members: [{ id: '2000000' }, {}] }, '/members/1/id'],
    ['an id of 0', { members: [{ id: 0 }] }, '/members/0/id'],
    ['an id with a fraction', { members: [{ id: 1.5 }] }, '/members/0/id'],
    [
      'a name that is too long',
      { members: [{ id: 2_000_000, username: 'n'.repeat(101) }] },
      '/members/0/username',
    ],
  ]
  for (const [what, body, pointer] of lists) {
    it(`${what} is rejected with its location, and no member is created`, async () => {
      const { status, json } = await putMany(body)
      assert.equal(status, 400, JSON.stringify(json))
      assert.ok(
        json.errors.some((error: { pointer: string }) => error.pointer === pointer),
        JSON.stringify(json.errors),
      )
      assert.equal((await read('2000000')).status, 404)
    })
  }
})

describe('413', () => {
  it('a body beyond 256 KiB is not read', async () => {
    const members = many(1000).map((member) => ({ ...member, note: 'x'.repeat(300) }))
    const { status, json } = await putMany({ members })
    assert.equal(status, 413)
    assert.equal(json.code, 'body_too_large')
  })
})
