import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { poor, rich } from '../../../tests/support/fixture.ts'
import { postings, reader } from '../../../tests/support/postings.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { query } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'

const post = postings()
const made = suite()
const { send, adjust, transfer } = v4(made)
const read = reader(made)
const forUs = 60_000_000n

async function entry(id: string | undefined) {
  const { status, json, text } = await read(`/entries/${id}`)
  assert.equal(status, 200, text)
  return json
}

describe('200', () => {
  it('an entry is returned completely: both sides, both balances, details, and its hash', async () => {
    const said = { reason: 'a gift', reference: 'n 1', metadata: { a: { b: 1 } }, actorId: rich }
    const { json } = await transfer(rich, { recipientId: poor, tokens: 10, ...said })
    const { at, hash, ...rest } = await entry(json.transactionId)
    assert.match(at, /\.\d{6}Z$/)
    const text = `select encode(hash, 'hex') as hash from journal
      where seq = $1 and realm = (select realm from realms where id = $2)`
    const [stored] = await query(made.database, text, [json.transactionId, made.fixture.realm.id])
    assert.equal(hash, stored?.['hash'])
    assert.deepEqual(rest, {
      transactionId: json.transactionId,
      type: 'transfer',
      realmPointId: made.fixture.realm.pointId,
      tokens: 10,
      fromId: rich,
      fromBalance: 99_990,
      toId: poor,
      toBalance: 15,
      ...said,
      keyId: '1',
      keyName: null,
      person: null,
      reverses: null,
      reversedBy: null,
      reversible: true,
      holdId: null,
      awardId: null,
      batchId: null,
    })
  })

  it('the realm’s own side has no member and no balance', async () => {
    const added = await entry((await adjust(poor, { tokens: 1 })).json.transactionId)
    assert.deepEqual([added.fromId, added.fromBalance, added.toId, added.toBalance], [null, null, poor, 16])
    const spent = await entry((await adjust(poor, { tokens: -1 })).json.transactionId)
    assert.deepEqual([spent.fromId, spent.fromBalance, spent.toId, spent.toBalance], [poor, 15, null, null])
  })

  it('a reversal and the reversed entry refer to each other', async () => {
    const original = (await adjust(rich, { tokens: 5 })).json.transactionId
    assert.equal((await entry(original)).reversedBy, null)
    const [reversal] = await post(made, { kind: 'reverse', entry: BigInt(original), reason: 'a mistake' })
    const { type, reverses, reason, fromId, toId } = await entry(reversal)
    assert.deepEqual(
      { type, reverses, reason, fromId, toId },
      { type: 'reversal', reverses: original, reason: 'a mistake', fromId: rich, toId: null },
    )
    assert.equal((await entry(original)).reversedBy, reversal)
  })

  it('a hold is between a member’s balance and its held points', async () => {
    const [hold] = await post(made, { kind: 'hold', member: rich, tokens: 9n, point: undefined, forUs })
    const made1 = await entry(hold)
    assert.deepEqual([made1.type, made1.fromId, made1.toId, made1.toBalance], ['hold', rich, rich, 9])
    assert.equal(made1.holdId, hold)
    const [captured] = await post(made, { kind: 'capture', hold: BigInt(hold ?? 0), tokens: undefined })
    const spent = await entry(captured)
    assert.deepEqual(
      [spent.type, spent.holdId, spent.fromId, spent.fromBalance, spent.toId, spent.reverses],
      ['capture', hold, rich, 0, null, null],
    )
  })

  it('each entry of a batch has its batch and its details', async () => {
    const changes = [rich, poor, rich].map((member) => ({ member, tokens: 1n, point: undefined }))
    const [first, ...others] = await post(made, { kind: 'batch', changes, reason: 'all' })
    for (const id of [first, ...others]) {
      const { batchId, reason } = await entry(id)
      assert.deepEqual({ batchId, reason }, { batchId: first, reason: 'all' })
    }
    const after = await entry((await adjust(rich, { tokens: 1 })).json.transactionId)
    assert.equal(after.batchId, null)
  })
})

describe('400', () => {
  it('an invalid transaction id', async () => {
    for (const id of ['0', '-1', '1.5', 'x', '9223372036854775808', '01'])
      assertInvalid(await read(`/entries/${id}`), 'path:transactionID')
  })
})

describe('403', () => {
  it('a key without journal:read', async () =>
    assertProblem(await send('GET', '/entries/1'), 403, 'insufficient_scope'))
})

describe('404', () => {
  it('an entry that does not exist yet, or is of another realm', async () => {
    assertProblem(await read('/entries/9223372036854775807'), 404, 'entry_not_found')
    const other = reader(made, ({ fixture }) => fixture.other)
    assertProblem(await other('/entries/1'), 404, 'entry_not_found')
  })
})
