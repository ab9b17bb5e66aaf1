import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { poor, rich, unknownMember } from '../../../tests/support/fixture.ts'
import { heldBack } from '../../../tests/support/hold.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { entryCount, query } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'

/** Idempotency keys whose first request was rejected, or that are reused with another request. */
const made = suite()
const { adjust, transfer, balance, send } = v4(made)

let keys = 0
const freshKey = () => ({ headers: { 'idempotency-key': `refused-${++keys}` } })

describe('422', () => {
  it('the same key with another request is rejected, and changes nothing', async () => {
    const retry = freshKey()
    await adjust(rich, { tokens: 10 }, retry)
    const before = [await balance(rich), await entryCount(made)]
    const { secondPointId } = made.fixture.realm
    for (const other of [
      await adjust(rich, { tokens: 11 }, retry),
      await adjust(rich, { tokens: -10 }, retry),
      await adjust(poor, { tokens: 10 }, retry),
      await adjust(rich, { tokens: 10, realmPointId: secondPointId }, retry),
      await transfer(rich, { recipientId: poor, tokens: 10 }, retry),
    ]) {
      assertProblem(other, 422, 'idempotency_key_reused')
      assert.equal(other.headers['idempotent-replayed'], undefined)
    }
    assert.deepEqual([await balance(rich), await entryCount(made)], before)
  })

  it('another reason, reference, metadata or actorId is another request', async () => {
    const said = { reason: 'a', reference: 'b', metadata: { c: 1 }, actorId: rich }
    const retry = freshKey()
    assert.equal((await adjust(rich, { tokens: 1, ...said }, retry)).status, 200)
    for (const other of [
      { reason: 'A' },
      { reason: null },
      { reference: 'a' },
      { metadata: { c: '1' } },
      { metadata: { c: 1, d: null } },
      { metadata: {} },
      { metadata: null },
      { actorId: poor },
      { reason: 'b', reference: 'a' },
    ])
      assertProblem(
        await adjust(rich, { tokens: 1, ...said, ...other }, retry),
        422,
        'idempotency_key_reused',
      )
    assert.equal((await adjust(rich, { tokens: 1, ...said }, retry)).headers['idempotent-replayed'], 'true')
  })

  it('another recipient is another request', async () => {
    const retry = freshKey()
    await transfer(rich, { recipientId: poor, tokens: 1 }, retry)
    const other = await transfer(rich, { recipientId: unknownMember, tokens: 1 }, retry)
    assertProblem(other, 422, 'idempotency_key_reused')
    await transfer(poor, { recipientId: rich, tokens: 1 })
  })

  it('a used key is reported before an unknown member, and an invalid body before a used key', async () => {
    const retry = freshKey()
    await adjust(rich, { tokens: 1 }, retry)
    assertProblem(await adjust(unknownMember, { tokens: 1 }, retry), 422, 'idempotency_key_reused')
    const gems = { tokens: 1, realmPointId: 'gems' }
    assertProblem(await adjust(rich, gems, retry), 422, 'idempotency_key_reused')
    assertProblem(await adjust(rich, { tokens: 0 }, retry), 400, 'invalid_request')
  })

  it('a rejection is replayed byte for byte even once it would succeed, and leaves no entry', async () => {
    const [retry, before] = [freshKey(), await balance(poor)]
    const entries = await entryCount(made)
    const ask = () => adjust(poor, { tokens: -(before + 3) }, retry)
    const first = await ask()
    assertProblem(first, 422, 'insufficient_points')
    assert.equal(await entryCount(made), entries)
    await adjust(poor, { tokens: 10 })
    const second = await ask()
    assert.equal(second.status, 422)
    assert.equal(second.text, first.text)
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.equal(second.headers['content-type'], first.headers['content-type'])
    assert.equal(second.json.requestId, first.headers['x-request-id'])
    assert.notEqual(second.headers['x-request-id'], first.headers['x-request-id'])
    assert.equal(await balance(poor), before + 10)
    assert.equal(await entryCount(made), entries + 1)
    await adjust(poor, { tokens: -10 })
  })

  it('a rejection remembers its point type, named or omitted, and rejects another request', async () => {
    const [retry, { pointId, secondPointId }] = [freshKey(), made.fixture.realm]
    const ask = (extra: object) => adjust(poor, { tokens: -1000, ...extra }, retry)
    const first = await ask({})
    assert.equal((await ask({ realmPointId: pointId })).text, first.text)
    assertProblem(await ask({ realmPointId: secondPointId }), 422, 'idempotency_key_reused')
    assertProblem(await ask({ reason: 'x' }), 422, 'idempotency_key_reused')
    assertProblem(await adjust(rich, { tokens: 1 }, retry), 422, 'idempotency_key_reused')
  })

  it('fifty at once with one key are rejected once, all byte for byte', async () => {
    const retry = freshKey()
    const ask = () => transfer(poor, { recipientId: rich, tokens: 5000 }, retry)
    const answers = await Promise.all(Array.from({ length: 50 }, ask))
    const refused = answers.filter((answer) => answer.status === 422)
    assert.equal(refused.filter((answer) => !answer.headers['idempotent-replayed']).length, 1)
    assert.equal(new Set(refused.map((answer) => answer.text)).size, 1)
    for (const answer of answers) if (answer.status !== 422) assertProblem(answer, 409, 'request_in_progress')
  })

  it('twenty that are decided together with one key are rejected once, all byte for byte', async () => {
    const retry = freshKey()
    const ask = () => adjust(poor, { tokens: -5000 }, retry)
    const twenty = () => Promise.all(Array.from({ length: 20 }, ask))
    // The first one blocks the queue, so that the next twenty are taken from it together.
    const another = async () => [await adjust(rich, { tokens: 1 })]
    const [, answers = []] = await heldBack(made.database, [another, twenty])
    const refused = answers.filter((answer) => answer.status === 422)
    assert.equal(refused.filter((answer) => !answer.headers['idempotent-replayed']).length, 1)
    assert.equal(new Set(refused.map((answer) => answer.text)).size, 1)
    for (const answer of answers) if (answer.status !== 422) assertProblem(answer, 409, 'request_in_progress')
  })

  it('one key with fifty different requests at once is one change', async () => {
    const [retry, entries] = [freshKey(), await entryCount(made)]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => adjust(rich, { tokens: index + 1 }, retry)),
    )
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1)
    const codes = ['idempotency_key_reused', 'request_in_progress']
    assert.ok(answers.every((answer) => answer.status === 200 || codes.includes(answer.json.code)))
    assert.equal(await entryCount(made), entries + 1)
  })
})

