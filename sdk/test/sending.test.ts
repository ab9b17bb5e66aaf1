import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Code, ExchequerError, Operator, Realm, RefusedError, responseOf } from '../src/index.ts'

/** The server's response to one attempt: a status, a code, and headers; or nothing at all. */
type Reply = { readonly status: number; readonly code?: string; readonly headers?: Record<string, string> }
type Said = Reply | 'lost'

const fine: Reply = { status: 200 }
const deleted: Reply = { status: 204 }
const refusal = (status: number, code?: string, headers = {}): Reply => ({
  status,
  headers,
  ...(code === undefined ? {} : { code }),
})

/** A client of a server with these responses in order, and the requests it received. */
function serverThat(...says: readonly Said[]) {
  const sent: { method: string; key: string | null; at: number }[] = []
  const fetch = (_url: unknown, init: RequestInit = {}): Promise<Response> => {
    const said = says[sent.length] ?? fine
    const { method = '' } = init
    sent.push({ method, key: new Headers(init.headers).get('idempotency-key'), at: performance.now() })
    if (said === 'lost') return Promise.reject(new TypeError('fetch failed'))
    const { status, code, headers = {} } = said
    const body = status === 204 ? null : code ? JSON.stringify({ code, detail: code, status }) : '{}'
    return Promise.resolve(new Response(body, { status, headers }))
  }
  const settings = { url: 'http://there', fetch, longestWaitMs: 1_500, retries: 3 }
  return {
    sent,
    realm: new Realm({ ...settings, realm: 'r', key: 'k' }),
    operator: new Operator({ ...settings, token: 't' }),
  }
}

describe('retried', () => {
  const passing: Record<string, Said> = {
    'a connection that breaks': 'lost',
    '429': refusal(429, 'rate_limited'),
    '429 of a proxy, without a code': refusal(429),
    '409 while the same key is in progress': refusal(409, 'request_in_progress'),
    '503 overloaded': refusal(503, 'overloaded'),
    '503 unavailable': refusal(503, 'unavailable'),
    '503 of a chain': refusal(503, 'chain_unavailable'),
    'an unknown outcome': refusal(503, 'outcome_unknown'),
    '502 of a proxy': refusal(502),
  }
  for (const [name, said] of Object.entries(passing))
    it(`${name}: a change with one key, a read, and calls that create or change something`, async () => {
      const calls: Record<string, (there: ReturnType<typeof serverThat>) => Promise<unknown>> = {
        adjust: ({ realm }) => realm.member('1').adjust(1),
        get: ({ realm }) => realm.get(),
        change: ({ realm }) => realm.change({ name: 'x' }),
        create: ({ realm }) => realm.points.create({ name: 'x' }),
        createRealm: ({ operator }) => operator.createRealm(),
      }
      for (const [call, run] of Object.entries(calls)) {
        const there = serverThat(said)
        await run(there)
        assert.equal(there.sent.length, 2, call)
        const [first, second] = there.sent
        assert.equal(first?.key, second?.key, call)
        assert.equal(typeof first?.key === 'string', call !== 'get', call)
      }
    })

  it('a call that returns a secret, only when certainly nothing was changed', async () => {
    for (const said of ['lost', refusal(503, 'outcome_unknown'), refusal(502)] as const) {
      const { realm, sent } = serverThat(said)
      await assert.rejects(realm.keys.issue({ name: 'x' }), ExchequerError)
      assert.deepEqual([sent.length, sent[0]?.key], [1, null])
    }
    for (const said of [refusal(429), refusal(503, 'overloaded'), refusal(503, 'chain_unavailable')]) {
      const { realm, sent } = serverThat(said)
      await realm.keys.issue({ name: 'x' })
      assert.equal(sent.length, 2)
    }
  })

  it('not a rejection', async () => {
    for (const said of [refusal(422, 'insufficient_points'), refusal(409, 'already_exists'), refusal(400)]) {
      const { realm, sent } = serverThat(said)
      await assert.rejects(realm.member('1').adjust(-1), ExchequerError)
      assert.equal(sent.length, 1)
    }
  })

  it('after Retry-After, in seconds or as a date', async () => {
    // A date has no fractions of a second: this one is one to two seconds away.
    for (const afterOf of [() => '1', () => new Date(Date.now() + 2_000).toUTCString()]) {
      const after = afterOf()
      const { realm, sent } = serverThat(refusal(503, 'overloaded', { 'retry-after': after }))
      await realm.get()
      const [first, second] = sent
      const waited = (second?.at ?? 0) - (first?.at ?? 0)
      assert.ok(waited > 900, `${waited} ms after ${after}`)
    }
  })
})

it('the caller’s own key is sent with every kind of change', async () => {
  const once = { idempotencyKey: 'mine' }
  const calls: Record<string, (there: ReturnType<typeof serverThat>) => Promise<unknown>> = {
    adjust: ({ realm }) => realm.member('1').adjust(1, once),
    put: ({ realm }) => realm.member('1').put({}, { ...once, ifNoneMatch: '*' }),
    remove: ({ realm }) => realm.member('1').remove(once),
    erase: ({ realm }) => realm.member('1').erase(once),
    link: ({ realm }) => realm.member('1').link({ address: 'x' }, once),
    changes: ({ realm }) => realm.changes([{ member: '1', tokens: 1 }], once).catch(() => undefined),
    reverseMany: ({ realm }) => realm.reverseMany({ reference: 'x' }, once).next(),
    issue: ({ realm }) => realm.keys.issue({}, once),
    rotate: ({ realm }) => realm.keys.rotate('1', {}, once),
    invite: ({ realm }) => realm.people.invite({ name: 'x', role: 'viewer' }, once),
    token: ({ operator }) => operator.tokens.issue({ name: 'x' }, once),
  }
  for (const [call, run] of Object.entries(calls)) {
    const there = serverThat('lost')
    await run(there)
    assert.deepEqual(
      there.sent.map(({ key }) => key),
      ['mine', 'mine'],
      call,
    )
  }
})

