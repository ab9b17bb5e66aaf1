import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { call } from '../../../tests/support/call.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { asRealm, manage, operate } from '../../../tests/support/operator.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'

const made = suite()
const at = (line: string, body?: unknown) => operate(made.app.url, line, body)
const inRealm = (line: string, body?: unknown) => manage(made.app.url, line, body)
const hex24 = /^[0-9a-f]{24}$/

const noRules = {
  emoji: null,
  archived: false,
  transferable: true,
  maxBalance: null,
  maxPerTransfer: null,
  maxPerDay: null,
  lapse: null,
}

describe('200', () => {
  it('given ids and settings are stored', async () => {
    const point = { id: 'gold', name: 'Gold' }
    const answer = await at('POST /realms', {
      id: 'My-guild_1',
      name: 'Guild',
      unknownMembers: 'create',
      point,
    })
    assert.equal(answer.status, 201)
    const { createdAt, ...rest } = answer.json
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
    assert.deepEqual(rest, {
      id: 'My-guild_1',
      name: 'Guild',
      logo: null,
      colours: null,
      timeZone: 'UTC',
      publicBoard: false,
      unknownMembers: 'create',
      defaultPointId: 'gold',
      points: [{ ...point, ...noRules, default: true }],
      rateLimit: 'default',
      suspended: null,
      cell: 0,
    })
    assert.deepEqual((await at('GET /realms/My-guild_1')).json, answer.json)
  })

  it('omitted ids are generated, of 24 hex digits, and unknown members are rejected', async () => {
    const { status, json } = await at('POST /realms', {})
    assert.equal(status, 201)
    assert.match(json.id, hex24)
    assert.match(json.defaultPointId, hex24)
    assert.notEqual(json.id, json.defaultPointId)
    assert.equal(json.name, json.id)
    assert.equal(json.unknownMembers, 'refuse')
    assert.deepEqual(
      json.points.map((point: { id: string }) => point.id),
      [json.defaultPointId],
    )
  })

  it('the longest id and a name of 100 characters beyond the basic plane are accepted', async () => {
    const id = 'a'.repeat(64)
    const { status, json } = await at('POST /realms', { id, name: '🏰'.repeat(100) })
    assert.equal(status, 201)
    assert.equal(json.name, '🏰'.repeat(100))
  })

  it('the list has every realm once, in the order of creation, page by page', async () => {
    const first = (await at('GET /realms?limit=1000')).json.data.map((realm: { id: string }) => realm.id)
    const more = Array.from({ length: 205 - first.length }, (_, index) => `page-${index}`)
    for (const id of more) assert.equal((await at('POST /realms', { id })).status, 201)
    const pages: string[][] = []
    for (let cursor = ''; pages.length < 10; ) {
      const { status, json } = await at(`GET /realms?limit=100${cursor}`)
      assert.equal(status, 200)
      pages.push(json.data.map((realm: { id: string }) => realm.id))
      if (json.nextCursor === null) break
      cursor = `&cursor=${json.nextCursor}`
    }
    assert.deepEqual(
      pages.map((page) => page.length),
      [100, 100, 5],
    )
    assert.deepEqual(pages.flat(), [...first, ...more])
  })

  it('the list can be searched for a part of a name, also after a change of it', async () => {
    for (const id of ['s1', 's2', 's3']) await at('POST /realms', { id, name: `Searched ${id}` })
    await inRealm('PATCH /realms/s2', { name: 'Renamed' })
    const { json } = await at('GET /realms?name=SEARCHED&limit=1')
    assert.deepEqual([json.data[0].id, json.data[0].points.length], ['s1', 1])
    const next = await at(`GET /realms?name=SEARCHED&limit=1&cursor=${json.nextCursor}`)
    assert.deepEqual([next.json.data[0].id, next.json.nextCursor], ['s3', null])
    assert.deepEqual((await at('GET /realms?name=s1&cell=1')).json.data, [])
  })

  it('a new point type is listed after the default, with 0 points', async () => {
    const { realm } = made.fixture
    const bronze = { id: 'bronze', name: 'Bronze' }
    await inRealm(`POST /realms/${realm.id}/points`, bronze)
    await inRealm(`POST /realms/${realm.id}/points`, {})
    const shown = (await at(`GET /realms/${realm.id}`)).json
    assert.equal(shown.defaultPointId, realm.pointId)
    assert.deepEqual(shown.points.at(-2), { ...bronze, ...noRules, default: false })
    const last = shown.points.at(-1)
    assert.match(last.id, hex24)
    assert.equal(last.name, last.id)
    const { json } = await asRealm(made.app.url, realm, { line: `GET /members/${rich}` })
    assert.equal(Object.keys(json.balances)[0], realm.pointId)
    assert.equal(json.balances['bronze'], 0)
    assert.equal(json.balances[last.id], 0)
  })

  it('a change keeps omitted fields', async () => {
    await at('POST /realms', { id: 'partly', name: 'Before', unknownMembers: 'create' })
    const renamed = await inRealm('PATCH /realms/partly', { name: 'After' })
    assert.equal(renamed.json.name, 'After')
    assert.equal(renamed.json.unknownMembers, 'create')
    const closed = await inRealm('PATCH /realms/partly', { unknownMembers: 'refuse' })
    assert.equal(closed.json.name, 'After')
    assert.equal(closed.json.unknownMembers, 'refuse')
    const rateLimit = { rate: 10, burst: 20 }
    const limited = await at('PATCH /realms/partly', { rateLimit })
    assert.deepEqual(limited.json, { ...closed.json, rateLimit, cell: 0 })
    assert.deepEqual((await at('GET /realms/partly')).json, limited.json)
  })
})

