import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { empty, poor, rich, unknownMember } from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { entryCount, storedEntry } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'

const made = suite()
const { send, member, adjust, balance } = v4(made)
const greatest = 9_007_199_254_740_991
const noSuchPoint = 'ffffffffffffffffffffffff'

/** Sends requests that must be rejected, and checks that neither balance nor journal changed. */
async function changesNothing(refused: () => Promise<void>): Promise<void> {
  const before = [await balance(rich), await balance(poor), await entryCount(made)]
  await refused()
  assert.deepEqual([await balance(rich), await balance(poor), await entryCount(made)], before)
}

describe('200', () => {
  it('a credit adds and a debit subtracts, each returning the new balance', async () => {
    const added = await adjust(rich, { tokens: 25 })
    assert.equal(added.status, 200)
    assert.match(added.headers['content-type'] ?? '', /^application\/json/)
    assert.deepEqual(Object.keys(added.json), ['newBalance', 'transactionId'])
    assert.equal(added.json.newBalance, 100_025)
    assert.equal((await adjust(rich, { tokens: -25 })).json.newBalance, 100_000)
    assert.equal(await balance(rich), 100_000)
  })

  it('a member whose id JSON.parse would round is matched exactly', async () => {
    await adjust(rich, { tokens: 3 })
    assert.equal(await balance(poor), 5)
    assert.equal((await adjust(poor, { tokens: 1 })).json.newBalance, 6)
    assert.equal(await balance(rich), 100_003)
    await adjust(rich, { tokens: -3 })
    await adjust(poor, { tokens: -1 })
  })

  it('a whole number may be written with a point or an exponent', async () => {
    for (const [written, meant] of [
      ['5.0', 5],
      ['5e0', 5],
      ['0.5E+1', 5],
      ['500e-2', 5],
      ['-0.5e1', -5],
      ['-15.000', -15],
    ] as const) {
      const before = await balance(rich)
      const answer = await adjust(rich, `{"tokens":${written}}`)
      assert.equal(answer.json?.newBalance, before + meant, written)
    }
  })

  it('a realm’s default point type may be named or omitted', async () => {
    const before = await balance(rich)
    const named = await adjust(rich, { tokens: 1, realmPointId: made.fixture.realm.pointId })
    assert.equal(named.json.newBalance, before + 1)
    assert.equal((await adjust(rich, { tokens: -1 })).json.newBalance, before)
  })

  it('point types are independent', async () => {
    const before = await balance(rich)
    const { secondPointId } = made.fixture.realm
    const second = (tokens: number) => adjust(rich, { tokens, realmPointId: secondPointId })
    assert.equal((await second(30)).json.newBalance, 30)
    assert.equal((await second(-10)).json.newBalance, 20)
    assertProblem(await second(-21), 422, 'insufficient_points')
    const { json } = await member(rich)
    assert.equal(json.tokenBalance, before)
    assert.equal(json.balances[secondPointId], 20)
  })

  it('an optional field that is null is absent, and unknown fields are ignored', async () => {
    const nothing = { realmPointId: null, reason: null, reference: null, metadata: null, actorId: null }
    assert.equal((await adjust(rich, { tokens: 1, ...nothing })).status, 200)
    const odd =
      '{"tokens":1,"recipientId":"x","amount":7,"__proto__":{"realmPointId":"x"},"constructor":{"a":{}}}'
    assert.equal((await adjust(rich, odd)).status, 200)
  })

  it('the limits themselves are accepted', async () => {
    assert.equal((await adjust(empty, { tokens: greatest })).json.newBalance, greatest)
    assert.equal(await balance(empty), greatest)
    assert.equal((await adjust(empty, { tokens: -greatest })).json.newBalance, 0)
  })

  it('no update is lost among a hundred concurrent ones', async () => {
    const before = await balance(rich)
    const answers = await Promise.all(Array.from({ length: 100 }, () => adjust(rich, { tokens: 1 })))
    assert.ok(answers.every((answer) => answer.status === 200))
    assert.equal(new Set(answers.map((answer) => answer.json.transactionId)).size, 100)
    assert.equal(new Set(answers.map((answer) => answer.json.newBalance)).size, 100)
    assert.equal(await balance(rich), before + 100)
  })

  it('of a hundred concurrent debits only those that are covered succeed', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => adjust(poor, { tokens: -1 })))
    assert.equal(answers.filter((answer) => answer.status === 200).length, 5)
    assert.equal(answers.filter((answer) => answer.json.code === 'insufficient_points').length, 95)
    assert.equal(await balance(poor), 0)
    assert.equal((await adjust(poor, { tokens: 5 })).json.newBalance, 5)
  })
})

