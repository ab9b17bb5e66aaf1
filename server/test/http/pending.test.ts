import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertBooks } from '../../../tests/support/books.ts'
import type { Call } from '../../../tests/support/call.ts'
import { empty, poor, rich } from '../../../tests/support/fixture.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { keyed, pendings, soon, until } from './pendings.ts'

const tools = pendings()
const { made, send, adjust, transfer, member, point } = tools
const { award, grant, cancel, read, journal, reverse, standing } = tools

describe('an award', () => {
  it('is pending, not in the balance, and shown with the member only while there is one', async () => {
    const [had] = await standing(empty)
    assert.equal('pending' in (await member(empty)).json, false)
    const { status, json, headers } = await award(empty, { tokens: 100, reason: 'a parcel' })
    assert.equal(status, 201)
    assert.deepEqual([json.tokens, json.status, json.grantAt], [100, 'pending', null])
    assert.deepEqual(json.pending, { [point()]: 100 })
    assert.equal(json.awardId, json.transactionId)
    assert.ok(String(headers['location']).endsWith(`/awards/${json.awardId}`))
    assert.deepEqual(await standing(empty), [had, 100])
    const shown = await read(json.awardId)
    assert.deepEqual(
      [shown.memberId, shown.tokens, shown.status, shown.endedBy],
      [empty, 100, 'pending', null],
    )
    for (const path of ['/awards', `/members/${empty}/awards`])
      assert.equal((await send('GET', path)).json.data[0].awardId, json.awardId)
    assert.equal((await cancel(json.awardId)).status, 200)
    assert.equal('pending' in (await member(empty)).json, false)
  })

  it('can’t be spent, transferred or held', async () => {
    const [had] = await standing(poor)
    const { awardId } = (await award(poor, { tokens: 50 })).json
    assertProblem(await adjust(poor, { tokens: -had - 1 }), 422, 'insufficient_points')
    assertProblem(await transfer(poor, { recipientId: rich, tokens: had + 1 }), 422, 'insufficient_points')
    assertProblem(
      await send('POST', `/members/${poor}/holds`, { body: { tokens: had + 1 } }),
      422,
      'insufficient_points',
    )
    await cancel(awardId)
  })

  it('is granted completely', async () => {
    const [had, pending] = await standing(rich)
    const { awardId } = (await award(rich, { tokens: 40 })).json
    const { status, json } = await grant(awardId)
    assert.equal(status, 200)
    assert.deepEqual([json.granted, json.newBalance, json.status], [40, had + 40, 'granted'])
    assert.deepEqual(await standing(rich), [had + 40, pending])
    const shown = await read(awardId)
    assert.deepEqual([shown.status, shown.endedBy], ['granted', json.transactionId])
  })

  it('is cancelled without a change of the balance', async () => {
    const before = await standing(rich)
    const { awardId } = (await award(rich, { tokens: 40 })).json
    const { status, json } = await cancel(awardId)
    assert.deepEqual([status, json.cancelled, json.status], [200, 40, 'cancelled'])
    assert.deepEqual(await standing(rich), before)
    assert.equal((await read(awardId)).status, 'cancelled')
  })

  it('is done once by a retry, which returns the first response', async () => {
    const [had] = await standing(rich)
    const body = { tokens: 7, grantAt: soon(60_000) }
    const first = await award(rich, body, keyed('award-1'))
    assert.equal((await award(rich, body, keyed('award-1'))).text, first.text)
    const { awardId } = first.json
    assertProblem(await award(rich, { tokens: 7 }, keyed('award-1')), 422, 'idempotency_key_reused')
    const granted = await grant(awardId, keyed('grant-1'))
    const again = await grant(awardId, keyed('grant-1'))
    assert.equal(again.text, granted.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.deepEqual(await standing(rich), [had + 7, 0])
  })

  it('ends once, under any concurrency of grants and cancels', async () => {
    for (let round = 0; round < 5; round++) {
      const [had] = await standing(rich)
      const { awardId } = (await award(rich, { tokens: 30 })).json
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? grant(awardId) : cancel(awardId))),
      )
      const done = answers.filter(({ status }) => status === 200)
      assert.equal(done.length, 1)
      for (const answer of answers) if (answer.status !== 200) assertProblem(answer, 422, 'award_ended')
      assert.deepEqual(await standing(rich), [done[0]?.json.granted ? had + 30 : had, 0])
    }
  })

  it('is granted by itself when it is due', async () => {
    const [had] = await standing(rich)
    const { awardId } = (await award(rich, { tokens: 30, grantAt: soon(1_000) })).json
    assert.deepEqual(await standing(rich), [had, 30])
    await until(async () => (await read(awardId)).status === 'granted')
    assert.deepEqual(await standing(rich), [had + 30, 0])
    assertProblem(await grant(awardId), 422, 'award_ended')
    assertProblem(await cancel(awardId), 422, 'award_ended')
  })

  it('with a due time that has passed is granted within seconds', async () => {
    const { awardId } = (await award(rich, { tokens: 1, grantAt: soon(-60_000) })).json
    await until(async () => (await read(awardId)).status === 'granted')
  })

  it('without a due time stays pending', async () => {
    const { awardId } = (await award(rich, { tokens: 1 })).json
    await sleep(2_500)
    assert.equal((await read(awardId)).status, 'pending')
    await cancel(awardId)
  })

  it('can be granted before it is due', async () => {
    const { awardId } = (await award(rich, { tokens: 1, grantAt: soon(3_600_000) })).json
    assert.equal((await grant(awardId)).status, 200)
  })

  it('as a dry run, leaves no trace; nor do its grant and cancel', async () => {
    const before = await standing(rich)
    const dry = await send('POST', `/members/${rich}/awards?dryRun=true`, { body: { tokens: 30 } })
    assert.deepEqual([dry.status, dry.json.dryRun, dry.json.awardId], [200, true, undefined])
    assert.deepEqual(await standing(rich), before)
    const { awardId } = (await award(rich, { tokens: 3 })).json
    for (const action of ['grant', 'cancel']) {
      const { json } = await send('POST', `/awards/${awardId}/${action}?dryRun=true`)
      assert.deepEqual([json.dryRun, json.transactionId], [true, undefined])
    }
    assert.equal((await read(awardId)).status, 'pending')
    await cancel(awardId)
  })

  it('changes the member’s ETag, and each of its commands observes If-Match', async () => {
    const etagOf = async () => String((await member(rich)).headers['etag'])
    const matching = (etag: string): Call => ({ headers: { 'if-match': etag } })
    const first = await etagOf()
    const { awardId } = (await award(rich, { tokens: 3 }, matching(first))).json
    const second = await etagOf()
    assert.notEqual(first, second)
    assertProblem(await award(rich, { tokens: 3 }, matching(first)), 412, 'precondition_failed')
    assertProblem(await grant(awardId, matching(first)), 412, 'precondition_failed')
    assertProblem(await cancel(awardId, matching(first)), 412, 'precondition_failed')
    assert.equal((await grant(awardId, matching(second))).status, 200)
    assert.notEqual(await etagOf(), second)
  })

  it('is in the member’s history, with what it did to the pending points', async () => {
    const { awardId } = (await award(poor, { tokens: 9, reason: 'an order' })).json
    const { transactionId } = (await grant(awardId)).json
    const second = (await award(poor, { tokens: 4 })).json.awardId
    const third = (await cancel(second)).json.transactionId
    const json = await journal(`/members/${poor}/history?limit=4`)
    assert.deepEqual(
      json.data.map((one: Record<string, unknown>) => [
        one['transactionId'],
        one['type'],
        one['tokens'],
        one['pendingTokens'],
        one['newPending'],
        one['awardId'],
      ]),
      [
        [third, 'cancel', 0, -4, 0, second],
        [second, 'award', 0, 4, 4, second],
        [transactionId, 'grant', 9, -9, 0, awardId],
        [awardId, 'award', 0, 9, 9, awardId],
      ],
    )
    assert.equal(json.data[3].reason, 'an order')
    const entry = await journal(`/entries/${transactionId}`)
    assert.deepEqual([entry.fromId, entry.toId, entry.awardId], [poor, poor, awardId])
    const page = (await journal(`/journal?cursor=${Number(awardId) - 1}&limit=1`)).data[0]
    assert.deepEqual([page.type, page.fromAccount, page.toId], ['award', 0, poor])
    assert.ok(page.toAccount < -(2 ** 30))
  })

  it('is shown as it was at a time', async () => {
    const { awardId } = (await award(rich, { tokens: 12 })).json
    await sleep(20)
    const at = new Date().toISOString()
    await sleep(20)
    await cancel(awardId)
    const { json } = { json: await journal(`/members/${rich}?at=${at}`) }
    assert.deepEqual(json.pending, { [point()]: 12 })
    assert.equal('pending' in (await member(rich)).json, false)
  })

  it('counts as gained when it is granted, and not when it is reversed', async () => {
    const gained = async () => {
      const { json } = await send('GET', '/leaderboard?period=week')
      return json.data?.find((one: { id: string }) => one.id === poor)?.tokens ?? 0
    }
    const before = await gained()
    const pending = (await award(poor, { tokens: 1_000 })).json.awardId
    const { awardId } = (await award(poor, { tokens: 500 })).json
    const { transactionId } = (await grant(awardId)).json
    await until(async () => (await gained()) === before + 500)
    await reverse(transactionId)
    await until(async () => (await gained()) === before)
    await cancel(pending)
    assertProblem(await send('POST', `/entries/${awardId}/reverse`), 422, 'not_reversible')
    const { supply } = (await send('GET', '/statistics')).json
    const [{ issued, spent, held, circulation }] = supply
    assert.equal(Number(issued) - Number(spent) - Number(held), Number(circulation))
  })

  it('is issued by its grant: an award and a cancel change no supply', async () => {
    const supply = async () => (await send('GET', '/statistics')).json
    const settled = async () => {
      const { head } = await journal('/journal?limit=1')
      await until(async () => (await supply()).seq === head.seq)
      return (await supply()).supply.find((one: { realmPointId: string }) => one.realmPointId === point())
    }
    const before = await settled()
    const { awardId } = (await award(rich, { tokens: 70 })).json
    assert.deepEqual(await settled(), before)
    await cancel(awardId)
    assert.deepEqual(await settled(), before)
    await grant((await award(rich, { tokens: 70 })).json.awardId)
    assert.equal(Number((await settled()).issued), Number(before.issued) + 70)
  })
})

it('the ledger verifies afterwards', () => assertBooks(made.database))
