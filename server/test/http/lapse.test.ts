import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { call } from '../../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

let realm: ManagedRealm
const made = suite({}, async (suited) => {
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

  it('a list of who would lose what by a rule that is not set, which changes nothing', async () => {
    const listed = async (rule: unknown, query = '') =>
      (await realm.send(`GET /points/gold/lapsing?rule=${encodeURIComponent(JSON.stringify(rule))}${query}`))
        .json
    const whole = { data: [{ memberId: '7', lapsesOn: dateIn(31), tokens: 30 }], nextCursor: null }
    assert.deepEqual(await listed({ after: { days: 30 } }), whole)
    assert.deepEqual(await listed({ after: { days: 30 } }, `&before=${dateIn(31)}`), { ...whole, data: [] })
    assert.deepEqual((await realm.send('GET /points/gold/lapsing')).json.data, [])
    assert.equal((await realm.send('GET /points/gold')).json.lapse, null)
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
    const longer = encodeURIComponent('{"after":{"days":90}}')
    const [kept] = (await realm.send(`GET /points/gold/lapsing?rule=${longer}`)).json.data
    assert.deepEqual(kept, { memberId: '7', lapsesOn: dateIn(6), tokens: 35 })
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

describe('a rule for members without activity', () => {
  const monthsAway = (months: number) => {
    const now = new Date()
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + months]
    const date = Math.min(now.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate())
    return new Date(Date.UTC(year, month, date + 1)).toISOString().slice(0, 10)
  }

  it('is shown with what it would do, set, listed, and refused beside other rules', async () => {
    assert.equal((await realm.send('POST /points', { id: 'stars' })).status, 201)
    await realm.send('PUT /members/8', {})
    const given = { tokens: 8, realmPointId: 'stars' }
    assert.equal((await realm.send('PATCH /members/8/tokenBalance', given)).status, 200)
    const put = (body: unknown, query = '') => realm.send(`PUT /points/stars/lapse${query}`, body)
    const day = monthsAway(6)
    const idle = { months: 6, by: ['earned', 'spent'] }
    const dry = await put({ idle: { months: 6 } }, '?dryRun=true')
    assert.deepEqual(dry.json, {
      lapse: { idle, timeZone: 'UTC', notBefore: day },
      issuedNow: day,
      existing: { members: 1, tokens: '8', lapsesOn: day },
      dryRun: true,
    })
    const asked = encodeURIComponent(JSON.stringify({ idle: { months: 6 } }))
    const losses = [{ memberId: '8', lapsesOn: day, tokens: 8 }]
    assert.deepEqual((await realm.send(`GET /points/stars/lapsing?rule=${asked}`)).json.data, losses)
    assert.equal((await put({ idle: { months: 6 } })).status, 201)
    assert.deepEqual((await realm.send('GET /points/stars/lapse')).json.idle, idle)
    assert.deepEqual((await realm.send('GET /points/stars/lapsing')).json.data, losses)
    const { lapsing } = (await realm.send('GET /members/8')).json
    assert.deepEqual(lapsing.stars, [{ lapsesOn: day, tokens: 8 }])
    const shorter = await put({ idle: { months: 2, by: ['spent'] } })
    assert.equal(shorter.json.lapse.notBefore, day)
    for (const other of [{ after: { days: 3 } }, { on: ['12-31'] }]) {
      const { status, json } = await put(other)
      assert.equal(status, 400)
      assert.match(json.detail, /only another `idle` is possible/)
    }
    assert.match((await send({ idle: { months: 3 } })).json.detail, /`idle` is not possible/)
  })
})

describe('an import', () => {
  const send = async (csv: string) => {
    const { key } = (await realm.send('POST /keys', { scopes: ['realm:admin'] })).json
    const url = `${made.app.url}/api/v4/realms/${realm.id}/import?name=old`
    return call('POST', url, { key, raw: csv, headers: { 'content-type': 'text/csv' } })
  }

  it('names the days of opening balances', async () => {
    assert.equal((await realm.send('POST /points', { id: 'miles' })).status, 201)
    await realm.send('PUT /points/miles/lapse', { after: { days: 30 } })
    const columns = `id,balance:miles@${dateIn(9)},balance:miles@${dateIn(3)}`
    const { status, text } = await send(`${columns}\n70,20,5\n71,,7\n`)
    assert.equal(status, 200, text)
    const { lapsing, balances } = (await realm.send('GET /members/70')).json
    assert.equal(balances.miles, 25)
    assert.deepEqual(lapsing.miles, [
      { lapsesOn: dateIn(3), tokens: 5 },
      { lapsesOn: dateIn(9), tokens: 20 },
    ])
    const again = await send(`${columns}\n70,20,5\n71,,7\n`)
    assert.equal(again.status, 200, again.text)
    assert.equal((await realm.send('GET /members/71')).json.balances.miles, 7)
  })

  for (const [column, why] of [
    [`balance:miles@${dateIn(0)}`, /has passed/],
    ['balance:miles@2027-02-30', /is not a date/],
    ['balance:plain@2100-01-01', /Set a rule first/],
  ] as const)
    it(`rejects a column ${column.split('@')[0]}: ${why.source}`, async () => {
      await realm.send('POST /points', { id: 'plain' })
      const { status, text } = await send(`id,${column}\n72,5\n`)
      assert.equal(status, 400)
      assert.match(text, why)
    })
})

describe('204', () => {
  it('a rule is removed: nothing lapses any more', async () => {
    assert.equal((await realm.send(`DELETE ${path}`)).status, 204)
    assert.equal((await realm.send('GET /points/gold')).json.lapse, null)
    assert.deepEqual((await realm.send('GET /members/7')).json.lapsing, { gold: [] })
    assertProblem(await realm.send(`DELETE ${path}`), 404, 'lapse_rule_not_found')
  })

  it('points issued without a rule get a day by the next one, as its dry run shows', async () => {
    await realm.send('PATCH /members/7/tokenBalance', { tokens: 9 })
    const { existing } = (await send({ after: { days: 40 } }, '?dryRun=true')).json
    assert.deepEqual(existing, { members: 1, tokens: '9', lapsesOn: dateIn(50) })
    assert.equal((await send({ after: { days: 40 } })).status, 201)
    const lots = [{ lapsesOn: dateIn(50), tokens: 44 }]
    assert.deepEqual((await realm.send('GET /members/7')).json.lapsing, { gold: lots })
    const again = (await send({ after: { days: 41 } }, '?dryRun=true')).json.existing
    assert.deepEqual(again, { members: 0, tokens: '0', lapsesOn: null })
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
    [{ on: ['12-31'], idle: { months: 3 } }, ''],
    [{ idle: {} }, '/idle/months'],
    [{ idle: { months: 0 } }, '/idle/months'],
    [{ idle: { months: 121 } }, '/idle/months'],
    [{ idle: { months: 3, by: [] } }, '/idle/by'],
    [{ idle: { months: 3, by: ['held'] } }, '/idle/by/0'],
    [{ idle: { months: 3 }, noticeDays: 40 }, '/noticeDays'],
    [{ on: ['12-31'], noticeDays: 29 }, '/noticeDays'],
    [{ after: { days: 3 }, noticeDays: 40 }, '/noticeDays'],
    [{ notBefore: '2027-02-30' }, '/notBefore'],
  ] as const)
    it(`${JSON.stringify(body)}`, async () => {
      assertInvalid(await send(body), pointer)
    })
})

describe('400, in a query', () => {
  for (const rule of ['x', '7', '{}', '{"after":{"days":30,"month":1}}', '{"on":["02-30"]}', '{"days":3}'])
    it(`rule=${rule}`, async () => {
      assertInvalid(
        await realm.send(`GET /points/gold/lapsing?rule=${encodeURIComponent(rule)}`),
        'query:rule',
      )
    })
})

describe('404', () => {
  it('an unknown point type', async () => {
    assertProblem(await realm.send('PUT /points/none/lapse', { after: { days: 3 } }), 404, 'point_not_found')
    assertProblem(await realm.send('GET /points/none/lapsing'), 404, 'point_not_found')
  })
})
