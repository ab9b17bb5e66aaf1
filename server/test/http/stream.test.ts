import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { RefusalError, refuse, unavailable } from '../../src/errors.ts'
import { pour } from '../../src/http/stream.ts'
import { type Listening, listen } from '../../src/http/wire/server.ts'

const opened: Listening[] = []
after(() => Promise.all(opened.map((listening) => listening.close())))

const piece = 'x'.repeat(1024 * 1024)

/** A server that streams this, and the outcome. */
async function pouring(pieces: () => AsyncIterable<string>, check?: () => unknown) {
  const ends: unknown[] = []
  const listener = (_request: IncomingMessage, response: Parameters<typeof pour>[0]) => {
    pour(response, { body: pieces(), ...(check ? { check } : {}) }).then(
      () => ends.push('ended'),
      (error: unknown) => ends.push(error),
    )
  }
  const listening = await listen(listener, { host: '127.0.0.1', port: 0, bounds: { untakenMs: 1_500 } })
  opened.push(listening)
  const [response] = (await once(get(listening.url), 'response')) as [IncomingMessage]
  return { response, ends }
}

/** Reads a response with a pause before each chunk; returns its bytes, and whether it was complete. */
async function take(response: IncomingMessage, restMs: number) {
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length
      if (bytes % (4 * 65_536) < 65_536) await sleep(restMs)
    }
    return { bytes, whole: response.complete }
  } catch {
    return { bytes, whole: false }
  }
}

describe('a streamed response', () => {
  it('continues as long as its client reads some of it, however long that takes', async () => {
    let made = 0
    const { response, ends } = await pouring(async function* () {
      for (; made < 40; made += 1) yield piece
    })
    await sleep(300)
    assert.ok(made < 40, 'everything was produced before any of it was read')
    const startedMs = performance.now()
    const { bytes, whole } = await take(response, 30)
    assert.ok(performance.now() - startedMs > 3_000, 'the client was too quick for this test')
    assert.deepEqual([bytes, whole, ends], [40 * piece.length, true, ['ended']])
  })

  it('yields to other requests after each 64 KiB, however fast it is read', async () => {
    let turns = 0
    let isPouring = true
    const count = () => {
      turns += 1
      if (isPouring) setImmediate(count)
    }
    setImmediate(count)
    const response = new EventEmitter() as unknown as Parameters<typeof pour>[0]
    // A connection that accepts everything at once.
    Object.assign(response, { destroyed: false, write: () => true, end: () => {} })
    const pieces = async function* () {
      for (let made = 0; made < 4; made += 1) yield piece
    }
    await pour(response, { body: pieces() })
    isPouring = false
    assert.ok(turns >= 60, `${turns} turns`)
  })

  it('is cut off when its client stops reading', async () => {
    const { response, ends } = await pouring(async function* () {
      for (;;) yield piece
    })
    response.pause()
    response.on('error', () => {})
    for (let waited = 0; ends.length === 0 && waited < 60; waited += 1) await sleep(100)
    assert.deepEqual(ends, ['ended'])
  })

  it('that fails half-way is never mistaken for a complete one', async () => {
    const { response, ends } = await pouring(async function* () {
      yield piece
      throw new Error('the database is unreachable')
    })
    assert.equal((await take(response, 0)).whole, false)
    assert.match(String(ends[0]), /is unreachable/)
  })

  it('pauses while its key can’t be checked, and continues when it can', async () => {
    let asked = 0
    const check = () => {
      asked += 1
      if (asked === 5 || asked === 6) throw new RefusalError(unavailable)
    }
    const { response, ends } = await pouring(async function* () {
      yield piece
    }, check)
    assert.deepEqual(await take(response, 0), { bytes: piece.length, whole: true })
    assert.deepEqual([asked, ends], [18, ['ended']])
  })

  it('is cut off at once when its key is no longer valid', async () => {
    let asked = 0
    const check = () => {
      asked += 1
      if (asked > 4) throw refuse('unauthorized', 'revoked')
    }
    const { response, ends } = await pouring(async function* () {
      yield piece
    }, check)
    assert.deepEqual(await take(response, 0), { bytes: 4 * 65_536, whole: false })
    assert.deepEqual([asked, String(ends[0])], [5, String(refuse('unauthorized', 'revoked'))])
  })
})
