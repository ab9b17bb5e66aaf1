import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../../tests/support/call.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { drip } from '../../../tests/support/slow.ts'
import { head, wire } from '../../../tests/support/wire.ts'
import type { OperatorAccess } from '../../src/http/auth.ts'
import { createHandler } from '../../src/http/handler.ts'
import { publicRoute, type Services } from '../../src/http/route/route.ts'
import { noWatch } from '../../src/http/visit.ts'
import type { Bounds } from '../../src/http/wire/bounds.ts'
import { clientOf } from '../../src/http/wire/connections.ts'
import { Cors } from '../../src/http/wire/cors.ts'
import { type Listening, type ListenOptions, listen } from '../../src/http/wire/server.ts'
import type { KeyCheck } from '../../src/keys/index.ts'
import type { Limits } from '../../src/limits/index.ts'

const opened: Listening[] = []
after(async () => {
  await Promise.all(opened.map((listening) => listening.close()))
})

/** A server on loopback with its own handler and small limits. */
async function open(
  listener: RequestListener,
  bounds: Partial<Bounds>,
  more: Partial<ListenOptions> = {},
): Promise<string> {
  const listening = await listen(listener, { host: '127.0.0.1', port: 0, bounds, ...more })
  opened.push(listening)
  return listening.url
}

const ok: RequestListener = (_request, response) => void response.end('ok')
const get = head('GET /', {})

describe('the headers of a request', () => {
  it('may have 32 KiB in total', async () => {
    const url = await open(ok, {})
    const padded = (bytes: number) => wire(url, head('GET /', { padding: 'x'.repeat(bytes) }))
    assert.equal((await padded(31 * 1024)).status, 200)
    assertProblem(await padded(32 * 1024), 431, 'headers_too_large')
  })

  it('are answered 408 when they arrive byte by byte, and the connection is closed', async () => {
    const url = await open(ok, { headersMs: 300 })
    const { received, closedMs } = await drip(url, { head: 'GET / HTTP/1.1\r\nhost: x', drip: 'x' }, 5_000)
    assert.match(received, /^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/)
    assert.ok(closedMs !== undefined && closedMs < 2_500, `closed after ${closedMs} ms`)
  })

  it('that never start do not keep a connection open', async () => {
    const url = await open(ok, { headersMs: 300 })
    const { closedMs } = await drip(url, {}, 5_000)
    assert.ok(closedMs !== undefined && closedMs < 2_500, `closed after ${closedMs} ms`)
  })

  it('that end after the 408 are not a request', async () => {
    const asked: (string | undefined)[] = []
    const url = await open(({ url: path }, response) => void response.end(asked.push(path)), {
      headersMs: 300,
    })
    await drip(url, { head: 'GET /late HTTP/1.1\r\nhost: x', drip: '\r\n\r\n', everyMs: 1_900 }, 2_500)
    assert.deepEqual(asked, [])
  })
})

describe('the body of a request', () => {
  const slow = { head: head('POST /', { 'content-length': '100000' }), drip: 'x' }

  it('is answered 408 when it arrives byte by byte, and the connection is closed', async () => {
    const reads: RequestListener = (request, response) => {
      request.on('error', () => {}).resume()
      request.on('end', () => response.end('ok'))
    }
    const url = await open(reads, { headersMs: 300, requestMs: 600 })
    const { received, closedMs } = await drip(url, slow, 5_000)
    assert.match(received, /^HTTP\/1\.1 408 /)
    assert.ok(closedMs !== undefined && closedMs > 500 && closedMs < 3_000, `closed after ${closedMs} ms`)
  })

  it('that is not read, as its request is answered, is not waited for long', async () => {
    const url = await open(ok, { unreadMs: 200 })
    const { received, answeredMs, closedMs } = await drip(url, slow, 5_000)
    assert.match(received, /^HTTP\/1\.1 200 /)
    assert.ok(answeredMs !== undefined && answeredMs < 200, `answered after ${answeredMs} ms`)
    assert.ok(closedMs !== undefined && closedMs < 1_000, `closed after ${closedMs} ms`)
  })

  it('that is not read, but ends soon, keeps its connection open', async () => {
    const url = await open(ok, { unreadMs: 300 })
    const posts = head('POST /', { 'content-length': '3' })
    const { received, closedMs } = await drip(url, { head: posts, drip: `xxx${posts}`, everyMs: 100 }, 1_500)
    assert.equal(closedMs, undefined)
    assert.ok(received.split('HTTP/1.1 200').length > 8, received)
  })
})

describe('a response', () => {
  const named = { operationId: 'hang', tag: 'Service' } as const
  const hangs = (method: 'GET' | 'POST') =>
    publicRoute({ ...named, methods: [method], path: '/', summary: '', writes: method === 'POST' }, () => {
      return new Promise<never>(() => {})
    })
  const listener = createHandler({
    routes: [hangs('GET'), hangs('POST')],
    services: {} as Services,
    keyCheck: {} as KeyCheck,
    operators: {} as OperatorAccess,
    limits: {} as Limits,
    addressOf: () => '127.0.0.1',
    makeRequestId: () => 'one',
    basePath: '',
    draining: () => false,
    cors: new Cors([], ''),
    answerWithinMs: 200,
    log: { info() {}, warn() {}, error() {} },
    watch: noWatch,
  })

  it('arrives in time, even when its handler hangs', async () => {
    const url = await open(listener, {})
    const startedMs = performance.now()
    assertProblem(await call('GET', `${url}/`), 503, 'unavailable')
    // The outcome of a hanging write is unknown.
    assertProblem(await call('POST', `${url}/`), 503, 'outcome_unknown')
    assert.ok(performance.now() - startedMs < 1_500)
  })
})

