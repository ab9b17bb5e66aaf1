import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertBooks } from '../../../tests/support/books.ts'
import type { Call } from '../../../tests/support/call.ts'
import { poor, rich, unknownMember } from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'

const made = suite()
const { send, adjust, transfer, member, balance } = v4(made)

const keyed = (key: string): Call => ({ headers: { 'idempotency-key': key } })
const hold = (id: string, body: object, options: Call = {}) =>
  send('POST', `/members/${id}/holds`, { body, ...options })
const capture = (id: string, body: object = {}, options: Call = {}) =>
  send('POST', `/holds/${id}/capture`, { body, ...options })
const release = (id: string, options: Call = {}) => send('POST', `/holds/${id}/release`, options)

const heldMap = (held: number) => ({ [made.fixture.realm.pointId]: held })

/** Available and held points. */
async function standing(id: string): Promise<[number, number]> {
  const { json } = await member(id)
  return [json.tokenBalance, json.held[made.fixture.realm.pointId] ?? 0]
}

describe('a hold', () => {
  it('moves points from the balance to the held points', async () => {
    const [had, held] = await standing(rich)
    const { status, json } = await hold(rich, { tokens: 100, expiresIn: 60, reason: 'an order' })
    assert.equal(status, 201)
    assert.deepEqual([json.tokens, json.newBalance, json.held], [100, had - 100, heldMap(held + 100)])
    assert.equal(json.holdId, json.transactionId)
    assert.ok(Math.abs(Date.parse(json.expiresAt) - Date.now() - 60_000) < 5_000)
    assert.deepEqual(await standing(rich), [had - 100, held + 100])
    const { json: read } = await send('GET', `/holds/${json.holdId}`)
    assert.deepEqual([read.memberId, read.tokens, read.status, read.endedBy], [rich, 100, 'open', null])
    const { json: list } = await send('GET', `/members/${rich}/holds`)
    assert.equal(list.data[0].holdId, json.holdId)
    await release(json.holdId)
  })

  it('can’t be spent, transferred or held again', async () => {
    await adjust(poor, { tokens: 10 })
    const [has] = await standing(poor)
    const { holdId } = (await hold(poor, { tokens: has - 1 })).json
    assertProblem(await adjust(poor, { tokens: -2 }), 422, 'insufficient_points')
    assertProblem(await transfer(poor, { recipientId: rich, tokens: 2 }), 422, 'insufficient_points')
    assertProblem(await hold(poor, { tokens: 2 }), 422, 'insufficient_points')
    assert.equal((await adjust(poor, { tokens: -1 })).status, 200)
    assert.equal((await release(holdId)).json.newBalance, has - 1)
  })

  it('is captured completely', async () => {
    const [had, held] = await standing(rich)
    const { holdId } = (await hold(rich, { tokens: 40 })).json
    const { status, json } = await capture(holdId)
    assert.equal(status, 200)
    assert.deepEqual([json.holdId, json.captured, json.released, json.held], [holdId, 40, 0, heldMap(held)])
    assert.deepEqual(await standing(rich), [had - 40, held])
    const { json: read } = await send('GET', `/holds/${holdId}`)
    assert.deepEqual([read.status, read.endedBy], ['captured', json.transactionId])
    assert.equal(json.newBalance, had - 40)
  })

  it('is captured in part, the rest is available again, and a retry returns the first response', async () => {
    const [had, held] = await standing(rich)
    const { holdId } = (await hold(rich, { tokens: 40 }, keyed('hold-1'))).json
    const first = await capture(holdId, { tokens: 15 }, keyed('capture-1'))
    assert.deepEqual([first.json.captured, first.json.released, first.json.held], [15, 25, heldMap(held)])
    assert.deepEqual(await standing(rich), [had - 15, held])
    const second = await capture(holdId, { tokens: 15 }, keyed('capture-1'))
    assert.equal(second.text, first.text)
    assert.equal((await hold(rich, { tokens: 40 }, keyed('hold-1'))).json.holdId, holdId)
    assert.deepEqual(await standing(rich), [had - 15, held])
  })

  it('replays the first response to a capture, even if it was reversed since', async () => {
    const { holdId } = (await hold(rich, { tokens: 40 })).json
    const first = await capture(holdId, {}, keyed('capture-undone'))
    const { transactionId } = first.json
    assert.equal((await send('POST', `/entries/${transactionId}/reverse`)).status, 200)
    assert.equal((await capture(holdId, {}, keyed('capture-undone'))).text, first.text)
  })

  it('ends once, under any concurrency', async () => {
    const [had, held] = await standing(rich)
    const { holdId } = (await hold(rich, { tokens: 30 })).json
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? capture(holdId, { tokens: 10 }) : release(holdId))),
    )
    const done = answers.filter(({ status }) => status === 200)
    assert.equal(done.length, 1)
    for (const answer of answers) if (answer.status !== 200) assertProblem(answer, 422, 'hold_ended')
    assert.deepEqual(await standing(rich), [done[0]?.json.captured ? had - 10 : had, held])
  })

  it('expires by itself, can’t be captured then, and its points are available again', async () => {
    const before = await standing(rich)
    const { holdId } = (await hold(rich, { tokens: 30, expiresIn: 1 })).json
    await sleep(1_100)
    assertProblem(await capture(holdId), 422, 'hold_ended')
    const deadline = performance.now() + 5_000
    while ((await standing(rich))[1] !== before[1] && performance.now() < deadline) await sleep(50)
    assert.deepEqual(await standing(rich), before)
  })

  it('as a dry run, leaves no trace', async () => {
    const before = await standing(rich)
    const dry = await send('POST', `/members/${rich}/holds?dryRun=true`, { body: { tokens: 30 } })
    assert.equal(dry.status, 200)
    assert.deepEqual(await standing(rich), before)
    assert.deepEqual([dry.json.dryRun, dry.json.holdId], [true, undefined])
  })

  it('a reversed capture makes the points available again', async () => {
    const before = await standing(rich)
    const { holdId } = (await hold(rich, { tokens: 30 })).json
    const { transactionId } = (await capture(holdId)).json
    assert.equal((await send('POST', `/entries/${transactionId}/reverse`)).status, 200)
    assert.deepEqual(await standing(rich), before)
    assertProblem(await send('POST', `/entries/${holdId}/reverse`), 422, 'not_reversible')
  })
})

