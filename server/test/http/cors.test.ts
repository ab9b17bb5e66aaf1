import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { type Answer, call } from '../../../tests/support/call.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { environment, operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'
import { readConfig } from '../../src/config/index.ts'
import { Cors } from '../../src/http/wire/cors.ts'

const shop = 'https://shop.example.com'
const game = 'http://localhost:5173'
const appOf = moreApps()
const made = suite()
const withOrigins = () => appOf(made, { CORS_ORIGINS: `${shop}, ${game}` })
const path = () => `/api/v4/realms/${made.fixture.realm.id}/members/${rich}`
const asking = (origin: string) => ({ origin, 'access-control-request-method': 'PATCH' })

const corsHeaders = ({ headers }: Answer) =>
  Object.keys(headers).filter((name) => name === 'vary' || name.startsWith('access-control-'))

describe('without CORS_ORIGINS', () => {
  it('no response has CORS headers, and a preflight is an ordinary request', async () => {
    const { key } = made.fixture.realm
    const read = await call('GET', made.app.url + path(), { key, headers: { origin: shop } })
    assert.equal(read.status, 200)
    const stranger = await call('OPTIONS', made.app.url + path(), { headers: asking(shop) })
    assertProblem(stranger, 401, 'unauthorized')
    const holder = await call('OPTIONS', made.app.url + path(), { key, headers: asking(shop) })
    assertProblem(holder, 405, 'method_not_allowed')
    for (const answer of [read, stranger, holder]) assert.deepEqual(corsHeaders(answer), [])
  })
})

describe('with CORS_ORIGINS', () => {
  it('other values of Vary are kept', () => {
    const reply = { status: 200, body: '', headers: { vary: 'Accept-Encoding' } }
    const dressed = new Cors([shop], '').dress(reply, { headers: {} } as IncomingMessage)
    assert.equal(dressed.headers?.['vary'], 'Accept-Encoding, Origin')
  })

  it('a preflight from a listed origin is answered without a key', async () => {
    const { url } = await withOrigins()
    for (const origin of [shop, game]) {
      const { status, text, headers } = await call('OPTIONS', url + path(), { headers: asking(origin) })
      assert.equal(status, 200)
      assert.equal(text, '')
      assert.equal(headers['access-control-allow-origin'], origin)
      const methods = headers['access-control-allow-methods']?.split(', ')
      assert.deepEqual(methods, ['GET', 'HEAD', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE'])
      const sent =
        'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Mcp-Protocol-Version, ' +
        'Mcp-Method, Mcp-Name'
      assert.equal(headers['access-control-allow-headers'], sent)
      assert.equal(headers['access-control-max-age'], '600')
      assert.equal(headers.vary, 'Origin')
      assert.equal(headers['access-control-allow-credentials'], undefined)
      assert.ok(headers['x-request-id'])
    }
  })

  it('a response can be read by a listed origin, also an error', async () => {
    const { url } = await withOrigins()
    const { key } = made.fixture.realm
    for (const sent of [{ key }, {}]) {
      const { status, headers } = await call('GET', url + path(), { ...sent, headers: { origin: shop } })
      assert.equal(status, 'key' in sent ? 200 : 401)
      assert.equal(headers['access-control-allow-origin'], shop)
      const exposed =
        'X-Request-Id, ETag, Location, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, ' +
        'Exchequer-Seq, Exchequer-Version, Exchequer-Ignored'
      assert.equal(headers['access-control-expose-headers'], exposed)
      assert.equal(headers.vary, 'Origin')
      assert.equal(headers['access-control-allow-credentials'], undefined)
    }
  })

  it('an origin that is not listed exactly gets no CORS headers, and Vary keeps caches correct', async () => {
    const { url } = await withOrigins()
    const { key } = made.fixture.realm
    const near = ['https://shop.example.com:8443', 'http://shop.example.com', `${shop}.evil.example`]
    for (const origin of [...near, 'https://SHOP.example.com', 'null', '*', '']) {
      const stranger = await call('OPTIONS', url + path(), { headers: asking(origin) })
      assertProblem(stranger, 401, 'unauthorized')
      const read = await call('GET', url + path(), { key, headers: { origin } })
      assert.equal(read.status, 200)
      for (const answer of [stranger, read]) assert.deepEqual(corsHeaders(answer), ['vary'], origin)
    }
    assert.deepEqual(corsHeaders(await call('GET', url + path(), { key })), ['vary'])
  })

  it('an OPTIONS that is not a preflight is answered in the contract’s order', async () => {
    const { url } = await withOrigins()
    assertProblem(await call('OPTIONS', url + path(), { headers: { origin: shop } }), 401, 'unauthorized')
  })

  it('operator routes are not available to pages', async () => {
    const { url } = await withOrigins()
    const at = `${url}/operator/v1/realms/${made.fixture.realm.id}`
    assertProblem(await call('OPTIONS', at, { headers: asking(shop) }), 401, 'unauthorized')
    const read = await call('GET', at, { key: operatorToken, headers: { origin: shop } })
    assert.deepEqual(corsHeaders(read), ['vary'])
  })

  it('only complete origins are accepted', () => {
    const urls = { serverUrl: 'postgres://x', ownerUrl: 'postgres://x' }
    const originsOf = (given: string) => readConfig(environment(urls, { CORS_ORIGINS: given })).corsOrigins
    assert.deepEqual(originsOf(''), [])
    assert.deepEqual(originsOf(` ${shop},${game},`), [shop, game])
    const wrong = ['*', 'null', 'shop.example.com', `${shop}/`, `${shop}/path`, 'https://*.example.com/']
    for (const given of [...wrong, 'HTTPS://shop.example.com', 'ftp://x', 'https://x:443', 'https://u@x'])
      assert.throws(() => originsOf(`${shop},${given}`), /CORS_ORIGINS has/, given)
  })
})
