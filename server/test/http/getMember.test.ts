import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { empty, poor, rich, unknownMember } from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { entryCount, query } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asManager, v4 } from '../../../tests/support/v4.ts'

const made = suite()
const { send, member, adjust } = v4(made)
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('200', () => {
  it('a member is returned completely: exact id, names, balances, dates', async () => {
    const { status, json, headers } = await member(rich)
    const { pointId, secondPointId, id: realmId } = made.fixture.realm
    assert.equal(status, 200)
    assert.match(headers['content-type'] ?? '', /^application\/json/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.ok(headers['x-request-id'])
    const { joinedAt, updatedAt, ...rest } = json
    assert.deepEqual(rest, {
      id: rich,
      realmId,
      username: 'rich',
      displayName: null,
      balances: { [pointId]: 100_000, [secondPointId]: 0 },
      tokenBalance: 100_000,
      held: {},
      frozen: false,
      hidden: false,
    })
    assert.match(joinedAt, isoDate)
    assert.match(updatedAt, isoDate)
  })

  it('the default point type is the first key, regardless of sort order', async () => {
    const { pointId, secondPointId } = made.fixture.realm
    assert.ok(secondPointId < pointId)
    assert.deepEqual(Object.keys((await member(rich)).json.balances), [pointId, secondPointId])
  })

  it('two members whose ids JSON.parse would confuse stay distinct', async () => {
    assert.equal(Number(rich), Number(poor))
    assert.equal((await member(rich)).json.tokenBalance, 100_000)
    assert.equal((await member(poor)).json.tokenBalance, 5)
  })

  it('a member without entries has 0 of every point type', async () => {
    const { status, json } = await member(empty)
    assert.equal(status, 200)
    assert.equal(json.id, empty)
    assert.deepEqual(Object.values(json.balances), [0, 0])
    assert.equal(json.tokenBalance, 0)
  })

  it('a change is visible at once and updates updatedAt, not joinedAt', async () => {
    const before = (await member(poor)).json
    await adjust(poor, { tokens: 2 })
    const after = (await member(poor)).json
    assert.equal(after.tokenBalance, 7)
    assert.equal(after.joinedAt, before.joinedAt)
    assert.ok(after.updatedAt > before.updatedAt)
    await adjust(poor, { tokens: -2 })
  })

  it('unknown query parameters are ignored on a read', async () =>
    assert.equal((await send('GET', `/members/${rich}?utm=1&tokens=5`)).status, 200))

  it('a content type without a body is a plain GET', async () => {
    const headers = { 'content-type': 'application/json' }
    assert.equal((await member(rich, { headers })).status, 200)
  })

  it('a percent-encoded path is decoded', async () =>
    assert.equal((await member(`%31${rich.slice(1)}`)).json.id, rich))

  it('a read writes nothing', async () => {
    const before = await entryCount(made)
    await member(rich)
    await member(unknownMember)
    assert.equal(await entryCount(made), before)
  })

  it('another default comes first, and tokenBalance follows it', async () => {
    const { id, pointId, secondPointId } = made.fixture.realm
    const path = `/realms/${id}`
    await adjust(rich, { tokens: 3, realmPointId: secondPointId })
    await asManager(made, 'PATCH', { path, body: { defaultPointId: secondPointId } })
    const { json } = await member(rich)
    assert.deepEqual(Object.keys(json.balances), [secondPointId, pointId])
    assert.equal(json.tokenBalance, 3)
    await asManager(made, 'PATCH', { path, body: { defaultPointId: pointId } })
    assert.equal((await member(rich)).json.tokenBalance, 100_000)
  })

  it('an archived point type is neither listed nor accepted', async () => {
    const { id, pointId, secondPointId } = made.fixture.realm
    const realm = '(select realm from realms where id = $1)'
    const bump = `update heads set config_version = config_version + 1 where realm = ${realm}`
    const archive = `update points set archived_at = now() where realm = ${realm} and id = $2`
    await query(made.database, archive, [id, secondPointId])
    await query(made.database, bump, [id])
    assert.deepEqual(Object.keys((await member(rich)).json.balances), [pointId])
    const taken = await adjust(rich, { tokens: 1, realmPointId: secondPointId })
    assertProblem(taken, 404, 'point_not_found')
  })
})

describe('400', () => {
  it('an invalid member id is rejected', async () => {
    const numbers = ['0', '-1', '1.5', '1e3', '007', '%2B7', '9223372036854775808', '99999999999999999999999']
    const words = ['abc', '%zz', '%', '%00', '1%20', '%201', '1'.repeat(200), '%EF%BC%91', '1%0A', '1,2']
    for (const id of [...numbers, ...words]) assertInvalid(await member(id), 'path:memberID')
  })
})

describe('404', () => {
  it('an unknown member is reported', async () => {
    const answer = await member(unknownMember)
    assertProblem(answer, 404, 'member_not_found')
    assert.match(answer.json.detail, /no member 77\b/)
  })

  it('a member of another realm is unknown here', async () => {
    const { other } = made.fixture
    const path = `/realms/${other.id}/members`
    await asManager(made, 'POST', { path, body: { members: [{ id: unknownMember, username: 'someone' }] } })
    assertProblem(await member(unknownMember), 404, 'member_not_found')
    assert.equal((await v4(made, () => other).member(unknownMember)).json.username, 'someone')
  })
})
