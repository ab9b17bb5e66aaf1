import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Clock, StreamReader } from '../src/live/reader.ts'

const event = (seq: number) =>
  `id: ${seq}\ndata: ${JSON.stringify({ seq: String(seq), type: 'adjust', keyId: '1', link: null, fromId: null, toId: '7' })}\n\n`

const stream = (...pieces: readonly string[]) =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
      },
    }),
  )

const refusal = (status: number, headers: Record<string, string> = {}) =>
  new Response('{}', { status, headers })

type Step = () => Response | Promise<Response>

/** Connects once for each step, and is aborted when there is none left. */
async function read(
  steps: readonly Step[],
  { after, nowMs = () => 0 }: { after?: string; nowMs?: () => number } = {},
) {
  const done = new AbortController()
  const [asked, pauses, log]: [(string | undefined)[], number[], string[]] = [[], [], []]
  const clock: Clock = {
    nowMs,
    random: () => 1,
    sleep: async (ms) => {
      pauses.push(ms)
      if (asked.length >= steps.length) done.abort()
    },
  }
  const reader = new StreamReader({
    clock,
    open: async (from) => {
      const step = steps[asked.length]
      asked.push(from)
      assert.ok(step, 'connected too often')
      return step()
    },
    listener: {
      onOpen: (resumed) => log.push(resumed ? 'resumed' : 'opened'),
      onEntries: (entries) => log.push(...entries.map(({ seq, members }) => `${seq} of ${members.join()}`)),
      onLost: () => log.push('lost'),
      onBreak: () => log.push('broken'),
    },
  })
  await reader.run(after, done.signal)
  return { asked, pauses, log }
}

const unreachable: Step = () => Promise.reject(new TypeError('Failed to fetch'))

describe('the reader of a stream', () => {
  it('passes on entries with their members, and continues after the last one', async () => {
    const { asked, log } = await read([
      () => stream('retry: 1000\n\n', event(5) + event(6)),
      () => stream('retry: 1000\n\n', event(7)),
    ])
    assert.deepEqual(asked, [undefined, '6'])
    assert.deepEqual(log, ['opened', '5 of 7', '6 of 7', 'broken', 'resumed', '7 of 7', 'broken'])
  })

  it('begins after the entry that is known', async () => {
    assert.deepEqual((await read([() => stream(event(10))], { after: '9' })).asked, ['9'])
  })

  it('waits as long as the server wants, then longer and longer, for 30 seconds at most', async () => {
    const { pauses } = await read([() => stream('retry: 1500\n\n'), ...Array(7).fill(unreachable)])
    assert.deepEqual(pauses, [1500, 3000, 6000, 12_000, 24_000, 30_000, 30_000, 30_000])
  })

  it('spreads the longer pauses', async () => {
    const halves: number[] = []
    const done = new AbortController()
    const clock: Clock = {
      nowMs: () => 0,
      random: () => 0,
      sleep: async (ms) => {
        halves.push(ms)
        if (halves.length === 3) done.abort()
      },
    }
    const quiet = { onOpen() {}, onEntries() {}, onLost() {}, onBreak() {} }
    const open = () => Promise.reject(new TypeError('Failed to fetch'))
    await new StreamReader({ clock, open, listener: quiet }).run(undefined, done.signal)
    assert.deepEqual(halves, [2000, 2000, 4000])
  })

  it('waits shortly again after a stream with entries', async () => {
    const good: Step = () => stream('retry: 1000\n\n', event(1))
    assert.deepEqual((await read([unreachable, unreachable, good])).pauses, [2000, 4000, 1000])
  })

  it('waits longer if a stream opens and ends at once, again and again', async () => {
    const bad: Step = () => stream('retry: 1000\n\n')
    assert.deepEqual((await read([bad, bad, bad])).pauses, [1000, 2000, 4000])
  })
})

describe('a stream that is refused', () => {
  for (const status of [401, 403, 404])
    it(`stops at ${status}`, async () => {
      const { asked, pauses } = await read([() => refusal(status)])
      assert.deepEqual([asked.length, pauses], [1, []])
      const thrown = await read([() => Promise.reject(Object.assign(new Error('no'), { status }))])
      assert.deepEqual([thrown.asked.length, thrown.pauses], [1, []])
    })

  it('begins at the end, at once, if the server lost entries', async () => {
    const { asked, pauses, log } = await read([() => refusal(400), () => stream(event(3))], { after: '9' })
    assert.deepEqual(asked, ['9', undefined])
    assert.equal(pauses.length, 1)
    assert.deepEqual(log, ['lost', 'broken', 'opened', '3 of 7', 'broken'])
  })

  it('waits after a 400 that is about something else', async () => {
    const { pauses, log } = await read([() => refusal(400), () => refusal(400)])
    assert.deepEqual(
      [pauses, log],
      [
        [2000, 4000],
        ['broken', 'broken'],
      ],
    )
  })

  it('waits as Retry-After says, in seconds or until a date', async () => {
    const later = new Date(9_000).toUTCString()
    const steps = [() => refusal(429, { 'retry-after': '45' }), () => refusal(503, { 'retry-after': later })]
    assert.deepEqual((await read(steps)).pauses, [45_000, 9000])
  })
})

describe('after a long silence a reader', () => {
  it('begins at the end, if it was more than five minutes', async () => {
    const times = [0, 0, 0, 0, 400_000]
    const nowMs = () => times.shift() ?? 400_000
    const { asked } = await read([() => stream(event(5)), unreachable, unreachable], { nowMs })
    assert.equal(asked.at(-1), undefined)
  })

  it('connects again, if it was 30 seconds', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const silent: Step = () => {
      setImmediate(() => t.mock.timers.tick(30_000))
      return new Response(new ReadableStream<Uint8Array>())
    }
    // A fetch that is aborted ends its body too.
    const done = new AbortController()
    let connections = 0
    const reader = new StreamReader({
      clock: { nowMs: () => 0, random: () => 1, sleep: async () => void (connections === 2 && done.abort()) },
      open: async (_after, signal) => {
        connections += 1
        const { body } = await silent()
        const end = new TransformStream<Uint8Array, Uint8Array>()
        void body?.pipeTo(end.writable, { signal }).catch(() => undefined)
        return new Response(end.readable)
      },
      listener: { onOpen() {}, onEntries() {}, onLost() {}, onBreak() {} },
    })
    await reader.run(undefined, done.signal)
    assert.equal(connections, 2)
  })
})
