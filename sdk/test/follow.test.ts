import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rich } from '../../tests/support/fixture.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { suite } from '../../tests/support/suite.ts'
import { type FollowOptions, Operator, Realm } from '../src/index.ts'
import { startScripted, type Turn } from './scripted.ts'

let realm: Realm
let operator: Operator
const made = suite(
  {},
  async ({
    app: { url },
    fixture: {
      realm: { id },
    },
  }) => {
    operator = new Operator({ url, token: operatorToken })
    const scopes = ['journal:read', 'points:write'] as const
    const { key } = await operator.realm(id).keys.issue({ name: 'follower', scopes: [...scopes] })
    realm = new Realm({ url, realm: id, key })
  },
)

describe('a journal is followed', () => {
  it('from its head on, until the caller aborts, which is not an error', async () => {
    const { seq } = await realm.head()
    const gaveUp = new AbortController()
    const follow = realm.follow({ signal: gaveUp.signal })
    const next = follow.next()
    // Until the stream has begun, a change could come too early.
    for (let tries = 0; tries < 50; tries++) {
      await realm.member(rich).adjust(1)
      if (await Promise.race([next, sleep(50)])) break
    }
    const first = (await next).value
    assert.ok(first && BigInt(first.seq) > BigInt(seq))
    const [entry] = (await realm.journal({ cursor: String(BigInt(first.seq) - 1n) }).page({ limit: 1 })).data
    assert.deepEqual(first, entry)
    const drained = (async () => {
      for await (const _ of follow);
    })()
    gaveUp.abort()
    await drained
    for await (const _ of realm.follow({ signal: gaveUp.signal })) assert.fail('it was aborted before')
  })

  it('from any entry on, and a connection is closed when its loop is left', async () => {
    // The server allows 20 streams for a key.
    for (let round = 0; round < 25; round++) {
      for await (const { seq } of realm.follow({ cursor: '0' })) {
        assert.equal(seq, '1')
        break
      }
    }
  })

  it('until its key is revoked', async () => {
    const { id } = realm
    const { key, id: keyId } = await operator.realm(id).keys.issue({ name: 'gone', scopes: ['journal:read'] })
    const follow = new Realm({ url: made.app.url, realm: id, key }).follow({ cursor: '0' })
    await follow.next()
    await operator.realm(id).keys.revoke(keyId)
    const all = (async () => {
      for await (const _ of follow);
    })()
    await assert.rejects(all, { name: 'UnauthorizedError' })
  })

  it('and a cursor that the journal has not reached is an error', async () => {
    await assert.rejects(realm.follow({ cursor: '999999' }).next(), { name: 'InvalidRequestError' })
  })
})

/** The seqs that are received while a server does what `turns` say; its requests, and the error, if any. */
async function following(turns: readonly Turn[], options: FollowOptions = { cursor: '0' }) {
  const server = await startScripted(turns)
  const seqs: string[] = []
  const signal = AbortSignal.any([server.finished, AbortSignal.timeout(20_000)])
  try {
    const follower = new Realm({ url: server.url, realm: 'r', key: 'k' })
    for await (const { seq } of follower.follow({ signal, ...options })) seqs.push(seq)
    return { seqs, requests: server.requests, error: undefined }
  } catch (error) {
    return { seqs, requests: server.requests, error: error as Error }
  } finally {
    await server.close()
  }
}

const entry = (seq: number) => `id: ${seq}\ndata: {"seq":"${seq}"}\n\n`
const cursors = (requests: readonly { readonly url: string }[]) =>
  requests.map(({ url }) => /cursor=(\d+)/.exec(url)?.[1])

