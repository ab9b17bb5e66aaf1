import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { empty, poor, rich, unknownMember } from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { entryCount, storedEntry } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'

const made = suite()
const { send, member, adjust, transfer, balance } = v4(made)
const greatest = 9_007_199_254_740_991

const give = (from: string, to: string, tokens: number | string) =>
  transfer(from, `{"recipientId":${to},"tokens":${tokens}}`)

async function standing(): Promise<number[]> {
  return [await balance(rich), await balance(poor), await balance(empty), await entryCount(made)]
}

/** Sends requests that must be rejected, and checks that neither balance nor journal changed. */
async function changesNothing(refused: () => Promise<void>): Promise<void> {
  const before = await standing()
  await refused()
  assert.deepEqual(await standing(), before)
}

describe('200', () => {
  it('points move from one member to the other, and the response is Ok with both balances', async () => {
    const answer = await give(rich, empty, 40)
    assert.equal(answer.status, 200)
    const { transactionId, ...rest } = answer.json
    assert.deepEqual(rest, { message: 'Ok', newBalance: 99_960, recipientBalance: 40 })
    assert.equal(typeof transactionId, 'string')
    assert.deepEqual([await balance(rich), await balance(empty)], [99_960, 40])
  })

  it('a recipient above 2^53 is exact, as a number and as a string', async () => {
    const [before, others] = [await balance(rich), await balance(poor)]
    assert.equal((await give(empty, rich, 1)).status, 200)
    assert.equal((await give(empty, `"${rich}"`, 1)).status, 200)
    assert.equal((await give(empty, `${rich}.0`, '1.0')).status, 200)
    assert.equal(await balance(rich), before + 3)
    assert.equal(await balance(poor), others)
    assert.equal((await give(rich, '9223372036854775807.0', '1e0')).json.newBalance, before + 2)
  })

  it('a member may transfer the whole balance', async () => {
    const all = await balance(empty)
    assert.equal((await give(empty, rich, all)).json.newBalance, 0)
    assert.equal((await give(rich, empty, all)).json.recipientBalance, all)
  })

  it('point types are independent', async () => {
    const before = await standing()
    const realmPointId = made.fixture.realm.secondPointId
    await adjust(rich, { tokens: 9, realmPointId })
    const answer = await transfer(rich, { recipientId: poor, tokens: 4, realmPointId })
    assert.deepEqual([answer.json.newBalance, answer.json.recipientBalance], [5, 4])
    assert.equal((await member(poor)).json.balances[realmPointId], 4)
    assert.deepEqual((await standing()).slice(0, 3), before.slice(0, 3))
    const tooMuch = await transfer(poor, { recipientId: rich, tokens: 5, realmPointId })
    assertProblem(tooMuch, 422, 'insufficient_points')
  })

  it('it is one entry, with both sides and its details', async () => {
    const entries = await entryCount(made)
    const [givers, takers] = [await balance(rich), await balance(empty)]
    const said = {
      reason: 'é'.repeat(500),
      reference: 'gift 1',
      metadata: { z: 1, a: [true] },
      actorId: poor,
    }
    const { json } = await transfer(rich, { recipientId: empty, tokens: 2, ...said })
    assert.equal(await entryCount(made), entries + 1)
    const entry = await storedEntry(made, json.transactionId)
    assert.deepEqual([entry?.from_id, entry?.to_id, entry?.amount], [rich, empty, '2'])
    assert.deepEqual([entry?.from_balance, entry?.to_balance], [String(givers - 2), String(takers + 2)])
    assert.deepEqual([entry?.reason, entry?.reference, entry?.actor_id], [said.reason, 'gift 1', poor])
    assert.deepEqual(JSON.parse(entry?.metadata ?? ''), said.metadata)
  })

  it('transfers both ways at once keep the total, and none hangs', async () => {
    await adjust(empty, { tokens: 1000 })
    const total = (await balance(rich)) + (await balance(empty))
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0 ? give(rich, empty, 1 + (index % 7)) : give(empty, rich, 1 + (index % 5)),
      ),
    )
    assert.ok(answers.every((answer) => answer.status === 200))
    assert.equal((await balance(rich)) + (await balance(empty)), total)
  })

  it('of a hundred concurrent transfers from a member with 5 points five succeed', async () => {
    const before = await balance(rich)
    const answers = await Promise.all(Array.from({ length: 100 }, () => give(poor, rich, 1)))
    assert.equal(answers.filter((answer) => answer.status === 200).length, 5)
    assert.equal(answers.filter((answer) => answer.json.code === 'insufficient_points').length, 95)
    assert.deepEqual([await balance(poor), await balance(rich)], [0, before + 5])
    await give(rich, poor, 5)
  })
})