describe('a connection', () => {
  it('that is idle between two requests is closed', async () => {
    const url = await open(ok, { keepAliveMs: 300 })
    const { received, closedMs } = await drip(url, { head: get }, 5_000)
    assert.match(received, /^HTTP\/1\.1 200 /)
    assert.ok(closedMs !== undefined && closedMs < 3_000, `closed after ${closedMs} ms`)
  })

  it('serves a limited number of requests, announces the last, and ignores what follows', async () => {
    let asked = 0
    const url = await open((_request, response) => void response.end(String(++asked)), {
      requestsPerConnection: 3,
    })
    const { received, closedMs } = await drip(url, { head: get.repeat(5) }, 5_000)
    assert.equal(received.split('HTTP/1.1 200').length - 1, 3)
    assert.equal(received.split(/connection: close/i).length - 1, 1)
    assert.ok(closedMs !== undefined)
    assert.equal(asked, 3)
  })

  it('with too many pipelined requests is closed', async () => {
    let asked = 0
    const url = await open(() => void ++asked, { pipelined: 4 })
    const { closedMs } = await drip(url, { head: get.repeat(100) }, 5_000)
    assert.ok(closedMs !== undefined)
    assert.equal(asked, 4)
  })

  it('whose requests are answered one after the other stays open', async () => {
    const url = await open(ok, { pipelined: 2 })
    const { received, closedMs } = await drip(url, { head: get, drip: get, everyMs: 10 }, 500)
    assert.equal(closedMs, undefined)
    assert.ok(received.split('HTTP/1.1 200').length > 10, received)
  })

  it('whose client does not read its responses is closed', async () => {
    const megabytes = Buffer.alloc(32 * 1024 * 1024)
    const gone: number[] = []
    const url = await open(
      (_request, response) => {
        const startedMs = performance.now()
        response.on('close', () => gone.push(performance.now() - startedMs))
        response.end(megabytes)
      },
      { untakenMs: 500 },
    )
    await drip(url, { head: get, deaf: true }, 3_000)
    assert.ok(gone[0] !== undefined && gone[0] < 2_900, `gone after ${gone[0]} ms`)
  })
})

describe('connections', () => {
  it('are limited in total: one more is closed at once, until another one has ended', async () => {
    const url = await open(ok, { connections: 3 })
    const held = [1, 2, 3].map(() => drip(url, { head: get }, 800))
    await sleep(200)
    const { received, closedMs } = await drip(url, { head: get }, 500)
    assert.equal(received, '')
    assert.ok(closedMs !== undefined && closedMs < 200)
    for (const one of await Promise.all(held)) assert.match(one.received, /^HTTP\/1\.1 200 /)
    await sleep(100)
    assert.match((await drip(url, { head: get }, 200)).received, /^HTTP\/1\.1 200 /)
  })

  it('are limited per address, without effect on other addresses', async () => {
    const refused: number[] = []
    const onRefused = (count: number) => refused.push(count)
    const url = await open(ok, { connectionsPerAddress: 2 }, { onRefused })
    const held = [1, 2].map(() => drip(url, { head: get, from: '127.0.0.2' }, 1_200))
    await sleep(200)
    const third = await drip(url, { head: get, from: '127.0.0.2' }, 500)
    assert.equal(third.received, '')
    assert.ok(third.closedMs !== undefined && third.closedMs < 200)
    assert.match((await drip(url, { head: get, from: '127.0.0.3' }, 200)).received, /^HTTP\/1\.1 200 /)
    for (const one of await Promise.all(held)) assert.match(one.received, /^HTTP\/1\.1 200 /)
    await sleep(100)
    assert.match((await drip(url, { head: get, from: '127.0.0.2' }, 200)).received, /^HTTP\/1\.1 200 /)
    assert.deepEqual(refused, [1])
  })

  it('of a trusted proxy are not limited, as it forwards many clients', async () => {
    const isProxy = (address: string) => address === '127.0.0.2'
    const url = await open(ok, { connectionsPerAddress: 2 }, { isProxy })
    const held = Array.from({ length: 9 }, () => drip(url, { head: get, from: '127.0.0.2' }, 500))
    for (const one of await Promise.all(held)) assert.match(one.received, /^HTTP\/1\.1 200 /)
  })

  it('that are reset while they open are not counted afterwards', async () => {
    const url = await open(ok, { connectionsPerAddress: 50 })
    for (let round = 0; round < 20; round++)
      await Promise.all(Array.from({ length: 40 }, () => drip(url, { head: 'GET' }, 5)))
    await sleep(200)
    assert.equal((await call('GET', `${url}/`)).status, 200)
  })

  it('are counted by IPv4 address, or by /64 of IPv6', () => {
    assert.equal(clientOf('192.0.2.1'), '192.0.2.1')
    assert.equal(clientOf('::ffff:192.0.2.1'), '192.0.2.1')
    const one = '2001:db8:1:2::/64'
    for (const address of [
      '2001:db8:1:2::1',
      '2001:db8:1:2:3:4:5:6',
      '2001:0DB8:0001:0002::',
      '2001:db8:1:2::9',
    ])
      assert.equal(clientOf(address), one, address)
    assert.equal(clientOf('2001:db8::1'), '2001:db8:0:0::/64')
    assert.equal(clientOf('::1'), '0:0:0:0::/64')
    assert.equal(clientOf('fe80::1%eth0'), 'fe80:0:0:0::/64')
  })
})