describe('rejected', () => {
  it('more than the balance or the hold, an unknown member, and an unknown hold', async () => {
    assertProblem(await hold(rich, { tokens: (await balance(rich)) + 1 }), 422, 'insufficient_points')
    assertProblem(await hold(unknownMember, { tokens: 1 }), 404, 'member_not_found')
    assertProblem(await hold(rich, { tokens: 1, realmPointId: 'lead' }), 404, 'point_not_found')
    const { holdId } = (await hold(rich, { tokens: 5 })).json
    assertProblem(await capture(holdId, { tokens: 6 }), 422, 'insufficient_points')
    assert.equal((await release(holdId)).status, 200)
    assertProblem(await release(holdId), 422, 'hold_ended')
    assertProblem(await capture('99999999'), 404, 'hold_not_found')
    const { transactionId } = (await adjust(rich, { tokens: 1 })).json
    assertProblem(await release(transactionId), 404, 'hold_not_found')
  })

  it('an invalid amount or time', async () => {
    assertInvalid(await hold(rich, { tokens: 0 }), '/tokens')
    assertInvalid(await hold(rich, { tokens: -1 }), '/tokens')
    assertInvalid(await hold(rich, { tokens: 1, expiresIn: 0 }), '/expiresIn')
    assertInvalid(await capture('1', { tokens: 0 }), '/tokens')
  })
})

it('the ledger verifies afterwards', () => assertBooks(made.database))
