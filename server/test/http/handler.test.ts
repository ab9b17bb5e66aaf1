import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { call } from '../../../tests/support/call.ts'
import { evmWallet as evm, poor, rich } from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'
import { head, wire } from '../../../tests/support/wire.ts'

const made = suite()
const { send, member, adjust, balance } = v4(made)
const capBytes = 256 * 1024

/** The head of a PATCH of points with these headers, for a body that follows. */
function patchHead(headers: Readonly<Record<string, string>>): string {
  const { id, key } = made.fixture.realm
  const line = `PATCH /api/v4/realms/${id}/members/${rich}/tokenBalance`
  return head(line, { authorization: `Bearer ${key}`, ...headers })
}

/** A body of exactly this many bytes that adds one point. */
function bodyOf(bytes: number): string {
  const [open, close] = ['{"tokens":1,"x":"', '"}']
  return open + 'x'.repeat(bytes - open.length - close.length) + close
}

describe('every response', () => {
  it('has nosniff, so that a browser does not guess another type', async () => {
    const { id, key } = made.fixture.realm
    const realm = `${made.app.url}/api/v4/realms/${id}`
    const answers = [
      await call('GET', `${realm}/members/${rich}`, { key }),
      await call('GET', `${realm}/members/${rich}`, { key: 'wrong' }),
      await call('GET', `${realm}/nothing`, { key }),
      await call('GET', `${realm}/export/entries.csv`, { key }),
      await call('GET', `${made.app.url}/healthz`),
    ]
    assert.deepEqual(
      answers.map(({ headers }) => headers['x-content-type-options']),
      answers.map(() => 'nosniff'),
    )
  })
})

describe('200', () => {
  it('a body may have a charset, no type at all, or be chunked', async () => {
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json ;x=y']) {
      const answer = await adjust(rich, { tokens: 1 }, { headers: { 'content-type': type } })
      assert.equal(answer.status, 200, type)
    }
    const untyped = await wire(made.app.url, `${patchHead({ 'content-length': '12' })}{"tokens":1}`)
    assert.equal(untyped.status, 200)
    const chunks = '6\r\n{"toke\r\n6\r\nns":1}\r\n0\r\n\r\n'
    const chunked = await wire(made.app.url, patchHead({ 'transfer-encoding': 'chunked' }) + chunks)
    assert.equal(chunked.status, 200)
  })

  it('a body of 256 KiB is accepted', async () =>
    assert.equal((await adjust(rich, bodyOf(capBytes))).status, 200))

  it('a body in many small chunks is the same body', async () => {
    const pieces = Array.from(bodyOf(2_000), (byte) => `1\r\n${byte}\r\n`).join('')
    const chunked = `${patchHead({ 'transfer-encoding': 'chunked' })}${pieces}0\r\n\r\n`
    assert.equal((await wire(made.app.url, chunked)).status, 200)
  })

  it('whitespace around a body is ignored', async () =>
    assert.equal((await adjust(rich, ' \r\n\t{ "tokens" :\n1 } \n')).status, 200))

  it('a number of sixty thousand digits in an unknown field does not delay other requests', async () => {
    const digits = `1${'0'.repeat(60_000)}1`
    const startedMs = performance.now()
    const answer = await adjust(rich, `{"tokens":1,"x":${digits}e1}`)
    assert.equal(answer.status, 200)
    assert.ok(performance.now() - startedMs < 2_000, `${Math.round(performance.now() - startedMs)} ms`)
  })

  it('a HEAD is a GET without its body', async () => {
    for (const path of [`/members/${rich}`, `/web3/members/${rich}`, `/members/includes?wallets=${evm}`]) {
      const [whole, bare] = [await send('GET', path), await send('HEAD', path)]
      assert.equal(bare.status, 200)
      assert.equal(bare.text, '')
      assert.equal(bare.headers['content-length'], whole.headers['content-length'])
      assert.equal(bare.headers['content-type'], whole.headers['content-type'])
    }
    assert.equal((await send('HEAD', '/members/77')).status, 404)
  })

  it('every response has its own request id, whatever the client sends as one', async () => {
    const headers = { 'x-request-id': 'mine' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => member(rich, { headers })))
    const ids = answers.map((answer) => answer.headers['x-request-id'])
    assert.equal(new Set(ids).size, 20)
    assert.ok(ids.every((id) => typeof id === 'string' && /^[\w-]{1,64}$/.test(id)))
    assert.ok(!ids.includes('mine'))
  })
})

