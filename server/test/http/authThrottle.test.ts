import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { type TimedAnswer, timed } from '../../../tests/support/away.ts'
import { call } from '../../../tests/support/call.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'
import { makeAddressOf, networkOf } from '../../src/http/wire/address.ts'
import { AuthThrottle } from '../../src/http/wire/authThrottle.ts'
import { keyForm } from '../../src/keys/index.ts'

const anotherApp = moreApps()
const made = suite({ TRUSTED_PROXIES: '127.0.0.1' })

type Caller = { readonly key?: string; readonly from?: string; readonly url?: string }

function ask({ key = 'wrong', from, url = made.app.url }: Caller = {}): Promise<TimedAnswer> {
  const headers: Record<string, string> = from === undefined ? {} : { 'x-forwarded-for': from }
  const path = `/api/v4/realms/${made.fixture.realm.id}/members/${rich}`
  return timed(call('GET', url + path, { key, headers }))
}

/** Sends enough wrong keys from this address that it is throttled from now on. */
async function wearOut(caller: Caller): Promise<void> {
  for (let number = 0; number < 50; number++) assert.equal((await ask(caller)).status, 401)
  await Promise.all(Array.from({ length: 7 }, () => ask(caller)))
}

const withoutId = ({ json }: TimedAnswer) => ({ ...json, requestId: '' })

describe('a wrong key', () => {
  it('is answered 401 with an increasing delay of up to a second, with the same text', async () => {
    const from = '192.0.2.1'
    const first = await ask({ from })
    await wearOut({ from })
    const late = await ask({ from })
    assertProblem(late, 401, 'unauthorized')
    assert.ok(late.tookMs > 600 && late.tookMs < 2_000, `${late.tookMs} ms`)
    assert.deepEqual(withoutId(late), withoutId(first))
    const without = ({ headers }: TimedAnswer) => ({
      ...headers,
      'x-request-id': '',
      'content-length': '',
      date: '',
    })
    assert.deepEqual(without(late), without(first))
  })

  it('does not delay a valid key from the same address', async () => {
    const from = '192.0.2.2'
    await wearOut({ from })
    const guess = ask({ from })
    for (let number = 0; number < 5; number++) {
      const { status, tookMs } = await ask({ from, key: made.fixture.realm.key })
      assert.equal(status, 200)
      assert.ok(tookMs < 300, `${tookMs} ms`)
    }
    assert.ok((await guess).tookMs > 600)
  })

  it('throttles only its own address; for IPv6, the whole prefix of a subscriber', async () => {
    await wearOut({ from: '2001:db8:1:2::1' })
    const [neighbour, other] = await Promise.all([
      ask({ from: '2001:db8:1:2:ffff::2' }),
      ask({ from: '2001:db8:1:3::1' }),
    ])
    assert.ok(neighbour.tookMs > 600, `${neighbour.tookMs} ms`)
    assert.ok(other.tookMs < 300, `${other.tookMs} ms`)
  })

  it('is throttled on operator routes too', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.3' }
    await wearOut({ from: '192.0.2.3' })
    const url = `${made.app.url}/operator/v1/realms`
    const answer = await timed(call('GET', url, { key: 'not the operator token', headers }))
    assertProblem(answer, 401, 'unauthorized')
    assert.ok(answer.tookMs > 600, `${answer.tookMs} ms`)
  })

  it('that is well-formed gets the same text and delay, and is looked up after the delay', async () => {
    const from = '192.0.2.8'
    await wearOut({ from })
    const malformed = await ask({ from })
    const late = await ask({ from, key: keyForm.make() })
    assertProblem(late, 401, 'unauthorized')
    assert.ok(late.tookMs > 600 && late.tookMs < 2_000, `${late.tookMs} ms`)
    assert.deepEqual(withoutId(late), withoutId(malformed))
    // Each waits at most a second, and none is rejected without a lookup.
    const crowd = await Promise.all(Array.from({ length: 200 }, () => ask({ from, key: keyForm.make() })))
    for (const answer of crowd) assertProblem(answer, 401, 'unauthorized')
  })

  it('from an address does not block a valid key that is new there', async () => {
    const from = '192.0.2.9'
    await wearOut({ from })
    const path = `${made.app.url}/operator/v1/realms/${made.fixture.realm.id}/keys`
    const { key } = (await call('POST', path, { key: operatorToken, body: {} })).json
    const first = await ask({ from, key })
    assert.equal(first.status, 200)
    assert.ok(first.tookMs < 2_000, `${first.tookMs} ms`)
    const second = await ask({ from, key })
    assert.equal(second.status, 200)
    assert.ok(second.tookMs < 300, `${second.tookMs} ms`)
  })

  it('can’t evade throttling by a forged X-Forwarded-For without a trusted proxy', async () => {
    const { url } = await anotherApp(made, {})
    let number = 0
    const forged = () => ({ from: `198.51.100.${++number}`, url })
    for (let count = 0; count < 50; count++) await ask(forged())
    await Promise.all(Array.from({ length: 7 }, () => ask(forged())))
    const { tookMs } = await ask(forged())
    assert.ok(tookMs > 600, `${tookMs} ms`)
  })
})

