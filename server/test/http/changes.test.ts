import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertBooks } from '../../../tests/support/books.ts'
import { empty, poor, rich, unknownMember } from '../../../tests/support/fixture.ts'
import { reader as readerOf } from '../../../tests/support/postings.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { entryCount } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asOperator, v4 } from '../../../tests/support/v4.ts'

const made = suite()
const { send, balance } = v4(made)
const read = readerOf(made)

const changes = (list: readonly object[], query = '') =>
  send('POST', `/changes${query}`, { body: { changes: list } })
const standing = async () => [
  await balance(rich),
  await balance(poor),
  await balance(empty),
  await entryCount(made),
]

describe('a list of changes', () => {
  it('returns the outcome of each, in order; a rejected one does not affect the others', async () => {
    const [had = 0, poorHad = 0] = await standing()
    const { status, json } = await changes([
      { memberId: rich, tokens: 10, reason: 'a quest' },
      { memberId: unknownMember, tokens: 1 },
      { memberId: rich, recipientId: poor, tokens: 4 },
      { memberId: poor, tokens: -9_000_000 },
    ])
    assert.equal(status, 200)
    const outcomes = json.data.map(
      (one: { status: number; error?: { code: string } }) => one.error?.code ?? one.status,
    )
    assert.deepEqual(outcomes, [200, 'member_not_found', 200, 'insufficient_points'])
    assert.equal(json.data[0].newBalance, had + 10)
    assert.deepEqual([json.data[2].newBalance, json.data[2].recipientBalance], [had + 6, poorHad + 4])
    assert.deepEqual([await balance(rich), await balance(poor)], [had + 6, poorHad + 4])
  })

  it('has a reason, reference, metadata and actor for all, unless one has its own', async () => {
    const own = { reason: 'second place', metadata: { place: 2 } }
    const said = { reason: 'a cup', reference: 'cup-1', metadata: { round: 1 }, actorId: poor }
    const list = [
      { memberId: rich, tokens: 1 },
      { memberId: poor, tokens: 1, ...own },
    ]
    const keyed = (body: object, key: string) =>
      send('POST', '/changes', { body, headers: { 'idempotency-key': key } })
    for (const atomic of [false, true]) {
      const { json } = await keyed({ changes: list, atomic, ...said }, `said-${atomic}`)
      const [first, second] = await Promise.all(
        json.data.map(async ({ transactionId }: { transactionId: string }) => {
          const { reason, reference, metadata, actorId } = (await read(`/entries/${transactionId}`)).json
          return { reason, reference, metadata, actorId }
        }),
      )
      assert.deepEqual([first, second], [said, { ...said, ...own }])
      const other = await keyed({ changes: list, atomic, ...said, reason: 'another' }, `said-${atomic}`)
      assertProblem(other, 422, 'idempotency_key_reused')
    }
  })

  it('can be retried as a whole: each change has its own key', async () => {
    const list = [1, 2, 3].map((n) => ({ memberId: empty, tokens: n, idempotencyKey: `list-${n}` }))
    const first = await changes(list)
    const before = await standing()
    const second = await changes(list)
    assert.deepEqual(await standing(), before)
    const without = second.json.data.map(({ replayed, ...one }: { replayed: boolean }) => {
      assert.equal(replayed, true)
      return one
    })
    assert.deepEqual(without, first.json.data)
  })

  it('under one Idempotency-Key is applied once, however often it is sent', async () => {
    const keyed = (list: readonly object[], key = 'whole-1', query = '') =>
      send('POST', `/changes${query}`, {
        body: { changes: list },
        headers: { 'idempotency-key': key },
      })
    const list = [
      { memberId: empty, tokens: 5, reason: 'a raid' },
      { memberId: empty, tokens: 5, reason: 'a raid' },
      { memberId: rich, recipientId: poor, tokens: 2 },
    ]
    await keyed(list, 'whole-1', '?dryRun=true')
    const had = await balance(empty)
    const first = await keyed(list)
    assert.deepEqual(
      first.json.data.map((one: { status: number }) => one.status),
      [200, 200, 200],
    )
    assert.equal(await balance(empty), had + 10)
    const before = await standing()
    const again = await keyed(list)
    assert.deepEqual(await standing(), before)
    const ids = (answer: typeof first) =>
      answer.json.data.map((one: { transactionId: string }) => one.transactionId)
    assert.deepEqual(ids(again), ids(first))
    assert.ok(again.json.data.every((one: { replayed: boolean }) => one.replayed))

    // Another list with that key is rejected: whether longer, shorter or in another order.
    const longer = [...list, { memberId: empty, tokens: 1 }]
    for (const other of [longer, list.slice(0, 1), [...list].reverse()]) {
      assertProblem(await keyed(other), 422, 'idempotency_key_reused')
    }
    assert.deepEqual(await standing(), before)
  })

  it('under one Idempotency-Key, a change with its own key is applied once by that key', async () => {
    const own = { memberId: empty, tokens: 3, idempotencyKey: 'own-1' }
    const sendBoth = (key: string) =>
      send('POST', '/changes', {
        body: { changes: [own, { memberId: empty, tokens: 1 }] },
        headers: { 'idempotency-key': key },
      })
    const had = await balance(empty)
    await sendBoth('both-1')
    await sendBoth('both-2')
    assert.equal(await balance(empty), had + 3 + 1 + 1)
  })

  it('a key twice in one list is one change', async () => {
    const had = await balance(empty)
    const one = { memberId: empty, tokens: 5, idempotencyKey: 'twice' }
    const { json } = await changes([one, one, { ...one, tokens: 6 }])
    const outcomes = json.data.map(
      (each: { status: number; error?: { code: string } }) => each.error?.code ?? each.status,
    )
    assert.deepEqual(outcomes, [200, 200, 'idempotency_key_reused'])
    assert.equal(await balance(empty), had + 5)
  })

  it('as a dry run, returns what the real request then does, and changes nothing', async () => {
    const has = await balance(empty)
    const list = [
      { memberId: empty, tokens: 5, idempotencyKey: 'rehearsed' },
      { memberId: empty, tokens: -(has + 5) },
      { memberId: empty, tokens: -1 },
      { memberId: empty, tokens: has },
    ]
    const before = await standing()
    const rehearsed = await changes(list, '?dryRun=true')
    assert.equal(rehearsed.status, 200)
    assert.equal(rehearsed.json.dryRun, true)
    assert.deepEqual(await standing(), before)
    const real = await changes(list)
    const withoutId = (outcomes: { error?: object }[]) =>
      outcomes.map(({ error, ...one }) => ({
        ...one,
        ...error,
        requestId: undefined,
        transactionId: undefined,
      }))
    assert.deepEqual(withoutId(real.json.data), withoutId(rehearsed.json.data))
    assert.equal(real.json.data[2].error.code, 'insufficient_points')
  })

  it('a transfer of nothing or less, an empty list and one too long are 400', async () => {
    assertInvalid(await changes([{ memberId: rich, recipientId: poor, tokens: -1 }]), '/changes/0/tokens')
    assertInvalid(await changes([]), '/changes')
    assertInvalid(
      await changes(Array.from({ length: 1001 }, () => ({ memberId: rich, tokens: 1 }))),
      '/changes',
    )
    assertInvalid(
      await changes([{ memberId: rich, tokens: 1, idempotencyKey: 'ä' }]),
      '/changes/0/idempotencyKey',
    )
  })
})

