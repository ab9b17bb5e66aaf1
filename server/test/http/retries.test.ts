import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer } from '../../../tests/support/call.ts'
import { empty, poor, rich, unknownMember } from '../../../tests/support/fixture.ts'
import { heldBack } from '../../../tests/support/hold.ts'
import { managed } from '../../../tests/support/manager.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { entryCount } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'

const made = suite()
const { adjust, transfer, balance } = v4(made)

let keys = 0
/** Headers with an Idempotency-Key that no other test uses. */
const freshKey = () => ({ headers: { 'idempotency-key': `order-${++keys}` } })

/** The second response repeats the first one, status and body byte for byte, and is marked as replayed. */
function assertReplayed(first: Answer, second: Answer): void {
  assert.equal(first.headers['idempotent-replayed'], undefined)
  assert.equal(second.headers['idempotent-replayed'], 'true')
  assert.equal(second.status, first.status)
  assert.equal(second.text, first.text)
  assert.equal(second.headers['content-type'], first.headers['content-type'])
  assert.ok(second.headers['x-request-id'])
  assert.notEqual(second.headers['x-request-id'], first.headers['x-request-id'])
}

describe('200', () => {
  it('the same key and request is one change, answered twice byte for byte', async () => {
    const [retry, before, entries] = [freshKey(), await balance(rich), await entryCount(made)]
    const first = await adjust(rich, { tokens: 10 }, retry)
    assert.equal(first.status, 200)
    assertReplayed(first, await adjust(rich, { tokens: 10 }, retry))
    assert.equal(await balance(rich), before + 10)
    assert.equal(await entryCount(made), entries + 1)
  })

  it('the first response is replayed after later changes', async () => {
    const retry = freshKey()
    const first = await adjust(rich, { tokens: 10 }, retry)
    await adjust(rich, { tokens: 99 })
    assertReplayed(first, await adjust(rich, { tokens: 10 }, retry))
  })

  it('a transfer is replayed too', async () => {
    const [retry, before] = [freshKey(), await balance(rich)]
    const first = await transfer(rich, { recipientId: empty, tokens: 1 }, retry)
    assertReplayed(first, await transfer(rich, { recipientId: empty, tokens: 1 }, retry))
    assert.equal(await balance(rich), before - 1)
  })

  it('an equivalent request is the same request', async () => {
    const [retry, { pointId }] = [freshKey(), made.fixture.realm]
    const first = await transfer(rich, `{"recipientId":${poor},"tokens":1}`, retry)
    for (const raw of [
      `{ "tokens": 1.0, "recipientId": "${poor}" }`,
      `{"recipientId":${poor}.0,"tokens":1e0,"other":2}`,
      `{"recipientId":${poor},"tokens":1,"realmPointId":"${pointId}"}`,
      `{"recipientId":${poor},"tokens":1,"realmPointId":null,"reason":null,"metadata":null}`,
    ])
      assertReplayed(first, await transfer(rich, raw, retry))
    await transfer(poor, { recipientId: rich, tokens: 1 })
  })

  it('the default point type may be named first and omitted later', async () => {
    const [retry, { pointId }] = [freshKey(), made.fixture.realm]
    const first = await adjust(rich, { tokens: 4, realmPointId: pointId }, retry)
    assertReplayed(first, await adjust(rich, { tokens: 4 }, retry))
    const left = freshKey()
    const second = await adjust(rich, { tokens: 4 }, left)
    assertReplayed(second, await adjust(rich, { tokens: 4, realmPointId: pointId }, left))
  })

  it('the order of keys in metadata does not matter, at any depth', async () => {
    const retry = freshKey()
    const first = await adjust(rich, '{"tokens":1,"metadata":{"a":1,"b":{"c":[1,2],"d":"x"}}}', retry)
    const turned = '{"metadata":{"b":{"d":"\\u0078","c":[1.0,2]},"a":1e0},"tokens":1}'
    assertReplayed(first, await adjust(rich, turned, retry))
    const other = await adjust(rich, '{"tokens":1,"metadata":{"a":1,"b":{"c":[2,1],"d":"x"}}}', retry)
    assertProblem(other, 422, 'idempotency_key_reused')
  })

  it('the actor may be a number or a string', async () => {
    const retry = freshKey()
    const first = await adjust(rich, `{"tokens":1,"actorId":${poor}}`, retry)
    assertReplayed(first, await adjust(rich, `{"tokens":1,"actorId":"${poor}"}`, retry))
  })

  it('a key is scoped to its realm', async () => {
    const retry = freshKey()
    assert.equal((await adjust(rich, { tokens: 1 }, retry)).status, 200)
    const elsewhere = await v4(made, ({ fixture }) => fixture.open).adjust(rich, { tokens: 2 }, retry)
    assert.equal(elsewhere.status, 200)
    assert.equal(elsewhere.headers['idempotent-replayed'], undefined)
    assert.equal(elsewhere.json.newBalance, 2)
  })

  it('the case of a key matters, and it may have 255 visible characters', async () => {
    const before = await balance(rich)
    for (const key of ['~'.repeat(255), `!${'~'.repeat(254)}`, 'case', 'CASE', '"quoted"', '{}']) {
      const answer = await adjust(rich, { tokens: 1 }, { headers: { 'idempotency-key': key } })
      assert.equal(answer.headers['idempotent-replayed'], undefined)
      assert.equal(answer.status, 200)
    }
    assert.equal(await balance(rich), before + 6)
  })

  it('a hundred concurrent requests with one key are one change', async () => {
    const [retry, before] = [freshKey(), await balance(rich)]
    const answers = await Promise.all(Array.from({ length: 100 }, () => adjust(rich, { tokens: 7 }, retry)))
    assert.equal(await balance(rich), before + 7)
    const firsts = answers.filter((one) => one.status === 200 && !one.headers['idempotent-replayed'])
    assert.equal(firsts.length, 1)
    for (const answer of answers) {
      if (answer.status === 409) assertProblem(answer, 409, 'request_in_progress')
      else assert.equal(answer.text, firsts[0]?.text)
    }
  })

  it('the same key while the first still runs waits for it, or gets a 409', async () => {
    const [retry, before] = [freshKey(), await balance(rich)]
    const ask = () => adjust(rich, { tokens: 3 }, retry)
    const answers = await heldBack(made.database, [ask, ask])
    const done = answers.filter((answer) => answer.status === 200)
    assert.equal(done.filter((answer) => !answer.headers['idempotent-replayed']).length, 1)
    for (const answer of answers) if (answer.status !== 200) assertProblem(answer, 409, 'request_in_progress')
    assert.equal(await balance(rich), before + 3)
  })
})