describe('delayed responses', () => {
  it('are limited, even from a single address', async () => {
    const from = '192.0.2.4'
    await wearOut({ from })
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask({ from })))
    for (const answer of answers) {
      assertProblem(answer, 401, 'unauthorized')
      assert.ok(answer.tookMs > 600, `${answer.tookMs} ms`)
      assert.notEqual(answer.headers.connection, 'close')
    }
  })

  it('are limited: beyond a thousand of one address there is no delay', async () => {
    const throttle = new AuthThrottle(() => 0)
    for (let number = 0; number < 60; number++) throttle.count('192.0.2.4')
    const held = Array.from({ length: 1_000 }, () => throttle.delay('192.0.2.4'))
    assert.equal(await throttle.delay('192.0.2.4'), false)
    await assert.rejects(throttle.wait('192.0.2.4'))
    for (const patient of await Promise.all(held)) assert.equal(patient, true)
    assert.equal(await throttle.delay('192.0.2.4'), true)
  })

  it('are forgotten, one each second', async () => {
    let nowMs = 0
    const throttle = new AuthThrottle(() => nowMs)
    const took = async () => {
      const startMs = performance.now()
      await throttle.delay('192.0.2.5')
      return performance.now() - startMs
    }
    for (let number = 0; number < 53; number++) await took()
    assert.ok((await took()) > 100)
    nowMs = 60_000
    assert.ok((await took()) < 10)
  })
})

describe('the address of a request', () => {
  const request = (remoteAddress: string | undefined, headers: Record<string, string> = {}) =>
    ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage
  const addressOf = makeAddressOf(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])
  const via = (headers: Record<string, string>, socket = '10.0.0.1') => addressOf(request(socket, headers))

  it('is the socket’s when that is not a proxy', () => {
    assert.equal(addressOf(request('203.0.113.9', { 'x-forwarded-for': '1.2.3.4' })), '203.0.113.9')
    assert.equal(addressOf(request('::ffff:203.0.113.9')), '203.0.113.9')
    assert.equal(addressOf(request('fe80::1%eth0')), 'fe80::1')
    assert.equal(addressOf(request(undefined)), '0.0.0.0')
    assert.equal(makeAddressOf([])(request('10.0.0.1', { 'x-forwarded-for': '1.2.3.4' })), '10.0.0.1')
  })

  it('is the last one that is not a trusted proxy, whatever precedes it', () => {
    assert.equal(via({ 'x-forwarded-for': '1.1.1.1, 203.0.113.9' }), '203.0.113.9')
    assert.equal(via({ 'x-forwarded-for': '1.1.1.1, 203.0.113.9, 192.0.2.7,10.2.3.4' }), '203.0.113.9')
    assert.equal(via({ 'x-forwarded-for': '203.0.113.9' }, '::ffff:10.0.0.1'), '203.0.113.9')
    assert.equal(via({ 'x-forwarded-for': '2001:DB8::1' }, 'fd00::1'), '2001:db8::1')
    assert.equal(via({ 'x-forwarded-for': '203.0.113.9:4711' }), '203.0.113.9')
  })

  it('is the proxy’s own when the header is missing or not an address', () => {
    assert.equal(via({}), '10.0.0.1')
    assert.equal(via({ 'x-forwarded-for': '203.0.113.9, unknown' }), '10.0.0.1')
    assert.equal(via({ 'x-forwarded-for': '203.0.113.9, 10.9.9.9, ' }), '10.0.0.1')
    assert.equal(via({ 'x-forwarded-for': '10.0.0.3, 10.0.0.2' }), '10.0.0.3')
  })

  it('may be in Forwarded; X-Forwarded-For takes precedence', () => {
    assert.equal(via({ forwarded: 'for=1.1.1.1, for=203.0.113.9;proto=https;by=10.0.0.1' }), '203.0.113.9')
    assert.equal(via({ forwarded: 'proto=https;For="[2001:db8::1]:4711"' }), '2001:db8::1')
    assert.equal(via({ forwarded: 'for=_hidden' }), '10.0.0.1')
    assert.equal(via({ forwarded: 'for=1.1.1.1', 'x-forwarded-for': '203.0.113.9' }), '203.0.113.9')
  })

  it('is grouped by the prefix of one subscriber', () => {
    assert.equal(networkOf('203.0.113.9'), '203.0.113.9')
    assert.equal(networkOf('2001:db8:0:7::1'), networkOf('2001:0db8::7:ffff:0:0:1'))
    assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64')
    assert.equal(networkOf('::1'), '0:0:0:0::/64')
    assert.notEqual(networkOf('2001:db8:0:7::1'), networkOf('2001:db8:0:8::1'))
  })
})