describe('400', () => {
  it('a duplicate field is rejected, at any depth and however it is written', async () => {
    const before = await balance(rich)
    for (const raw of [
      '{"tokens":1,"tokens":1000}',
      '{"tokens":1,"\\u0074okens":1000}',
      '{"tokens":1,"x":{"a":1,"a":1}}',
      '{"tokens":1,"metadata":{"a":[{"b":1,"b":2}]}}',
      '{"tokens":1,"__proto__":1,"__proto__":2}',
    ])
      assertInvalid(await adjust(rich, raw), '')
    assert.equal(await balance(rich), before)
  })

  it('almost-JSON is rejected', async () => {
    const numbers = ['01', '+1', '.5', '1.', '0x1', 'NaN', 'Infinity', '-', '1e', '1_0', '--1', '1 2']
    for (const number of numbers) assertInvalid(await adjust(rich, `{"tokens":${number}}`), '')
    const texts = ['"\t"', '"\n"', '"\\x"', '"\\u12g4"', "'x'", '"x', '"\\']
    for (const text of texts) assertInvalid(await adjust(rich, `{"tokens":1,"x":${text}}`), '')
    for (const raw of ['{"tokens":1,}', '{tokens:1}', '{"tokens" 1}', '{"tokens":1}{}', '\ufeff{"tokens":1}'])
      assertInvalid(await adjust(rich, raw), '')
    for (const raw of [
      '{"tokens":1/**/}',
      '{"tokens":True}',
      '{"x":[1,],"tokens":1}',
      '{"tokens":1,"x":nul}',
    ])
      assertInvalid(await adjust(rich, raw), '')
  })

  it('bytes that are not UTF-8 are rejected', async () => {
    const around = (hex: string) =>
      Buffer.concat([Buffer.from('{"tokens":1,"reason":"'), Buffer.from(hex, 'hex'), Buffer.from('"}')])
    for (const hex of ['ff', 'c3', 'c0af', 'eda080', 'f4908080'])
      assertInvalid(await adjust(rich, '', { raw: around(hex) }), '')
    const wide = Buffer.from('{"tokens":1}', 'utf16le')
    assertInvalid(await adjust(rich, '', { raw: wide }), '')
  })

  it('a deeply nested body is rejected without affecting other requests', async () => {
    const deep = (depth: number) => `{"tokens":1,"x":${'['.repeat(depth)}${']'.repeat(depth)}}`
    assertInvalid(await adjust(rich, deep(100_000)), '')
    assertInvalid(await adjust(rich, `{"tokens":1,"x":${'['.repeat(200_000)}`), '')
    assertInvalid(await adjust(rich, '{"x":'.repeat(40_000)), '')
    assert.equal((await adjust(rich, deep(20))).status, 200)
  })

  it('a list with a hundred thousand errors is answered at once, with a few of them', async () => {
    const startedMs = performance.now()
    const answer = await send('POST', '/members/includes', { raw: `{"wallets":[1${',1'.repeat(100_000)}]}` })
    assertProblem(answer, 400, 'invalid_request')
    assert.ok(answer.json.errors.length <= 100)
    assert.ok(answer.text.length < 32 * 1024)
    assert.ok(performance.now() - startedMs < 2_000, `${Math.round(performance.now() - startedMs)} ms`)
  })

  it('input that is not HTTP gets a 400', async () => {
    const answer = await wire(made.app.url, 'GIVE ME POINTS\r\n\r\n')
    assertProblem(answer, 400, 'invalid_request')
    assert.equal(answer.headers.connection, 'close')
  })
})

describe('404', () => {
  it('an unknown route is reported to a valid key', async () => {
    const paths = ['/', '/nothing', '/members/', `/members/${rich}/`, `/Members/${rich}`]
    const deeper = [`/members/${rich}/tokenBalance/x`, '/members/includes/x', '/web3', `/members//${rich}`]
    for (const path of [...paths, ...deeper]) assertProblem(await send('GET', path), 404, 'route_not_found')
    for (const path of ['/api/v4', '/api/v4/', '/api/v4/realms', '/api/v4/other'])
      assertProblem(
        await call('GET', made.app.url + path, { key: made.fixture.realm.key }),
        404,
        'route_not_found',
      )
  })

  it('outside the API an unknown path is 404 without a key', async () => {
    for (const path of [
      '/nothing',
      '/api',
      '/api/v3/realms',
      '//',
      '/docs/',
      '/%2e%2e/etc/passwd',
      '/healthz/x',
    ])
      assertProblem(await call('GET', made.app.url + path), 404, 'route_not_found')
  })
})