describe('200, the entry', () => {
  it('an accepted change is one entry, with member, time, amount and the balance after', async () => {
    const [entries, before, startedMs] = [await entryCount(made), await balance(rich), Date.now()]
    const { json } = await adjust(rich, { tokens: 7 })
    assert.equal(await entryCount(made), entries + 1)
    assert.equal(json.transactionId, String(entries + 1))
    const entry = await storedEntry(made, json.transactionId)
    assert.equal(entry?.key, 1)
    assert.equal(entry?.amount, '7')
    assert.equal(entry?.point_id, made.fixture.realm.pointId)
    assert.deepEqual([entry?.from_id, entry?.to_id], [null, rich])
    assert.deepEqual([entry?.from_balance, entry?.to_balance], [null, String(before + 7)])
    assert.ok(Math.abs(Number(entry?.at_ms) - startedMs) < 10_000)
    const spent = await storedEntry(made, (await adjust(rich, { tokens: -7 })).json.transactionId)
    assert.deepEqual([spent?.from_id, spent?.to_id, spent?.amount], [rich, null, '7'])
    assert.deepEqual([spent?.from_balance, spent?.to_balance], [String(before), null])
  })

  it('reason, reference, metadata and actorId are stored with it, exactly', async () => {
    const details = `"reason":"Won the race 🏁","reference":"order-7","actorId":${rich}`
    const metadata = '{"b":12345678901234567890,"a":[1.10,{"é":null,"__proto__":true}]}'
    const { status, json } = await adjust(poor, `{"tokens":1,${details},"metadata":${metadata}}`)
    assert.equal(status, 200)
    const entry = await storedEntry(made, json.transactionId)
    assert.equal(entry?.reason, 'Won the race 🏁')
    assert.equal(entry?.reference, 'order-7')
    assert.equal(entry?.actor_id, rich)
    assert.match(entry?.metadata ?? '', /12345678901234567890/)
    assert.deepEqual(JSON.parse(entry?.metadata ?? ''), JSON.parse(metadata))
    await adjust(poor, { tokens: -1 })
  })

  it('an actorId may be a number or a string of its digits', async () => {
    for (const actorId of [empty, `"${empty}"`, '9223372036854775807.0']) {
      const { json } = await adjust(rich, `{"tokens":1,"actorId":${actorId}}`)
      assert.equal((await storedEntry(made, json.transactionId))?.actor_id, empty)
    }
  })

  it('details are accepted up to their limits, counted in code points', async () => {
    const fullest = { m: 'x'.repeat(2048 - '{"m":""}'.length) }
    for (const details of [
      {
        reason: 'r'.repeat(500),
        reference: 'o'.repeat(255),
        metadata: { a: [1, { b: 'é' }] },
        actorId: rich,
      },
      { reason: '😀'.repeat(500), reference: '😀'.repeat(255) },
      { reason: '', reference: '', metadata: {}, actorId: 1 },
      { metadata: fullest },
    ]) {
      const answer = await adjust(rich, { tokens: 1, ...details })
      assert.equal(answer.status, 200, answer.text)
    }
  })
})