describe('400', () => {
  const wrong: [what: string, body: unknown, pointer: string][] = [
    ['an id with a space', { id: 'a b' }, '/id'],
    ['an id of 65 characters', { id: 'a'.repeat(65) }, '/id'],
    ['an empty id', { id: '' }, '/id'],
    ['an id that is a number', { id: 5 }, '/id'],
    ['a name of 101 characters', { name: 'n'.repeat(101) }, '/name'],
    ['a name with NUL', { name: 'a\0b' }, '/name'],
    ['a name with half a character', { name: '\ud83c' }, '/name'],
    ['another word for unknownMembers', { unknownMembers: 'maybe' }, '/unknownMembers'],
    ['a point id that begins with a digit', { point: { id: '1gold' } }, '/point/id'],
    ['a point id that is __proto__', { point: { id: '__proto__' } }, '/point/id'],
    ['a point that is no object', { point: 'gold' }, '/point'],
    ['a list', [], ''],
  ]
  for (const [what, body, pointer] of wrong) {
    it(`${what} is rejected with its location`, async () => {
      const { status, json } = await at('POST /realms', body)
      assert.equal(status, 400, JSON.stringify(json))
      assert.equal(json.code, 'invalid_request')
      assert.ok(
        json.errors.some((error: { pointer: string }) => error.pointer === pointer),
        JSON.stringify(json.errors),
      )
    })
  }

  it('a body that is missing, not JSON, or has a duplicate field creates nothing', async () => {
    const send = (raw: string) =>
      call('POST', `${made.app.url}/operator/v1/realms`, { key: operatorToken, raw })
    assert.equal((await at('POST /realms')).status, 400)
    assert.equal((await send('{')).status, 400)
    assert.equal((await send('{"id":"twice","id":"twice"}')).status, 400)
    assert.equal((await at('GET /realms/twice')).status, 404)
  })

  it('settings of the realm’s keys can’t be set by the operator', async () => {
    for (const [field, value] of [
      ['name', 'x'],
      ['unknownMembers', 'create'],
      ['defaultPointId', 'gold'],
    ] as const) {
      const { status, json } = await at('PATCH /realms/partly', { [field]: value })
      assert.equal(status, 400)
      assert.equal(json.errors[0].pointer, `/${field}`)
    }
    assert.equal((await at('GET /realms/partly')).json.name, 'After')
  })

  it('an unknown parameter of a write creates nothing', async () => {
    const { status, json } = await at('POST /realms?dryRun=true', { id: 'dry' })
    assert.equal(status, 400)
    assert.equal(json.errors[0].pointer, 'query:dryRun')
    assert.equal((await at('GET /realms/dry')).status, 404)
  })

  it('an invalid realm id in the path is reported with its location', async () => {
    const { status, json } = await at('GET /realms/a%20b')
    assert.equal(status, 400)
    assert.equal(json.errors[0].pointer, 'path:realmID')
  })
})

describe('400 of a query', () => {
  it('an invalid cursor is rejected with its location', async () => {
    const { status, json } = await at('GET /realms?cursor=%00')
    assert.equal(status, 400)
    assert.equal(json.errors[0].pointer, 'query:cursor')
  })
})

describe('404', () => {
  const bodyOf = (line: string) => (line.startsWith('GET') ? undefined : {})
  const lines = [
    'GET /realms/none',
    'PATCH /realms/none',
    'GET /realms/none/keys',
    'POST /realms/none/keys',
    'DELETE /realms/none/keys/1',
  ]
  for (const line of lines) {
    it(`${line} reports an unknown realm`, async () => {
      const { status, json } = await at(line, bodyOf(line))
      assert.equal(status, 404)
      assert.equal(json.code, 'realm_not_found')
    })
  }

  it('a default that is not one of the realm’s point types changes nothing', async () => {
    const path = `/realms/${made.fixture.other.id}`
    const before = (await at(`GET ${path}`)).json
    const foreign = made.fixture.realm.secondPointId
    const { status, json } = await inRealm(`PATCH ${path}`, { name: 'x', defaultPointId: foreign })
    assert.equal(status, 404)
    assert.equal(json.code, 'point_not_found')
    assert.deepEqual((await at(`GET ${path}`)).json, before)
  })

  it('an unknown path is reported to the operator', async () => {
    assert.equal((await at('GET /nothing')).json.code, 'route_not_found')
  })
})

describe('405', () => {
  it('another method is answered with the allowed ones', async () => {
    const answer = await at('DELETE /realms')
    assert.equal(answer.status, 405)
    assert.deepEqual(answer.headers.allow?.split(', ').sort(), ['GET', 'HEAD', 'POST'])
  })
})

describe('409', () => {
  it('a realm’s id can be used once, and the second attempt changes nothing', async () => {
    const before = (await at('GET /realms/My-guild_1')).json
    const { status, json } = await at('POST /realms', { id: 'My-guild_1', name: 'Another' })
    assert.equal(status, 409)
    assert.equal(json.code, 'already_exists')
    assert.deepEqual((await at('GET /realms/My-guild_1')).json, before)
  })

  it('of many concurrent creations of one realm one succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => at('POST /realms', { id: 'contested' })),
    )
    const statuses = answers.map((answer) => answer.status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [201, ...Array<number>(19).fill(409)])
  })

  it('a point type’s id is unique in a realm and free in another', async () => {
    const gold = { id: 'gold' }
    assert.equal((await inRealm('POST /realms/My-guild_1/points', gold)).json.code, 'already_exists')
    assert.equal((await inRealm('POST /realms/contested/points', gold)).status, 201)
  })
})
