import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Call, call } from '../../../tests/support/call.ts'
import { evmWallet as evm, poor, rich, unknownMember } from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { entryCount } from '../../../tests/support/query.ts'
import { drip } from '../../../tests/support/slow.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asOperator, v4 } from '../../../tests/support/v4.ts'
import { head, wire } from '../../../tests/support/wire.ts'

const made = suite({ TRUSTED_PROXIES: '127.0.0.1' })
const { send, member, adjust, transfer, balance } = v4(made)
const long = `?wallets=${'x'.repeat(9 * 1024)}`

/** Every route of the realm, and some that do not exist, for any key. */
function everyRoute(options: Call): Promise<Answer[]> {
  const body = { wallets: [evm] }
  return Promise.all([
    member(rich, options),
    send('HEAD', `/members/${rich}`, options),
    send('GET', `/web3/members/${rich}`, options),
    send('GET', '/members/includes', { ...options, body }),
    send('GET', `/members/includes?wallets=${evm}`, options),
    send('POST', '/members/includes', { ...options, body }),
    send('QUERY', '/members/includes', { ...options, body }),
    adjust(rich, { tokens: 5 }, options),
    transfer(rich, { recipientId: poor, tokens: 5 }, options),
    member(unknownMember, options),
    member('abc', options),
    member('%zz', options),
    send('GET', '', options),
    send('GET', '/nothing', options),
    send('DELETE', `/members/${rich}/tokenBalance`, options),
    send('GET', `/members/includes${long}`, options),
    adjust(rich, '{', options),
    adjust(rich, { tokens: 5 }, { ...options, headers: { 'content-type': 'text/plain' } }),
    adjust(rich, { tokens: 5 }, { ...options, headers: { 'idempotency-key': 'a b' } }),
  ])
}

/** A response without its unique values: two rejections must be indistinguishable. */
const said = ({ json, status }: Answer) => JSON.stringify({ status, ...json, requestId: '' })

function assertAllSame(answers: readonly Answer[], status: number, code: string): void {
  const withBody = answers.filter((answer) => answer.text !== '')
  assert.ok(answers.length - withBody.length <= 1, 'only HEAD has no body')
  for (const answer of withBody) assertProblem(answer, status, code)
  for (const answer of answers) assert.equal(answer.status, status)
  assert.equal(new Set(withBody.map(said)).size, 1)
}

describe('200', () => {
  it('the Bearer scheme works in any case, and so does the bare key', async () => {
    const { key } = made.fixture.realm
    for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER ${key}`, `Bearer   ${key}`, key])
      assert.equal((await member(rich, { key: undefined, headers: { authorization } })).status, 200)
  })

  it('a realm may have several keys, and each entry records which one was used', async () => {
    const path = `/realms/${made.fixture.realm.id}/keys`
    const second = await asOperator(made, 'POST', { path, body: { name: 'second' } })
    assert.equal((await adjust(rich, { tokens: 1 }, { key: second.key })).status, 200)
    assert.equal((await member(rich)).status, 200)
  })
})

describe('401', () => {
  it('without a key every route answers the same, also unknown ones', async () =>
    assertAllSame(await everyRoute({ key: undefined }), 401, 'unauthorized'))

  it('a made-up key is answered like a missing one on every route', async () => {
    const made401 = await everyRoute({ key: 'made-up' })
    assertAllSame([...made401, await member(rich, { key: undefined })], 401, 'unauthorized')
  })

  it('a malformed, mistyped, doubled or foreign credential is answered like a missing one', async () => {
    const { key } = made.fixture.realm
    const last = key.endsWith('a') ? 'b' : 'a'
    const wrong = [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${key}`,
      `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      `Bearer ${key} ${key}`,
      `Bearer ${key},`,
      `Bearer "${key}"`,
      `Bearer ${key.slice(0, -1)}${last}`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key}x`,
      `Bearer ${key.toLowerCase()}`,
      `Bearer exq_${'0'.repeat(36)}`,
      `Bearer ${'x'.repeat(8000)}`,
    ]
    const answers = [await member(rich, { key: undefined })]
    for (const authorization of wrong)
      answers.push(await member(rich, { key: undefined, headers: { authorization } }))
    assertAllSame(answers, 401, 'unauthorized')
  })

  it('nothing else grants access: cookie, query parameter, other header, operator token', async () => {
    const { key } = made.fixture.realm
    const closed = { key: undefined }
    assertAllSame(
      [
        await member(rich, { ...closed, headers: { cookie: `key=${key}; authorization=Bearer ${key}` } }),
        await member(rich, {
          ...closed,
          headers: { 'x-api-key': key, 'proxy-authorization': `Bearer ${key}` },
        }),
        await send('GET', `/members/${rich}?key=${key}&access_token=${key}&authorization=${key}`, closed),
        await member(rich, { key: operatorToken }),
      ],
      401,
      'unauthorized',
    )
  })

  it('a revoked key is answered like a missing one within a second', async () => {
    const path = `/realms/${made.fixture.realm.id}/keys`
    const { key, id } = await asOperator(made, 'POST', { path, body: {} })
    assert.equal((await member(rich, { key })).status, 200)
    await asOperator(made, 'DELETE', { path: `${path}/${id}` })
    await sleep(1000)
    const answers = [await member(rich, { key }), await member(rich, { key: undefined })]
    assertAllSame(answers, 401, 'unauthorized')
  })

  it('a realm’s key is not an operator token', async () => {
    const answer = await call('GET', `${made.app.url}/operator/v1/realms`, { key: made.fixture.realm.key })
    assertProblem(answer, 401, 'unauthorized')
  })

  it('the body of an unauthenticated request is not read, whatever its size', async () => {
    const line = `PATCH /api/v4/realms/${made.fixture.realm.id}/members/${rich}/tokenBalance`
    const type = { 'content-type': 'application/json' }
    for (const size of [{ 'content-length': '1572864' }, { 'transfer-encoding': 'chunked' }])
      assertProblem(await wire(made.app.url, head(line, { ...type, ...size })), 401, 'unauthorized')
  })

  it('a slow body of an unauthenticated request is answered at once and soon cut off', async () => {
    const line = `PATCH /api/v4/realms/${made.fixture.realm.id}/members/${rich}/tokenBalance`
    for (const length of ['content-length: 200000', 'transfer-encoding: chunked']) {
      // From its own address: wrong keys are throttled, and this file has sent many.
      const from = 'x-forwarded-for: 192.0.2.77'
      const start = `${line} HTTP/1.1\r\nhost: x\r\n${from}\r\n${length}\r\n\r\n`
      const sent = { head: start, drip: length.startsWith('t') ? '1\r\nx\r\n' : 'x' }
      const { received, answeredMs, closedMs } = await drip(made.app.url, sent, 8_000)
      assert.match(received, /^HTTP\/1\.1 401 /)
      assert.ok(answeredMs !== undefined && answeredMs < 500, `answered after ${answeredMs} ms`)
      assert.ok(closedMs !== undefined && closedMs < 4_000, `closed after ${closedMs} ms`)
    }
  })

  it('an unauthenticated request writes nothing', async () => {
    const before = [await balance(rich), await entryCount(made)]
    await everyRoute({ key: undefined })
    await everyRoute({ key: made.fixture.other.key })
    assert.deepEqual([await balance(rich), await entryCount(made)], before)
  })
})

