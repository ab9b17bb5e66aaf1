import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

let realm: ManagedRealm
suite({}, async (suited) => {
  realm = await managed(suited, { name: 'Guild', point: { id: 'gold', name: 'Gold' } })
})
const read = async () => (await realm.send('GET ')).json
const change = (body: unknown) => realm.send('PATCH ', body)

describe('200', () => {
  it('a realm is returned completely: settings, and point types with their rules', async () => {
    const { status, json } = await realm.send('GET ')
    assert.equal(status, 200)
    const { createdAt, ...rest } = json
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
    assert.deepEqual(rest, {
      id: realm.id,
      name: 'Guild',
      logo: null,
      colours: null,
      timeZone: 'UTC',
      publicBoard: false,
      unknownMembers: 'refuse',
      defaultPointId: 'gold',
      points: [
        {
          id: 'gold',
          name: 'Gold',
          emoji: null,
          default: true,
          archived: false,
          transferable: true,
          maxBalance: null,
          maxPerTransfer: null,
          maxPerDay: null,
          lapse: null,
        },
      ],
      rateLimit: 'default',
      suspended: null,
    })
  })

  it('a change is returned and stored, and nothing else changes', async () => {
    await realm.send('POST /points', { id: 'silver' })
    const asked = {
      name: 'Guild of Ada',
      unknownMembers: 'create',
      logo: 'https://example.com/a.png?size=64',
      colours: { primary: '#1a2b3c', dark_mode: '#FFFFFF' },
      timeZone: 'Europe/Berlin',
      publicBoard: true,
      defaultPointId: 'silver',
    }
    const { status, json, text } = await change(asked)
    assert.equal(status, 200, text)
    const { id, createdAt, points, rateLimit, suspended, ...settings } = json
    assert.deepEqual([id, rateLimit, suspended], [realm.id, 'default', null])
    assert.ok(createdAt)
    assert.deepEqual(settings, asked)
    assert.deepEqual(
      points.map((point: { id: string; default: boolean }) => [point.id, point.default]),
      [
        ['silver', true],
        ['gold', false],
      ],
    )
    assert.deepEqual(await read(), json)
    assert.deepEqual((await change({ name: 'Guild' })).json, { ...json, name: 'Guild' })
    await change({ unknownMembers: 'refuse', defaultPointId: 'gold' })
  })

  it('an empty logo and empty colours clear existing values', async () => {
    await change({ logo: 'https://example.com/a.png', colours: { primary: '#000000' } })
    const left = (await change({ timeZone: 'UTC' })).json
    assert.deepEqual([left.logo, left.colours], ['https://example.com/a.png', { primary: '#000000' }])
    const { json } = await change({ logo: '', colours: {} })
    assert.deepEqual([json.logo, json.colours], [null, null])
  })

  it('the audit log records the author of each change', async () => {
    await change({ timeZone: 'Asia/Kolkata' })
    const { json } = await realm.send('GET /audit')
    assert.equal(json.data[0].action, 'realm.change')
    assert.match(json.data[0].subject, /timeZone Asia\/Kolkata/)
  })
})

describe('400', () => {
  const faulty: readonly (readonly [string, unknown])[] = [
    ['name', 'n'.repeat(101)],
    ['unknownMembers', 'ignore'],
    ['logo', 'http://example.com/a.png'],
    ['logo', 'javascript:alert(1)'],
    ['logo', 'https://'],
    ['logo', 'https://example.com/a b.png'],
    ['logo', 'https://example.com/"onload="x'],
    ['logo', `https://example.com/${'x'.repeat(500)}`],
    ['colours', []],
    ['colours', { primary: 'red' }],
    ['colours', { primary: 5 }],
    ['colours', { '': '#000000' }],
    ['colours', { 'a b': '#000000' }],
    ['colours', Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`c${index}`, '#000000']))],
    ['timeZone', ''],
    ['timeZone', 'Mars/Olympus'],
    ['timeZone', '+01:00'],
    ['timeZone', 'UTC+1'],
    ['timeZone', 'x'.repeat(65)],
    ['defaultPointId', 'a b'],
  ]
  it('an invalid setting is rejected with its location, and nothing changes', async () => {
    const was = await read()
    for (const [field, value] of faulty)
      assertInvalid(await change({ name: 'Other', [field]: value }), `/${field}`)
    assert.deepEqual(await read(), was)
  })
})

describe('403', () => {
  it('reading needs members:read, changing realm:admin', async () => {
    assertProblem(await (await realm.without('members:read'))('GET '), 403, 'insufficient_scope')
    const send = await realm.without('realm:admin')
    assert.equal((await send('GET ')).status, 200)
    assertProblem(await send('PATCH ', { name: 'Mine' }), 403, 'insufficient_scope')
  })
})

describe('404', () => {
  it('an unknown point type can’t be the default', async () => {
    assertProblem(await change({ defaultPointId: 'copper' }), 404, 'point_not_found')
  })
})

describe('422', () => {
  it('an archived point type can’t be the default', async () => {
    await realm.send('POST /points', { id: 'old' })
    await realm.send('PATCH /points/old', { archived: true })
    assertProblem(await change({ defaultPointId: 'old' }), 422, 'default_point')
  })
})
