import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

let realm: ManagedRealm
suite({}, async (suited) => {
  realm = await managed(suited, { point: { id: 'gold', name: 'Gold' } })
  await realm.send('PUT /members/7', {})
  await realm.send('PATCH /members/7/tokenBalance', { tokens: 30 })
})

const path = '/points/gold/lapse'
const dayMs = 86_400_000
const dateIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
const send = (body: unknown, query = '') => realm.send(`PUT ${path}${query}`, body)

describe('200', () => {
  it('a dry run shows what a rule would do, and changes nothing', async () => {
    const { status, json, text } = await send({ after: { days: 30 } }, '?dryRun=true')
    assert.equal(status, 200, text)
    assert.deepEqual(json, {
      lapse: { after: { days: 30 }, timeZone: 'UTC', notBefore: null },
      issuedNow: dateIn(31),
      existing: { members: 1, tokens: '30', lapsesOn: dateIn(31) },
      dryRun: true,
    })
    assert.equal((await realm.send('GET /points/gold')).json.lapse, null)
    assert.equal((await realm.send('GET /members/7')).json.lapsing, undefined)
  })

  it('a rule is set, shown, changed and removed; points keep their day', async () => {
    assert.equal((await send({ after: { days: 30 } })).status, 201)
    assert.deepEqual((await realm.send(`GET ${path}`)).json.after, { days: 30 })
    assert.deepEqual((await realm.send('GET /points/gold')).json.lapse.after, { days: 30 })
    assert.equal((await send({ after: { days: 5 } })).status, 200)
    await realm.send('PATCH /members/7/tokenBalance', { tokens: 5 })
    const lots = [
      { lapsesOn: dateIn(6), tokens: 5 },
      { lapsesOn: dateIn(31), tokens: 30 },
    ]
    assert.deepEqual((await realm.send('GET /members/7')).json.lapsing, { gold: lots })
    const listed = await realm.send(`GET /points/gold/lapsing?before=${dateIn(31)}`)
    assert.deepEqual(listed.json, {
      data: [{ memberId: '7', lapsesOn: dateIn(6), tokens: 5 }],
      nextCursor: null,
    })
    const later = await send({ notBefore: dateIn(50) })
    assert.deepEqual(later.json.lapse, { after: { days: 5 }, timeZone: 'UTC', notBefore: dateIn(50) })
    const all = { gold: [{ lapsesOn: dateIn(50), tokens: 35 }] }
    assert.deepEqual((await realm.send('GET /members/7')).json.lapsing, all)
    const { json } = await realm.send('GET /journal')
    assert.deepEqual(json.data.at(-1).encoding, 3)
    assert.match(json.data.at(-1).lots, /^[0-9]+:5$/)
  })
})

describe('204', () => {
  it('a rule is removed: nothing lapses any more', async () => {
    assert.equal((await realm.send(`DELETE ${path}`)).status, 204)
    assert.equal((await realm.send('GET /points/gold')).json.lapse, null)
    assert.deepEqual((await realm.send('GET /members/7')).json.lapsing, { gold: [] })
    assertProblem(await realm.send(`DELETE ${path}`), 404, 'lapse_rule_not_found')
  })
})

describe('400', () => {
  for (const [body, pointer] of [
    [{}, ''],
    [{ after: { days: 30 }, on: ['12-31'] }, ''],
    [{ after: { days: 30, months: 1 } }, '/after'],
    [{ after: {} }, '/after'],
    [{ after: { days: 401 } }, '/after/days'],
    [{ after: { months: 13 } }, '/after/months'],
    [{ after: { days: 3, roundTo: 'month' } }, '/after/roundTo'],
    [{ on: ['02-30'] }, '/on/0'],
    [{ on: ['12-31', '12-31'] }, '/on/0'],
    [{ on: [] }, '/on'],
    [{ on: ['12-31'], noticeDays: 29 }, '/noticeDays'],
    [{ after: { days: 3 }, noticeDays: 40 }, '/noticeDays'],
    [{ notBefore: '2027-02-30' }, '/notBefore'],
  ] as const)
    it(`${JSON.stringify(body)}`, async () => {
      assertInvalid(await send(body), pointer)
    })
})

describe('404', () => {
  it('an unknown point type', async () => {
    assertProblem(await realm.send('PUT /points/none/lapse', { after: { days: 3 } }), 404, 'point_not_found')
    assertProblem(await realm.send('GET /points/none/lapsing'), 404, 'point_not_found')
  })
})
