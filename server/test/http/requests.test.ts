import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import { poor, rich } from '../../../tests/support/fixture.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asOperator, v4 } from '../../../tests/support/v4.ts'
import { documented } from '../../src/http/routes.ts'

/** An Idempotency-Key on requests that change no points: kept for a day. */

const made = suite()
let key = ''
const { send, balance } = v4(made, ({ fixture }) => ({ id: fixture.realm.id, key }))

const keyed = (path: string, body: object, idempotencyKey: string) =>
  send('POST', path, { body, headers: { 'idempotency-key': idempotencyKey } })
const operate = (path: string, body: object, idempotencyKey: string) =>
  call('POST', `${made.app.url}/operator/v1${path}`, {
    key: operatorToken,
    body,
    headers: { 'idempotency-key': idempotencyKey },
  })
const keptRows = (request = '') =>
  rowsOf(made.database.superuserUrl, 'select status, body from requests where body like $1', [`%${request}%`])

describe('a request with an Idempotency-Key', () => {
  before(async () => {
    const path = `/realms/${made.fixture.realm.id}/keys`
    const scopes = ['realm:admin', 'members:read', 'members:write', 'points:write', 'wallets:write']
    key = (await asOperator(made, 'POST', { path, body: { scopes } })).key
  })

  it('creates one key, and shows it once', async () => {
    const first = await keyed('/keys', { name: 'once' }, 'key-1')
    assert.equal(first.status, 201, first.text)
    const again = await keyed('/keys', { name: 'once' }, 'key-1')
    assert.equal(again.status, 201, again.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.deepEqual(again.json, { ...first.json, key: null })
    const { json } = await send('GET', '/keys')
    assert.equal(json.data.filter((one: { name: string }) => one.name === 'once').length, 1)
    const text = JSON.stringify(await keptRows('once'))
    assert.ok(!text.includes(first.json.key.slice(8)), 'the secret is not stored')
  })

  it('with another request is 422, and a new key creates another', async () => {
    await keyed('/points', { id: 'silver', name: 'Silver' }, 'point-1')
    const again = await keyed('/points', { id: 'silver', name: 'Silver' }, 'point-1')
    assert.equal(again.status, 201, again.text)
    assert.equal(again.json.id, 'silver')
    assertProblem(await keyed('/points', { id: 'bronze' }, 'point-1'), 422, 'idempotency_key_reused')
    assertProblem(await keyed('/keys', {}, 'point-1'), 422, 'idempotency_key_reused')
    assert.equal((await keyed('/points', { id: 'silver' }, 'point-2')).json.code, 'already_exists')
  })

  it('that was rejected may be retried once its cause is gone', async () => {
    const challenge = () =>
      keyed('/members/987654/wallets', { address: '0x52908400098527886E0F7030069857D2E4169EE7' }, 'w-1')
    assertProblem(await challenge(), 404, 'member_not_found')
    await send('PUT', '/members/987654', { body: {} })
    assert.equal((await challenge()).status, 201)
    assert.equal((await challenge()).headers['idempotent-replayed'], 'true')
  })

  it('is rejected while the first still runs', async () => {
    const [first, second] = await Promise.all([
      keyed('/keys', { name: 'race' }, 'race-1'),
      keyed('/keys', { name: 'race' }, 'race-1'),
    ])
    assert.ok([first, second].some(({ status }) => status === 201))
    for (const answer of [first, second]) {
      if (answer.status !== 201) assertProblem(answer, 409, 'request_in_progress')
    }
    const { json } = await send('GET', '/keys')
    assert.equal(json.data.filter((one: { name: string }) => one.name === 'race').length, 1)
  })

  it('of the operator creates one realm, one token, one invitation', async () => {
    for (const [path, body, secret] of [
      ['/realms', { id: 'once' }, undefined],
      ['/tokens', { name: 'once' }, 'token'],
      ['/invitations', { name: 'Ann' }, 'link'],
      [`/realms/${made.fixture.realm.id}/keys`, { name: 'twice' }, 'key'],
    ] as const) {
      const first = await operate(path, body, `op ${path}`.replaceAll(' ', '-'))
      assert.equal(first.status, 201, first.text)
      const again = await operate(path, body, `op ${path}`.replaceAll(' ', '-'))
      assert.equal(again.headers['idempotent-replayed'], 'true', path)
      assert.deepEqual(again.json, secret ? { ...first.json, [secret]: null } : first.json)
    }
  })

  it('of the operator is another request than that of a realm key', async () => {
    assert.equal((await keyed('/keys', { name: 'a' }, 'shared-1')).status, 201)
    const path = `/realms/${made.fixture.realm.id}/keys`
    const operators = await operate(path, { name: 'b' }, 'shared-1')
    assert.deepEqual([operators.status, operators.json.name], [201, 'b'], operators.text)
    const elsewhere = await operate('/realms/nowhere/keys', { name: 'b' }, 'shared-1')
    assertProblem(elsewhere, 404, 'realm_not_found')
  })

  it('is executed again after a day, and expired records are deleted', async () => {
    await keyed('/keys', { name: 'old' }, 'old-1')
    await keyed('/keys', { name: 'other' }, 'old-2')
    await rowsOf(made.database.superuserUrl, `update requests set until = now() - interval '1 s'`)
    const again = await keyed('/keys', { name: 'old' }, 'old-1')
    assert.equal(again.headers['idempotent-replayed'], undefined)
    const rows = await rowsOf(made.database.superuserUrl, 'select 1 from requests where realm > 0')
    assert.equal(rows.length, 1)
  })

  it('about a member is deleted with the member', async () => {
    await send('PUT', '/members/424242', { body: {} })
    const address = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
    assert.equal((await keyed('/members/424242/wallets', { address }, 'gone-1')).status, 201)
    assert.equal((await keptRows(address)).length, 1)
    const erased = await send('POST', '/members/424242/erasure')
    assert.equal(erased.status, 200, erased.text)
    assert.equal((await keptRows(address)).length, 0)
  })

  it('reverses many entries once, with the same report', async () => {
    const reference = 'undo-me'
    await send('PATCH', `/members/${rich}/tokenBalance`, { body: { tokens: 5, reference } })
    await send('PATCH', `/members/${poor}/tokenBalance`, { body: { tokens: 5, reference } })
    const undo = (body: object) => keyed('/reversals', body, 'undo-1')
    const first = await undo({ filter: { reference } })
    const had = await balance(rich)
    const again = await undo({ filter: { reference } })
    assert.equal(first.json.reversed.length, 2)
    assert.deepEqual(again.json, first.json)
    assert.equal(await balance(rich), had)
    assertProblem(await undo({ filter: { reference: 'other' } }), 422, 'idempotency_key_reused')
  })

  it('that is not valid is 400 on every write', async () => {
    const answer = await keyed('/keys', {}, 'with a blank')
    assertProblem(answer, 400, 'invalid_request')
  })
})

it('every POST and PATCH of the API is executed once under a key', () => {
  const posts = documented.filter(
    ({ audience, methods, writes }) =>
      writes &&
      (audience === 'realm' || audience === 'operator') &&
      methods.some((one) => /^P(OST|ATCH)$/.test(one)),
  )
  const named = posts.filter(({ idempotent }) => idempotent === 'named').map(({ path }) => path)
  assert.deepEqual(named, ['/api/v4/realms/{realmID}/snapshots', '/api/v4/realms/{realmID}/import'])
  assert.ok(posts.length > 25)
})