describe('a deletion', () => {
  const deletions: Record<string, (there: ReturnType<typeof serverThat>) => Promise<void>> = {
    member_not_found: ({ realm }) => realm.member('1').remove(),
    wallet_not_found: ({ realm }) => realm.member('1').unlink('0x1'),
    key_not_found: ({ realm }) => realm.keys.revoke('k'),
    person_not_found: ({ realm }) => realm.people.remove('p'),
    invitation_not_found: ({ realm }) => realm.people.withdraw('i'),
    snapshot_not_found: ({ realm }) => realm.snapshots.delete('s'),
    token_not_found: ({ operator }) => operator.tokens.revoke('t'),
  }
  for (const [code, run] of Object.entries(deletions))
    it(`with ${code} succeeds if it was a retry after a lost response, and only then`, async () => {
      await run(serverThat(deleted))
      await run(serverThat('lost', refusal(404, code)))
      await run(serverThat(refusal(503, 'outcome_unknown'), refusal(404, code)))
      await assert.rejects(run(serverThat(refusal(404, code))), { code })
      await assert.rejects(run(serverThat(refusal(429), refusal(404, code))), { code })
      await assert.rejects(run(serverThat('lost', refusal(404, 'realm_not_found'))), {
        code: 'realm_not_found',
      })
    })
})

describe('a call', () => {
  const never = (_url: unknown, { signal }: RequestInit = {}): Promise<Response> =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  const realm = new Realm({ url: 'http://there', realm: 'r', key: 'k', retries: 0, fetch: never })

  it('has its own timeout in addition to the client’s', async () => {
    const asked: Record<string, Promise<unknown>> = {
      get: realm.get({ timeoutMs: 20 }),
      adjust: realm.member('1').adjust(1, { timeoutMs: 20 }),
      page: realm.members.list({ timeoutMs: 20 }).page(),
      'a page of its own': realm.members.list().page({ timeoutMs: 20 }),
      export: realm.export('members.csv', { timeoutMs: 20 }),
      remove: realm.member('1').remove({ timeoutMs: 20 }),
    }
    for (const [name, call] of Object.entries(asked))
      await assert.rejects(call, { code: 'no_answer', message: 'No response within 20 ms.' }, name)
  })

  it('does not send its transport options', async () => {
    const sent: string[] = []
    const fetch = (url: unknown, init: RequestInit = {}): Promise<Response> => {
      sent.push(JSON.stringify([url, init.body]))
      return Promise.resolve(new Response('{"data":[],"nextCursor":null}'))
    }
    const open = new Realm({ url: 'http://there', realm: 'r', key: 'k', fetch })
    const options = { timeoutMs: 123, signal: new AbortController().signal }
    await open.member('1').adjust(1, options)
    await open.member('1').rank(options)
    await open.leaderboard(options).page(options)
    await open.statistics(options)
    await open.changes([{ member: '1', tokens: 1 }], options)
    for await (const page of open.reverseMany({ reference: 'x' }, options)) if (!page.nextCursor) break
    assert.equal(sent.length, 6)
    for (const text of sent) assert.doesNotMatch(text, /timeoutMs|signal|123/)
  })
})

describe('metadata of', () => {
  const headers = {
    'x-request-id': 'r-1',
    'idempotent-replayed': 'true',
    ratelimit: '"realm";r=9;t=1',
    'ratelimit-policy': '"realm";q=10;w=1',
  }
  it('a result or an error can be read, and of a copy not', async () => {
    const result = await serverThat({ status: 200, headers }).realm.member('1').adjust(1)
    const { headers: all, ...read } = responseOf(result) ?? {}
    assert.deepEqual(read, {
      requestId: 'r-1',
      replayed: true,
      rateLimit: '"realm";r=9;t=1',
      rateLimitPolicy: '"realm";q=10;w=1',
    })
    assert.equal(all?.get('x-request-id'), 'r-1')
    assert.equal(responseOf({ ...result }), undefined)
    const refused = serverThat(refusal(422, 'insufficient_points', headers))
      .realm.member('1')
      .adjust(-1)
    await assert.rejects(refused, (error: RefusedError) => responseOf(error)?.requestId === 'r-1')
    const first = await serverThat(fine).realm.member('1').adjust(1)
    assert.equal(responseOf(first)?.replayed, false)
  })
})

it('a code is one of the server’s, and may be one that the client does not know yet', () => {
  const known: Code = 'insufficient_points'
  const newer: Code = 'of_a_newer_server'
  const error = new RefusedError({ status: 422, code: known, detail: '', balance: 3, required: 5 })
  // @ts-expect-error A code is text.
  const wrong: Code = 5
  assert.deepEqual([error.code, error.balance, error.required], [known, 3, 5])
  assert.notEqual(newer, wrong)
})
