import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { call } from '../../../tests/support/call.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

/** Routes without a key: health and documentation. */
const made = suite()
const get = (path: string, headers = {}) => call('GET', made.app.url + path, { headers })
const given = '/api/v4/realms/{realmID}'

describe('200', () => {
  it('healthz and readyz answer without a key, and with a request id', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const answer = await get(path)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, { status: 'ok' })
      assert.ok(answer.headers['x-request-id'])
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal((await get(`${path}?probe=1`, { authorization: 'Bearer made-up' })).status, 200)
    }
  })

  it('openapi.json describes the five endpoints of the given contract', async () => {
    const { status, json, headers } = await get('/openapi.json')
    assert.equal(status, 200)
    assert.match(headers['content-type'] ?? '', /^application\/json/)
    assert.match(json.openapi, /^3\.1\./)
    const methodsOf = {
      [`${given}/members/{memberID}`]: ['delete', 'get', 'put'],
      [`${given}/web3/members/{memberID}`]: ['get'],
      [`${given}/members/includes`]: ['get', 'post'],
      [`${given}/members/{memberID}/tokenBalance`]: ['patch'],
      [`${given}/members/{memberID}/transfer`]: ['patch'],
    }
    for (const [path, methods] of Object.entries(methodsOf))
      assert.deepEqual(Object.keys(json.paths[path]).sort(), methods)
    assert.match(json.paths[`${given}/members/includes`].get.description, /QUERY/)
  })

  it('openapi.json describes the responses of each PATCH, and retries with its key', async () => {
    const { json } = await get('/openapi.json')
    for (const [end, codes] of [
      ['tokenBalance', ['insufficient_points', 'balance_limit', 'idempotency_key_reused']],
      ['transfer', ['same_member', 'insufficient_points', 'balance_limit', 'idempotency_key_reused']],
    ] as const) {
      const { patch } = json.paths[`${given}/members/{memberID}/${end}`]
      for (const status of [
        '200',
        '400',
        '401',
        '403',
        '404',
        '409',
        '413',
        '414',
        '415',
        '422',
        '429',
        '503',
      ])
        assert.ok(patch.responses[status], `${end} ${status}`)
      for (const code of codes) assert.ok(patch.responses['422'].description.includes(code), code)
      const names = patch.parameters.map((parameter: { name: string }) => parameter.name)
      assert.deepEqual(names, ['realmID', 'memberID', 'dryRun', 'Idempotency-Key', 'If-Match'])
      const { $ref } = patch.requestBody.content['application/json'].schema
      assert.ok(json.components.schemas[$ref.split('/').at(-1)].properties.tokens)
    }
  })

  it('the reference runs only its own files, and reaches the API but not the console', async () => {
    const { status, text, headers } = await get('/docs')
    assert.equal(status, 200)
    assert.match(headers['content-type'] ?? '', /^text\/html/)
    assert.doesNotMatch(
      text,
      /<script(?! src="docs\/)|<iframe|<img|javascript:|@import|url\(|\son[a-z]+=|https?:/i,
    )
    const policy = String(headers['content-security-policy'])
    const allowed = new Map(policy.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1)]))
    assert.deepEqual(allowed.get('default-src'), ["'none'"])
    assert.deepEqual(allowed.get('script-src'), ["'self'"])
    const { host } = new URL(made.app.url)
    const reached = allowed.get('connect-src') ?? []
    for (const path of ['/api/', '/operator/', '/openapi.json'])
      assert.ok(reached.includes(host + path), path)
    assert.ok(reached.every((source) => source.startsWith(`${host}/`) && !source.includes('/console')))
    assert.ok(!allowed.get('sandbox')?.includes('allow-popups'))
    assert.equal(headers['x-content-type-options'], 'nosniff')
  })

  it('no other host is in the content security policy of the reference', async () => {
    for (const host of ['evil.example; script-src *', "'self'", 'a b'])
      assert.doesNotMatch(
        String((await get('/docs', { host })).headers['content-security-policy']),
        /evil|connect-src [^;]*'self'|a b/,
      )
  })

  it('the reference uses no foreign proxy and sends no telemetry', async () => {
    const { text } = await get('/docs/docs.js')
    for (const setting of [/proxyUrl: ''/, /telemetry: false/, /withDefaultFonts: false/])
      assert.match(text, setting)
    const bundle = await get('/docs/scalar.js')
    assert.equal(bundle.status, 200)
    assert.match(bundle.headers['content-type'] ?? '', /^text\/javascript/)
    assert.doesNotMatch(bundle.text.slice(-500), /sourceMappingURL/)
    assert.equal((await get('/docs/docs.css')).status, 200)
  })

  it('a HEAD is a GET without its body', async () => {
    for (const path of ['/docs', '/openapi.json', '/healthz', '/readyz']) {
      const bare = await call('HEAD', made.app.url + path)
      assert.equal(bare.status, 200)
      assert.equal(bare.text, '')
      assert.equal(bare.headers['content-length'], (await get(path)).headers['content-length'])
    }
  })
})

describe('302', () => {
  it('the root redirects to the reference', async () => {
    const answer = await get('/')
    assert.equal(answer.status, 302)
    assert.equal(new URL(answer.headers.location ?? '', `${made.app.url}/`).pathname, '/docs')
  })
})

describe('405', () => {
  it('read-only routes reject writes', async () => {
    for (const path of ['/docs', '/openapi.json', '/healthz', '/readyz', '/']) {
      const answer = await call('POST', made.app.url + path, { body: {} })
      assertProblem(answer, 405, 'method_not_allowed')
      assert.equal(answer.headers.allow, 'GET, HEAD')
    }
  })
})
