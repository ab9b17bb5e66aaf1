import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertBooks } from '../../../tests/support/books.ts'
import type { Call } from '../../../tests/support/call.ts'
import { empty, poor, rich } from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { entryCount, storedEntry } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'

const made = suite()
const { send, adjust, transfer, balance } = v4(made)

const reverse = (id: string, options: Call = {}, query = '') =>
  send('POST', `/entries/${id}/reverse${query}`, options)

describe('200', () => {
  it('a credit is reversed, once, and names the reversed entry', async () => {
    const had = await balance(poor)
    const { transactionId } = (await adjust(poor, { tokens: 30 })).json
    const { status, json } = await reverse(transactionId, { body: { reason: 'a mistake' } })
    assert.equal(status, 200)
    const { transactionId: own, ...rest } = json
    const { pointId } = made.fixture.realm
    const balances = [{ memberId: poor, newBalance: had }]
    assert.deepEqual(rest, { reverses: transactionId, tokens: 30, realmPointId: pointId, balances })
    assert.equal((await storedEntry(made, own))?.reason, 'a mistake')
    assert.equal(await balance(poor), had)
    const again = await reverse(transactionId)
    assertProblem(again, 422, 'already_reversed')
    assert.ok(again.json.detail.includes(own))
  })

  it('a debit is reversed', async () => {
    const had = await balance(rich)
    const { transactionId } = (await adjust(rich, { tokens: -5 })).json
    assert.equal((await reverse(transactionId)).status, 200)
    assert.equal(await balance(rich), had)
  })

  it('a transfer is reversed from the recipient to the sender', async () => {
    const before = [await balance(rich), await balance(poor)]
    const { transactionId } = (await transfer(rich, { recipientId: poor, tokens: 12 })).json
    const { json } = await reverse(transactionId)
    assert.deepEqual(json.balances, [
      { memberId: poor, newBalance: before[1] },
      { memberId: rich, newBalance: before[0] },
    ])
  })

  it('with a key, the second response is the first', async () => {
    const { transactionId } = (await adjust(poor, { tokens: 3 })).json
    const key = { headers: { 'idempotency-key': 'undo-1' } }
    const first = await reverse(transactionId, key)
    const second = await reverse(transactionId, key)
    assert.equal(second.text, first.text)
    assert.equal(second.headers['idempotent-replayed'], 'true')
  })

  it('twenty concurrent reversals are one', async () => {
    const had = await balance(poor)
    const { transactionId } = (await adjust(poor, { tokens: 8 })).json
    const answers = await Promise.all(Array.from({ length: 20 }, () => reverse(transactionId)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(await balance(poor), had)
  })

  it('a dry run returns the same and changes nothing', async () => {
    const { transactionId } = (await adjust(poor, { tokens: 8 })).json
    const before = [await balance(poor), await entryCount(made)]
    const dry = await reverse(transactionId, {}, '?dryRun=true')
    assert.deepEqual([await balance(poor), await entryCount(made)], before)
    const { transactionId: _, ...real } = (await reverse(transactionId)).json
    assert.deepEqual(dry.json, { dryRun: true, ...real })
  })
})

describe('rejected', () => {
  it('points that have been spent since can’t be deducted', async () => {
    const { transactionId } = (await adjust(empty, { tokens: 50 })).json
    await adjust(empty, { tokens: -(await balance(empty)) })
    assertProblem(await reverse(transactionId), 422, 'insufficient_points')
    await adjust(empty, { tokens: 50 })
    assert.equal((await reverse(transactionId)).status, 200)
  })

  it('a reversal can’t be reversed', async () => {
    const { transactionId } = (await adjust(poor, { tokens: 3 })).json
    const { transactionId: own } = (await reverse(transactionId)).json
    assertProblem(await reverse(own), 422, 'not_reversible')
  })

  it('an unknown entry is 404, and an invalid id 400', async () => {
    assertProblem(await reverse('99999999'), 404, 'entry_not_found')
    assertInvalid(await reverse('first'), 'path:transactionID')
    assertInvalid(await reverse('0'), 'path:transactionID')
  })
})

it('the ledger verifies afterwards', () => assertBooks(made.database))
