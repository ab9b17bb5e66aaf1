import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertBooks } from '../../../tests/support/books.ts'
import type { Call } from '../../../tests/support/call.ts'
import { empty, poor, rich, unknownMember } from '../../../tests/support/fixture.ts'
import { reader } from '../../../tests/support/postings.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { entryCount, storedEntry } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'

const made = suite()
const { send, balance, member } = v4(made)

const batch = (body: object, options: Call = {}) =>
  send('PATCH', '/members/tokenBalance', { body, ...options })
const entry = (id: string) => reader(made)(`/entries/${id}`)
const keyed = (key: string): Call => ({ headers: { 'idempotency-key': key } })

async function changesNothing(refused: () => Promise<void>): Promise<void> {
  const now = async () => [
    await balance(rich),
    await balance(poor),
    await balance(empty),
    await entryCount(made),
  ]
  const before = await now()
  await refused()
  assert.deepEqual(await now(), before)
}

describe('200', () => {
  it('many members change at once, and the response has the new balances in their order', async () => {
    const before = await balance(rich)
    const { json, status } = await batch({
      description: 'a tournament',
      entries: [
        { memberId: rich, tokens: -10 },
        { memberId: Number(poor), tokens: 4 },
        { memberId: rich, tokens: 1 },
      ],
    })
    assert.equal(status, 200)
    assert.equal(json.message, 'Ok')
    const balances = json.balances.map((one: { memberId: string; newBalance: number }) => [
      one.memberId,
      one.newBalance,
    ])
    assert.deepEqual(balances, [
      [rich, before - 10],
      [poor, await balance(poor)],
      [rich, before - 9],
    ])
    assert.equal(json.transactionId, json.balances[0].transactionId)
    assert.equal((await storedEntry(made, json.transactionId))?.reason, 'a tournament')
  })

  it('each may have its own reason; otherwise the description is used, or nothing', async () => {
    const entries = [
      { memberId: rich, tokens: 3, reason: 'won' },
      { memberId: poor, tokens: 2 },
      { memberId: poor, tokens: 1, reason: 'helped' },
    ]
    const storedReasons = async (body: object) => {
      const { json } = await batch(body)
      const read = ({ transactionId }: { transactionId: string }) => entry(transactionId)
      const all = await Promise.all(json.balances.map(read))
      return all.map((one) => [one.json.reason, one.json.reference])
    }
    assert.deepEqual(await storedReasons({ description: 'took part', reference: 'quiz 9', entries }), [
      ['won', 'quiz 9'],
      ['took part', 'quiz 9'],
      ['helped', 'quiz 9'],
    ])
    assert.deepEqual(await storedReasons({ entries }), [
      ['won', null],
      [null, null],
      ['helped', null],
    ])
  })

  it('an own reason is part of the request’s identity', async () => {
    const entriesOf = (reason: string) => ({
      description: 'the same',
      entries: [
        { memberId: rich, tokens: 1 },
        { memberId: poor, tokens: 1, reason },
      ],
    })
    const key = keyed('own-reasons')
    const first = await batch(entriesOf('one'), key)
    const again = await batch(entriesOf('one'), key)
    assert.equal(again.json.transactionId, first.json.transactionId)
    assertProblem(await batch(entriesOf('two'), key), 422, 'idempotency_key_reused')
  })

  it('each may name its point type', async () => {
    const realmPointId = made.fixture.realm.secondPointId
    const { status } = await batch({ entries: [{ memberId: poor, tokens: 7, realmPointId }] })
    assert.equal(status, 200)
    assert.equal((await member(poor)).json.balances[realmPointId], 7)
  })

  it('a thousand entries are one request', async () => {
    const before = await balance(empty)
    const entries = Array.from({ length: 1000 }, () => ({ memberId: empty, tokens: 1 }))
    const { json, status } = await batch({ entries })
    assert.equal(status, 200)
    assert.equal(json.balances.length, 1000)
    assert.equal(await balance(empty), before + 1000)
  })

  it('the same key and entries return the same bytes, and change nothing again', async () => {
    const body = {
      description: 'once',
      entries: [rich, poor, empty].map((memberId) => ({ memberId, tokens: 2 })),
    }
    const first = await batch(body, keyed('batch-1'))
    assert.equal(first.status, 200)
    await changesNothing(async () => {
      const second = await batch(body, keyed('batch-1'))
      assert.equal(second.text, first.text)
      assert.equal(second.headers['idempotent-replayed'], 'true')
    })
  })

  it('a dry run returns the same and changes nothing', async () => {
    const body = { entries: [rich, poor, rich].map((memberId) => ({ memberId, tokens: 3 })) }
    let rehearsed = { balances: [] as { newBalance: number }[] }
    await changesNothing(async () => {
      const answer = await send('PATCH', '/members/tokenBalance?dryRun=true', { body, ...keyed('batch-dry') })
      assert.equal(answer.status, 200)
      rehearsed = answer.json
    })
    const balances = ({ balances: all }: typeof rehearsed) => all.map(({ newBalance }) => newBalance)
    assert.deepEqual(balances((await batch(body, keyed('batch-dry'))).json), balances(rehearsed))
  })
})