it('the ledger verifies afterwards', () => assertBooks(made.database))

describe('a list of changes that is atomic', () => {
  const atomic = (list: readonly object[], { key = '', query = '' } = {}) =>
    send('POST', `/changes${query}`, {
      body: { changes: list, atomic: true },
      ...(key ? { headers: { 'idempotency-key': key } } : {}),
    })

  it('is applied completely, adjustments and transfers in order, each with its details', async () => {
    const [had = 0, poorHad = 0, emptyHad = 0] = await standing()
    const { status, json } = await atomic([
      { memberId: empty, tokens: 10, reason: 'a prize' },
      { memberId: empty, recipientId: poor, tokens: 4 },
      { memberId: rich, tokens: -3, reason: 'a fee' },
    ])
    assert.equal(status, 200)
    const balances = json.data.map((one: { newBalance: number }) => one.newBalance)
    assert.deepEqual(balances, [emptyHad + 10, emptyHad + 6, had - 3])
    assert.equal(json.data[1].recipientBalance, poorHad + 4)
    const reasons = await Promise.all(
      json.data.map(async ({ transactionId: id }: { transactionId: string }) => {
        return (await send('GET', `/entries/${id}`, { key: await reader() })).json.reason
      }),
    )
    assert.deepEqual(reasons, ['a prize', null, 'a fee'])
    await assertBooks(made.database)
  })

  it('is not applied at all when one is rejected: 422 with its index', async () => {
    const before = await standing()
    for (const [other, code, status] of [
      [{ memberId: empty, recipientId: poor, tokens: 9_000_000 }, 'insufficient_points', 422],
      [{ memberId: unknownMember, tokens: 1 }, 'member_not_found', 404],
      [{ memberId: empty, recipientId: empty, tokens: 1 }, 'same_member', 422],
    ] as const) {
      const answer = await atomic([{ memberId: rich, tokens: 5 }, other])
      assertProblem(answer, 422, 'changes_refused')
      const { index, error } = answer.json
      assert.deepEqual([index, error.code, error.status], [1, code, status])
    }
    assert.deepEqual(await standing(), before)
  })

  it('is applied once under its key, and its response is the same byte for byte', async () => {
    const list = [
      { memberId: empty, tokens: 5 },
      { memberId: rich, recipientId: poor, tokens: 2 },
    ]
    const first = await atomic(list, { key: 'atomic-1' })
    await changes([{ memberId: rich, tokens: 1 }])
    const before = await standing()
    for (const again of [await atomic(list, { key: 'atomic-1' }), await atomic(list, { key: 'atomic-1' })]) {
      assert.equal(again.text, first.text)
      assert.equal(again.headers['idempotent-replayed'], 'true')
    }
    // Even a dry run with that key returns what was done.
    assert.equal((await atomic(list, { key: 'atomic-1', query: '?dryRun=true' })).text, first.text)
    const apart = { body: { changes: list }, headers: { 'idempotency-key': 'atomic-1' } }
    assertProblem(await send('POST', '/changes', apart), 422, 'idempotency_key_reused')
    const shorter = await atomic(list.slice(0, 1), { key: 'atomic-1' })
    assertProblem(shorter, 422, 'idempotency_key_reused')
    assert.deepEqual(await standing(), before)
  })

  it('rejected under a key, is rejected again byte for byte', async () => {
    const list = [{ memberId: poor, tokens: -9_000_000 }]
    const first = await atomic(list, { key: 'atomic-2' })
    assertProblem(first, 422, 'changes_refused')
    assert.ok(first.json.rememberedUntil)
    assert.equal((await atomic(list, { key: 'atomic-2' })).text, first.text)
  })

  it('as a dry run, is marked and changes nothing; a key of one change is 400', async () => {
    const before = await standing()
    const dry = await atomic([{ memberId: rich, tokens: 5 }], { query: '?dryRun=true' })
    assert.deepEqual([dry.status, dry.json.dryRun], [200, true])
    assert.doesNotMatch(dry.text, /transactionId/)
    assert.deepEqual(await standing(), before)
    const own = { memberId: rich, tokens: 5, idempotencyKey: 'own' }
    assertInvalid(await atomic([own]), '/changes/0/idempotencyKey')
  })
})

/** A key that reads the journal. */
const reader = async (): Promise<string> => {
  const path = `/realms/${made.fixture.realm.id}/keys`
  return (await asOperator(made, 'POST', { path, body: { scopes: ['journal:read'] } })).key
}