describe('403', () => {
  it('another realm’s key is answered the same on every route, also unknown ones', async () =>
    assertAllSame(await everyRoute({ key: made.fixture.other.key }), 403, 'forbidden'))

  it('an unknown realm is answered like another client’s realm', async () => {
    const { realm, other } = made.fixture
    const at = (id: string) =>
      call('GET', `${made.app.url}/api/v4/realms/${id}/members/${rich}`, { key: realm.key })
    const foreign = ['ffffffffffffffffffffffff', 'no-such-realm', '%zz', 'a%20b', '%00', 'x'.repeat(200)]
    const answers = [await at(other.id)]
    for (const id of foreign) answers.push(await at(id))
    answers.push(await at(realm.id.toUpperCase()), await at(`${realm.id}%2F..`))
    assertAllSame(answers, 403, 'forbidden')
  })

  it('a big or foreign body for another realm is not read', async () => {
    const { realm, other } = made.fixture
    const line = `PATCH /api/v4/realms/${realm.id}/members/${rich}/tokenBalance`
    const headers = { authorization: `Bearer ${other.key}`, 'content-length': '1572864' }
    assertProblem(await wire(made.app.url, head(line, headers)), 403, 'forbidden')
  })
})

describe('the order of checks', () => {
  const tooLarge = `{"tokens":1,"x":"${'x'.repeat(256 * 1024)}"}`
  const plain = { 'content-type': 'text/plain' }

  it('a long URL is reported before an unknown route or a wrong method', async () => {
    assertProblem(await send('GET', `/nothing${long}`), 414, 'uri_too_long')
    assertProblem(await send('DELETE', `/members/${rich}${long}`), 414, 'uri_too_long')
  })

  it('a wrong method is reported before a large or foreign body', async () => {
    const raw = tooLarge
    assertProblem(await send('POST', `/members/${rich}`, { raw, headers: plain }), 405, 'method_not_allowed')
    assertProblem(await send('PUT', '/nothing', { raw, headers: plain }), 404, 'route_not_found')
  })

  it('a large body is reported before a foreign one, and that before an error in it', async () => {
    assertProblem(await adjust(rich, tooLarge, { headers: plain }), 413, 'body_too_large')
    assertProblem(await adjust(rich, '{', { headers: plain }), 415, 'unsupported_media_type')
    assertProblem(await adjust('abc', '{', { headers: plain }), 415, 'unsupported_media_type')
  })

  it('an error in the request is reported before an unknown member', async () => {
    assertInvalid(await adjust(unknownMember, { tokens: 'x' }), '/tokens')
    assertInvalid(await adjust(unknownMember, { tokens: 1, metadata: { m: 'x'.repeat(2048) } }), '/metadata')
    assertProblem(
      await adjust(unknownMember, { tokens: 1 }, { headers: plain }),
      415,
      'unsupported_media_type',
    )
  })

  it('an unknown point, member and recipient are reported before a rejection by the ledger', async () => {
    const realmPointId = 'gems'
    const to = (recipientId: string) => ({ recipientId, tokens: 9_007_199_254_740_991 })
    assertProblem(
      await transfer(unknownMember, { ...to(unknownMember), realmPointId }),
      404,
      'point_not_found',
    )
    assertProblem(await transfer(unknownMember, to(unknownMember)), 404, 'member_not_found')
    assertProblem(await transfer(rich, to(unknownMember)), 404, 'recipient_not_found')
    assertProblem(await transfer(rich, to(rich)), 422, 'same_member')
    assertProblem(await transfer(rich, to(poor)), 422, 'insufficient_points')
  })
})
