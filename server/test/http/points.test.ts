import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

let realm: ManagedRealm
const made = suite({}, async (suited) => {
  realm = await managed(suited, { point: { id: 'gold', name: 'Gold' } })
})
const add = (body: unknown) => realm.send('POST /points', body)
const change = (id: string, body: unknown) => realm.send(`PATCH /points/${id}`, body)
const greatest = 9_007_199_254_740_991

const plain = {
  emoji: null,
  default: false,
  archived: false,
  transferable: true,
  maxBalance: null,
  maxPerTransfer: null,
  maxPerDay: null,
  lapse: null,
}

describe('200', () => {
  it('a point type is created with its rules, and listed after the default', async () => {
    const rules = { emoji: '🪙', maxBalance: 1000, maxPerTransfer: 10, maxPerDay: 20, transferable: false }
    const { status, json, text } = await add({ id: 'silver', name: 'Silver', ...rules })
    assert.equal(status, 201, text)
    assert.deepEqual(json, { ...plain, id: 'silver', name: 'Silver', ...rules })
    const bare = (await add({})).json
    assert.match(bare.id, /^[0-9a-f]{24}$/)
    assert.deepEqual(bare, { ...plain, id: bare.id, name: bare.id })
    const listed = (await realm.send('GET /points')).json.data
    assert.deepEqual(listed, [{ ...plain, id: 'gold', name: 'Gold', default: true }, json, bare])
    assert.deepEqual((await realm.send('GET ')).json.points, listed)
  })

  it('a change keeps omitted fields, and can clear limits and the emoji', async () => {
    await add({ id: 'a', emoji: 'x', maxBalance: 5, maxPerTransfer: 6, maxPerDay: 7 })
    const renamed = await change('a', { name: 'A', maxPerDay: greatest })
    assert.deepEqual(renamed.json, {
      ...plain,
      id: 'a',
      name: 'A',
      emoji: 'x',
      maxBalance: 5,
      maxPerTransfer: 6,
      maxPerDay: greatest,
    })
    const freed = { emoji: '', maxBalance: 'none', maxPerTransfer: 'none', maxPerDay: 'none' }
    assert.deepEqual((await change('a', freed)).json, { ...plain, id: 'a', name: 'A' })
  })

  it('another becomes the default, and the old one can be archived and restored', async () => {
    await add({ id: 'b' })
    assert.equal((await change('b', { default: true })).json.default, true)
    assert.equal((await realm.send('GET ')).json.defaultPointId, 'b')
    assert.equal((await change('gold', { archived: true })).json.archived, true)
    assert.equal((await change('gold', { archived: false, default: true })).json.default, true)
    assert.equal((await realm.send('GET ')).json.defaultPointId, 'gold')
  })

  it('the audit log records the author of each change', async () => {
    await add({ id: 'logged' })
    await change('logged', { maxBalance: 5, emoji: '' })
    const [changed, added] = (await realm.send('GET /audit')).json.data
    assert.deepEqual([added.action, added.subject], ['point.create', 'point logged'])
    const subject = 'point logged, emoji none, maxBalance 5'
    assert.deepEqual([changed.action, changed.subject], ['point.change', subject])
  })
})

describe('400', () => {
  it('an invalid rule is rejected with its location', async () => {
    const limits = [0, -1, 1.5, '5', greatest + 1, 'off', true, []]
    for (const field of ['maxBalance', 'maxPerTransfer', 'maxPerDay'])
      for (const value of limits) {
        assertInvalid(await add({ [field]: value }), `/${field}`)
        assertInvalid(await change('gold', { [field]: value }), `/${field}`)
      }
    for (const [field, value] of [
      ['name', 5],
      ['name', 'n'.repeat(101)],
      ['emoji', 'e'.repeat(65)],
      ['transferable', 'no'],
      ['archived', 'yes'],
      ['default', false],
    ] as const)
      assertInvalid(await change('gold', { [field]: value }), `/${field}`)
    assertInvalid(await add({ id: '1' }), '/id')
    assertInvalid(await change('1', {}), 'path:realmPointId')
  })
})

describe('403', () => {
  it('reading needs members:read, changing realm:admin', async () => {
    const reader = await realm.without('realm:admin')
    assert.equal((await reader('GET /points')).status, 200)
    assertProblem(await reader('POST /points', {}), 403, 'insufficient_scope')
    assertProblem(await reader('PATCH /points/gold', {}), 403, 'insufficient_scope')
    assertProblem(await (await realm.without('members:read'))('GET /points'), 403, 'insufficient_scope')
  })
})

describe('404', () => {
  it('an unknown point type can’t be changed, nor another realm’s', async () => {
    assertProblem(await change('copper', { name: 'x' }), 404, 'point_not_found')
    const other = await managed(made, { point: { id: 'iron' } })
    assertProblem(await change('iron', { name: 'x' }), 404, 'point_not_found')
    assert.notEqual((await other.send('GET /points')).json.data[0].name, 'x')
  })
})

describe('409', () => {
  it('an existing id is not changed', async () => {
    const answer = await add({ id: 'gold', name: 'Other' })
    assert.deepEqual([answer.status, answer.json.code], [409, 'already_exists'])
    assert.equal((await realm.send('GET /points')).json.data[0].name, 'Gold')
  })
})

describe('422', () => {
  it('the default can’t be archived, and an archived one can’t be the default', async () => {
    assertProblem(await change('gold', { archived: true }), 422, 'default_point')
    await add({ id: 'old' })
    assertProblem(await change('old', { archived: true, default: true }), 422, 'default_point')
    await change('old', { archived: true })
    assertProblem(await change('old', { default: true }), 422, 'default_point')
    const { defaultPointId } = (await realm.send('GET ')).json
    assert.equal(defaultPointId, 'gold')
  })

  it('a realm has at most 200 point types', async () => {
    const full = await managed(made)
    for (let count = 1; count < 200; count++) assert.equal((await full.send('POST /points', {})).status, 201)
    assertProblem(await full.send('POST /points', {}), 422, 'point_limit')
  })
})