describe('400', () => {
  it('a key that is empty, too long or not visible ASCII is rejected, and changes nothing', async () => {
    const before = await entryCount(made)
    for (const key of ['', ' ', 'a b', 'clé', 'x'.repeat(256), 'a\tb'])
      assertInvalid(
        await adjust(rich, { tokens: 1 }, { headers: { 'idempotency-key': key } }),
        'header:Idempotency-Key',
      )
    assert.equal(await entryCount(made), before)
  })

  it('a response before the key is looked up is not remembered', async () => {
    const retry = freshKey()
    assertInvalid(await adjust(rich, { tokens: 'x' }, retry), '/tokens')
    assertProblem(await adjust(rich, { tokens: 1 }, { ...retry, key: 'made-up' }), 401, 'unauthorized')
    const plain = { headers: { ...retry.headers, 'content-type': 'text/plain' } }
    assertProblem(await adjust(rich, { tokens: 1 }, plain), 415, 'unsupported_media_type')
    const first = await adjust(rich, { tokens: 1 }, retry)
    assert.equal(first.status, 200)
    assert.equal(first.headers['idempotent-replayed'], undefined)
  })
})

describe('404', () => {
  it('is not remembered: the same request with the same key is decided again', async () => {
    const before = await entryCount(made)
    const [lost, gems] = [
      { recipientId: unknownMember, tokens: 1 },
      { tokens: 1, realmPointId: 'gems' },
    ]
    const [member, to, point] = [freshKey(), freshKey(), freshKey()]
    for (let time = 0; time < 2; time++) {
      const answers = [
        await adjust(unknownMember, { tokens: 1 }, member),
        await transfer(rich, lost, to),
        await adjust(rich, gems, point),
      ]
      const codes = answers.map(({ json }) => json.code)
      assert.deepEqual(codes, ['member_not_found', 'recipient_not_found', 'point_not_found'])
      for (const { status, headers, json } of answers) {
        assert.deepEqual([status, headers['idempotent-replayed']], [404, undefined])
        assert.deepEqual([json.requestId, json.rememberedUntil], [headers['x-request-id'], undefined])
      }
    }
    assert.equal(await entryCount(made), before)
    // Nothing was decided under the key yet, so another request may have it.
    assert.equal((await adjust(rich, { tokens: 1 }, point)).status, 200)
  })

  it('the member is created, and the same request with the same key is applied, once', async () => {
    const [realm, retry] = [await managed(made), freshKey()]
    const ask = () => v4(made, () => realm).adjust('5555', { tokens: 5 }, retry)
    assertProblem(await ask(), 404, 'member_not_found')
    assert.equal((await realm.send('PUT /members/5555', {})).status, 201)
    const [done, again] = [await ask(), await ask()]
    assert.deepEqual([done.status, done.json.newBalance], [200, 5])
    assertReplayed(done, again)
  })
})