describe('400', () => {
  it('less than one point, or an invalid amount, is rejected', async () => {
    await changesNothing(async () => {
      for (const tokens of ['0', '-5', '-0', '1.5', '"5"', 'null', 'true', '9007199254740992', '1e400'])
        assertInvalid(await give(rich, poor, tokens), '/tokens')
      assertInvalid(await transfer(rich, { recipientId: poor }), '/tokens')
    })
  })

  it('an invalid member id is rejected as recipient', async () => {
    const numbers = ['0', '-1', '1.5', '5.5', '1e-3', '1e19', '9223372036854775808', '1e400']
    const texts = ['"x"', '"007"', '"5.0"', '"5e0"', '" 5"', '"+5"', '""', '"9223372036854775808"']
    await changesNothing(async () => {
      for (const to of [...numbers, ...texts, 'null', 'true', '{}', '[5]', `["${poor}"]`])
        assertInvalid(await give(rich, to, 1), '/recipientId')
      assertInvalid(await transfer(rich, { tokens: 5 }), '/recipientId')
    })
  })

  it('every missing field is named', async () => {
    const { json } = await transfer(rich, {})
    const pointers = json.errors.map((fault: { pointer: string }) => fault.pointer)
    assert.deepEqual(pointers.sort(), ['/recipientId', '/tokens'])
  })

  it('details and point types of a wrong format are rejected, each with its location', async () => {
    await changesNothing(async () => {
      for (const [field, value] of [
        ['reason', 'x'.repeat(501)],
        ['reason', 5],
        ['reason', {}],
        ['reference', 'x'.repeat(256)],
        ['metadata', []],
        ['metadata', { m: 'x'.repeat(2048) }],
        ['actorId', 'x'],
        ['realmPointId', '9lives'],
      ] as const) {
        const answer = await transfer(rich, { recipientId: poor, tokens: 1, [field]: value })
        assertInvalid(answer, `/${field}`)
      }
      const nul = `{"recipientId":${poor},"tokens":1,"reason":"\\u0000"}`
      assertInvalid(await transfer(rich, nul), '/reason')
      assertInvalid(await transfer(rich, `{"recipientId":${poor},"tokens":1,"metadata":1.5}`), '/metadata')
    })
  })

  it('a duplicate field is rejected, escaped or not', async () => {
    await changesNothing(async () => {
      for (const field of ['recipientId', '\\u0072ecipientId'])
        assertInvalid(await transfer(rich, `{"recipientId":${poor},"tokens":1,"${field}":${empty}}`), '')
    })
  })

  it('an unknown query parameter or a path without a member is rejected', async () => {
    const body = { recipientId: poor, tokens: 1 }
    await changesNothing(async () => {
      const dry = await send('PATCH', `/members/${rich}/transfer?dryRun=1`, { body })
      assertInvalid(dry, 'query:dryRun')
      for (const id of ['abc', 'includes', '0', '1%20'])
        assertInvalid(await transfer(id, body), 'path:memberID')
    })
  })
})

describe('404', () => {
  it('point type, sender and recipient are checked in this order', async () => {
    await changesNothing(async () => {
      const realmPointId = 'ffffffffffffffffffffffff'
      const nowhere = await transfer(unknownMember, { recipientId: '78', tokens: 1, realmPointId })
      assertProblem(nowhere, 404, 'point_not_found')
      assertProblem(await give(unknownMember, '78', 1), 404, 'member_not_found')
      assertProblem(await give(unknownMember, rich, 1), 404, 'member_not_found')
      assertProblem(await give(rich, unknownMember, 1), 404, 'recipient_not_found')
      assertProblem(await give(rich, unknownMember, greatest), 404, 'recipient_not_found')
    })
  })

  it('an unknown member can’t transfer to itself either', async () =>
    assertProblem(await give(unknownMember, unknownMember, 1), 404, 'member_not_found'))
})

describe('422', () => {
  it('a transfer to oneself is rejected, before the balance is checked', async () => {
    await changesNothing(async () => {
      assertProblem(await give(rich, rich, 1), 422, 'same_member')
      assertProblem(await give(rich, `"${rich}"`, greatest), 422, 'same_member')
    })
  })

  it('with too few points nothing changes', async () => {
    await changesNothing(async () => {
      const has = await balance(poor)
      const refused = await give(poor, rich, has + 1)
      assertProblem(refused, 422, 'insufficient_points')
      assert.ok(refused.json.detail.includes(`has ${has} points; ${has + 1} were asked for`))
      assertProblem(await give(rich, empty, greatest), 422, 'insufficient_points')
    })
  })

  it('a recipient at the limit gets nothing, and too few points are reported first', async () => {
    const had = await balance(empty)
    await adjust(empty, { tokens: greatest - had })
    await changesNothing(async () => {
      assertProblem(await give(rich, empty, 1), 422, 'balance_limit')
      assertProblem(await give(poor, empty, (await balance(poor)) + 1), 422, 'insufficient_points')
    })
    await adjust(empty, { tokens: had - greatest })
    assert.equal((await give(rich, empty, 1)).json.recipientBalance, had + 1)
  })
})