describe('200', () => {
  it('a rejection is kept for 24 hours, and says until when and what to do', async () => {
    const { json } = await adjust(poor, { tokens: -2000 }, freshKey())
    const [row] = await query<{ hours: string; until: Date }>(
      made.database,
      `select round(extract(epoch from until - now()) / 3600, 1)::text as hours, until
      from refusals order by until desc limit 1`,
    )
    assert.equal(row?.hours, '24.0')
    assert.equal(json.rememberedUntil, row?.until.toISOString())
    const note = `until ${json.rememberedUntil}. Send a new Idempotency-Key to try again.`
    assert.ok(json.detail.endsWith(note), json.detail)
  })

  it('a rejection that is not remembered does not claim it: without a key, and of a dry run', async () => {
    const dry = await send('PATCH', `/members/${poor}/tokenBalance?dryRun=true`, {
      body: { tokens: -2000 },
      ...freshKey(),
    })
    const change = { memberId: poor, tokens: -2000, idempotencyKey: 'refused-dry-change' }
    const list = await send('POST', '/changes?dryRun=true', { body: { changes: [change] } })
    const plain = await adjust(poor, { tokens: -2000 })
    for (const json of [plain.json, dry.json, list.json.data[0].error]) {
      assert.equal(json.code, 'insufficient_points')
      assert.equal(json.rememberedUntil, undefined)
      assert.doesNotMatch(json.detail, /Idempotency-Key/)
    }
  })

  it('after 24 hours a rejection is forgotten, and the same key is decided again', async () => {
    const [retry, before] = [freshKey(), await balance(poor)]
    const ask = () => adjust(poor, { tokens: -(before + 1) }, retry)
    assertProblem(await ask(), 422, 'insufficient_points')
    await adjust(poor, { tokens: 1 })
    assert.equal((await ask()).headers['idempotent-replayed'], 'true')
    await query(made.database, `update refusals set until = now() - interval '1 second'`)
    const decidedAgain = await ask()
    assert.equal(decidedAgain.status, 200)
    assert.equal(decidedAgain.json.newBalance, 0)
    assert.equal(decidedAgain.headers['idempotent-replayed'], undefined)
    const again = await ask()
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal(again.text, decidedAgain.text)
    assert.equal(await balance(poor), 0)
    await adjust(poor, { tokens: before })
  })

  it('after 24 hours a key may be rejected again, and that is remembered', async () => {
    const retry = freshKey()
    const ask = () => adjust(poor, { tokens: -2000 }, retry)
    const first = await ask()
    await query(made.database, `update refusals set until = now() - interval '1 second'`)
    const second = await ask()
    assertProblem(second, 422, 'insufficient_points')
    assert.equal(second.headers['idempotent-replayed'], undefined)
    assert.notEqual(second.json.requestId, first.json.requestId)
    assert.equal((await ask()).text, second.text)
  })
})