describe('405', () => {
  it('a wrong method is reported with the allowed ones', async () => {
    const wrong: readonly (readonly [string, string, string])[] = [
      ['DELETE', `/members/${rich}/tokenBalance`, 'PATCH'],
      ['GET', `/members/${rich}/tokenBalance`, 'PATCH'],
      ['POST', `/members/${rich}/transfer`, 'PATCH'],
      ['POST', `/members/${rich}`, 'GET, HEAD, PUT, DELETE'],
      ['OPTIONS', `/members/${rich}`, 'GET, HEAD, PUT, DELETE'],
      ['PATCH', `/web3/members/${rich}`, 'GET, HEAD'],
      ['DELETE', '/members/includes', 'GET, HEAD, QUERY, POST'],
    ]
    for (const [method, path, allow] of wrong) {
      const answer = await send(method, path)
      assertProblem(answer, 405, 'method_not_allowed')
      assert.equal(answer.headers.allow, allow)
    }
  })
})

describe('413', () => {
  it('a body beyond 256 KiB is rejected by its length, before it is sent', async () => {
    const answer = await wire(made.app.url, patchHead({ 'content-length': String(capBytes + 1) }))
    assertProblem(answer, 413, 'body_too_large')
    assert.equal(answer.headers.connection, 'close')
  })

  it('a body without a length is rejected as soon as it is beyond 256 KiB', async () => {
    const before = await balance(rich)
    const body = bodyOf(capBytes + 1)
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n`
    const answer = await wire(made.app.url, patchHead({ 'transfer-encoding': 'chunked' }) + chunk)
    assertProblem(answer, 413, 'body_too_large')
    assert.equal(await balance(rich), before)
  })
})

describe('414', () => {
  it('a URL may have at most 8 KiB', async () => {
    const base = `/api/v4/realms/${made.fixture.realm.id}/members/${rich}?x=`
    const ofLength = (bytes: number) => `/members/${rich}?x=${'x'.repeat(bytes - base.length)}`
    assert.equal((await send('GET', ofLength(8 * 1024))).status, 200)
    assertProblem(await send('GET', ofLength(8 * 1024 + 1)), 414, 'uri_too_long')
  })
})

describe('415', () => {
  it('a body of another type or encoding is rejected, and changes nothing', async () => {
    const before = await balance(rich)
    const form = 'application/x-www-form-urlencoded'
    for (const type of ['text/plain', form, 'application/jsonx', 'text/json', 'application/merge-patch+json'])
      assertProblem(
        await adjust(rich, { tokens: 1 }, { headers: { 'content-type': type } }),
        415,
        'unsupported_media_type',
      )
    const raw = gzipSync('{"tokens":1}')
    const zipped = await adjust(rich, '', { raw, headers: { 'content-encoding': 'gzip' } })
    assertProblem(zipped, 415, 'unsupported_media_type')
    assert.equal(await balance(rich), before)
  })
})

describe('every response', () => {
  it('has cache headers: no response about a realm may be cached', async () => {
    for (const answer of [await member(rich), await member('77'), await adjust(poor, { tokens: 0 })])
      assert.equal(answer.headers['cache-control'], 'no-store')
  })

  it('carries a request id, also for malformed HTTP', async () => {
    const { id, key } = made.fixture.realm
    const line = `GET /api/v4/realms/${id}/members/${rich}`
    const noHost = await wire(made.app.url, `${line} HTTP/1.1\r\nauthorization: Bearer ${key}\r\n\r\n`)
    assertProblem(noHost, 400, 'invalid_request')
  })

  it('carries a request id, also to an expectation that can’t be met', async () => {
    const headers = { 'content-length': '12', expect: 'the-impossible' }
    const answer = await wire(made.app.url, `${patchHead(headers)}{"tokens":1}`)
    assert.ok(answer.headers['x-request-id'], `${answer.status} without X-Request-Id`)
  })
})