describe('a stream that ends is continued', () => {
  it('after its last entry, when `retry` has passed', async () => {
    const { seqs, requests } = await following([
      { sends: ['retry: 300\n\n', entry(1), entry(2)] },
      { sends: [':\n\n', entry(3)], breaks: true },
      { sends: [] },
    ])
    assert.deepEqual(seqs, ['1', '2', '3'])
    assert.deepEqual(cursors(requests), ['0', '2', '3'])
    const [first, second, third] = requests.map(({ atMs }) => atMs)
    for (const pauseMs of [(second ?? 0) - (first ?? 0), (third ?? 0) - (second ?? 0)])
      assert.ok(pauseMs >= 295 && pauseMs < 2_000, `${pauseMs} ms`)
  })

  it('however its bytes are cut, and without the half of an entry', async () => {
    const text = `retry: 1\n\n:\n\n${entry(1)}id: 2\ndata: {"seq":"2","x":"ü€"}\n\nid: 3\ndata: {"se`
    const bytes = Array.from(Buffer.from(text), (byte) => Buffer.from([byte]))
    const { seqs, requests } = await following([{ sends: bytes, breaks: true }, { sends: [entry(3)] }])
    assert.deepEqual(seqs, ['1', '2', '3'])
    assert.deepEqual(cursors(requests), ['0', '2'])
  })

  it('also when there was no connection or no capacity, after a growing pause or Retry-After', async () => {
    const { seqs, requests } = await following([
      { sends: ['retry: 100\n\n', entry(1)] },
      { status: 503 },
      { status: 500 },
      { drops: true },
      { status: 429, headers: { 'retry-after': '1' } },
      { sends: [entry(2)] },
    ])
    assert.deepEqual(seqs, ['1', '2'])
    assert.deepEqual(cursors(requests), ['0', '1', '1', '1', '1', '1'])
    const pauses = requests.slice(1).map(({ atMs }, index) => atMs - (requests[index]?.atMs ?? 0))
    for (const [index, leastMs] of [95, 45, 95, 195, 995].entries())
      assert.ok((pauses[index] ?? 0) >= leastMs, `pause ${index}: ${pauses[index]} ms`)
  })

  it('when nothing was received for 30 s', async (test) => {
    const real = setTimeout
    const faster = (run: () => void, ms = 0) => real(run, ms === 30_000 ? 500 : ms)
    test.mock.method(globalThis, 'setTimeout', faster as typeof setTimeout)
    const { seqs, requests } = await following([
      { sends: ['retry: 1\n\n', entry(1)], hangs: true },
      { sends: [entry(2)] },
    ])
    assert.deepEqual(
      [seqs, cursors(requests)],
      [
        ['1', '2'],
        ['0', '1'],
      ],
    )
  })

  it('after the entry that was the last when it began, if there was none since', async () => {
    const { seqs, requests } = await following(
      [
        { answers: { data: [], head: { seq: '7', hash: '' }, nextCursor: null } },
        { sends: ['retry: 1\n\n'], breaks: true },
        { sends: [entry(8)] },
      ],
      {},
    )
    assert.deepEqual(seqs, ['8'])
    assert.deepEqual(cursors(requests), [undefined, '7', '7'])
  })
})

it('an abort ends a follower also while it connects or pauses', async (test) => {
  for (const turn of [{ drops: true }, { waits: true }] as const) {
    const server = await startScripted(Array.from({ length: 50 }, () => turn))
    test.after(() => server.close())
    const follower = new Realm({ url: server.url, realm: 'r', key: 'k' })
    const beganMs = performance.now()
    for await (const _ of follower.follow({ cursor: '0', signal: AbortSignal.timeout(300) }));
    assert.ok(performance.now() - beganMs < 2_000)
  }
})

it('a follower that is left aborts its request, whatever the runtime does with an unread body', async (test) => {
  const server = await startScripted([{ sends: [entry(1)], hangs: true }, { sends: [] }])
  test.after(() => server.close())
  const signals: (AbortSignal | null | undefined)[] = []
  const watched: typeof fetch = (input, init) => {
    signals.push(init?.signal)
    return fetch(input, init)
  }
  const follower = new Realm({ url: server.url, realm: 'r', key: 'k', fetch: watched })
  for await (const { seq } of follower.follow({ cursor: '0' })) {
    assert.deepEqual([seq, signals[0]?.aborted], ['1', false])
    break
  }
  assert.equal(signals[0]?.aborted, true)
})

describe('a stream ends with an error', () => {
  for (const status of [400, 401, 403, 404])
    it(`when the answer is ${status}`, async () => {
      const { seqs, requests, error } = await following([
        { sends: ['retry: 1\n\n', entry(1)] },
        { status },
        { sends: [entry(2)] },
      ])
      assert.deepEqual([seqs, requests.length], [['1'], 2])
      assert.equal((error as { status?: number } | undefined)?.status, status)
    })

  it('when the answer is not a stream', async () => {
    const { error } = await following([{ answers: {} }])
    assert.match(error?.message ?? '', /not an event stream/)
  })
})