describe('400', () => {
  it('an invalid amount is rejected and changes nothing', async () => {
    const digits = '123456789012345678901234567890'
    const whole = ['0', '-0', '0.0', '0e5', '9007199254740992', '-9007199254740992', '1e400', digits]
    const other = ['1.5', '1e-1', '9007199254740991.5', '"5"', 'null', 'true', '[]', '[5]', '{}', '""']
    await changesNothing(async () => {
      for (const tokens of [...whole, ...other])
        assertInvalid(await adjust(rich, `{"tokens":${tokens}}`), '/tokens')
      assertInvalid(await adjust(rich, '{}'), '/tokens')
    })
  })

  it('a body that is not a JSON object is rejected', async () => {
    await changesNothing(async () => {
      for (const raw of ['[]', '5', '"x"', 'null', 'true', '', '{"tokens":5', '{"tokens":5}x', '\u0000', ' '])
        assertInvalid(await adjust(rich, raw), '')
      assertInvalid(await send('PATCH', `/members/${rich}/tokenBalance`), '')
    })
  })

  it('details beyond their limits or of another type are rejected, each with its location', async () => {
    const faulty: readonly (readonly [string, unknown])[] = [
      ['reason', 'x'.repeat(501)],
      ['reason', 'e\u0301'.repeat(251)],
      ['reason', 5],
      ['reason', {}],
      ['reference', 'o'.repeat(256)],
      ['reference', '😀'.repeat(256)],
      ['reference', 5],
      ['metadata', []],
      ['metadata', 'x'],
      ['metadata', 5],
      ['metadata', { m: 'x'.repeat(2049 - '{"m":""}'.length) }],
      ['metadata', { m: 'é'.repeat(1024) }],
      ['actorId', 'x'],
      ['actorId', 0],
      ['actorId', -1],
      ['actorId', '007'],
      ['actorId', ''],
      ['realmPointId', ''],
      ['realmPointId', 5],
      ['realmPointId', '__proto__'],
      ['realmPointId', 'a b'],
      ['realmPointId', 'a'.repeat(65)],
    ]
    await changesNothing(async () => {
      for (const [field, value] of faulty)
        assertInvalid(await adjust(rich, { tokens: 1, [field]: value }), `/${field}`)
    })
  })

  it('metadata that is a number is rejected, however the number is written', async () => {
    await changesNothing(async () => {
      for (const number of ['5', '1.5', '1e400', '12345678901234567890'])
        assertInvalid(await adjust(rich, `{"tokens":1,"metadata":${number}}`), '/metadata')
    })
  })

  it('text that can’t be stored is rejected: NUL and lone surrogates', async () => {
    await changesNothing(async () => {
      for (const field of ['reason', 'reference'])
        for (const text of ['\\u0000', 'a\\ud800', '\\udc00b', '\\udc00\\ud800'])
          assertInvalid(await adjust(rich, `{"tokens":1,"${field}":"${text}"}`), `/${field}`)
      assertInvalid(await adjust(rich, '{"tokens":1,"realmPointId":"\\u0000"}'), '/realmPointId')
    })
  })

  it('several errors are all reported', async () => {
    const { json } = await adjust(rich, { tokens: 'x', reason: 5, actorId: 'y' })
    const pointers = json.errors.map((fault: { pointer: string }) => fault.pointer)
    assert.deepEqual(pointers.sort(), ['/actorId', '/reason', '/tokens'])
  })

  it('an unknown query parameter is rejected: a misspelt dryRun must not write', async () => {
    await changesNothing(async () => {
      const dry = await send('PATCH', `/members/${rich}/tokenBalance?dryrun=true`, { body: { tokens: 1 } })
      assertInvalid(dry, 'query:dryrun')
    })
  })

  it('an invalid member id is rejected, including the word "includes"', async () => {
    for (const id of ['includes', 'abc', '0', '-1', '007', '%zz', '9223372036854775808'])
      assertInvalid(await adjust(id, { tokens: 1 }), 'path:memberID')
  })
})

describe('404', () => {
  it('an unknown point type or member is reported, in this order, and nothing is written', async () => {
    await changesNothing(async () => {
      assertProblem(await adjust(unknownMember, { tokens: 5 }), 404, 'member_not_found')
      assertProblem(await adjust(unknownMember, { tokens: -5 }), 404, 'member_not_found')
      assertProblem(await adjust(rich, { tokens: 5, realmPointId: noSuchPoint }), 404, 'point_not_found')
      assertProblem(await adjust(unknownMember, { tokens: 5, realmPointId: 'gems' }), 404, 'point_not_found')
    })
  })
})

describe('422', () => {
  it('a debit above the balance changes nothing', async () => {
    await changesNothing(async () => {
      const refused = await adjust(poor, { tokens: -6 })
      assertProblem(refused, 422, 'insufficient_points')
      assert.match(refused.json.detail, /has 5 points; 6 were asked for/)
      assertProblem(await adjust(rich, { tokens: -greatest }), 422, 'insufficient_points')
    })
  })

  it('a credit above the limit changes nothing', async () => {
    await changesNothing(async () => {
      assertProblem(await adjust(rich, { tokens: greatest }), 422, 'balance_limit')
      assertProblem(await adjust(poor, { tokens: greatest - 4 }), 422, 'balance_limit')
    })
    assert.equal((await adjust(poor, { tokens: greatest - 5 })).json.newBalance, greatest)
    assertProblem(await adjust(poor, { tokens: 1 }), 422, 'balance_limit')
    assert.equal((await adjust(poor, { tokens: 5 - greatest })).json.newBalance, 5)
  })
})