describe('a retry', () => {
  const reverse = (id: string) => send('POST', `/entries/${id}/reverse`)

  it('returns the first response, even if its first entry was reversed since', async () => {
    const body = { entries: [rich, poor].map((memberId) => ({ memberId, tokens: 2 })) }
    const first = await batch(body, keyed('batch-undone'))
    assert.equal((await reverse(first.json.transactionId)).status, 200)
    assert.equal((await batch(body, keyed('batch-undone'))).text, first.text)
  })

  it('returns the first response, however many are concurrent', async () => {
    const body = { entries: [rich, poor, rich].map((memberId) => ({ memberId, tokens: 2 })) }
    const first = await batch(body, keyed('batch-crowd'))
    const answers = await Promise.all(Array.from({ length: 10 }, () => batch(body, keyed('batch-crowd'))))
    for (const { text } of answers) assert.equal(text, first.text)
  })
})

describe('all or none', () => {
  it('one with too few points rejects the whole batch, and is named', async () => {
    await changesNothing(async () => {
      const entries = [
        { memberId: rich, tokens: 5 },
        { memberId: poor, tokens: -9_000_000 },
      ]
      const answer = await batch({ entries })
      assertProblem(answer, 422, 'insufficient_points')
      assert.match(answer.json.detail, /^Change 2 of 2: /)
    })
  })

  it('points credited by an earlier entry can be spent by a later one', async () => {
    const has = await balance(poor)
    const entries = [
      { memberId: poor, tokens: 5 },
      { memberId: poor, tokens: -(has + 5) },
      { memberId: poor, tokens: has },
    ]
    assert.equal((await batch({ entries })).status, 200)
    assert.equal(await balance(poor), has)
  })

  it('an unknown member or point type is 404', async () => {
    await changesNothing(async () => {
      const some = { memberId: rich, tokens: 1 }
      assertProblem(
        await batch({ entries: [some, { memberId: unknownMember, tokens: 1 }] }),
        404,
        'member_not_found',
      )
      const lead = { ...some, realmPointId: 'lead' }
      assertProblem(await batch({ entries: [some, lead] }), 404, 'point_not_found')
    })
  })

  it('a rejection is remembered under its key', async () => {
    const body = { entries: [{ memberId: poor, tokens: -9_000_000 }] }
    const first = await batch(body, keyed('batch-refused'))
    const second = await batch(body, keyed('batch-refused'))
    assertProblem(second, 422, 'insufficient_points')
    assert.equal(second.text, first.text)
  })
})

describe('400', () => {
  it('an empty list, more than a thousand, and nothing to change', async () => {
    await changesNothing(async () => {
      assertInvalid(await batch({ entries: [] }), '/entries')
      const entries = Array.from({ length: 1001 }, () => ({ memberId: rich, tokens: 1 }))
      assertInvalid(await batch({ entries }), '/entries')
      assertInvalid(await batch({ entries: [{ memberId: rich, tokens: 0 }] }), '/entries/0/tokens')
      assertInvalid(await batch({ entries: [{ tokens: 1 }] }), '/entries/0/memberId')
      assertInvalid(await batch({}), '/entries')
    })
  })
})

it('the ledger verifies afterwards', () => assertBooks(made.database))
