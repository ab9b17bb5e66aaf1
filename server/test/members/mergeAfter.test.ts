import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evmWallet } from '../../../tests/support/fixture.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { mergingSuite } from './merging.ts'

/** What a merge means for older entries, the history and limits. */
const { path, send, realm, give, put, rows, merged } = mergingSuite()
const number = '(select realm from realms where id = $1)'

describe('after a merge', () => {
  it('a reversal of an older entry acts on the survivor', async () => {
    const { transactionId } = (await give('601', 5)).json
    await give('600', 1)
    await merged('600', '601')
    const reversed = await send(`POST /entries/${transactionId}/reverse`, {})
    assert.equal(reversed.status, 200, reversed.text)
    assert.deepEqual(reversed.json.balances, [{ memberId: '600', newBalance: 1 }])
  })

  it('a transfer between the two is not reversible: same_member', async () => {
    await give('610', 5)
    const change = { memberId: '610', recipientId: '611', tokens: 2 }
    const { transactionId } = (await send('POST /changes', { changes: [change] })).json.data[0]
    await merged('610', '611')
    const reversed = await send(`POST /entries/${transactionId}/reverse`, {})
    assertProblem(reversed, 422, 'not_reversible')
    assert.equal(reversed.json.reason, 'same_member')
  })

  it('a merge entry is not reversible, and undoing many skips it', async () => {
    await give('620', 5, { reference: 'both' })
    await give('621', 5, { reference: 'both' })
    const { number: merge620 } = await merged('620', '621')
    const [seq] = (await send(`GET /merges/${merge620}`)).json.transactionIds
    assertProblem(await send(`POST /entries/${seq}/reverse`, {}), 422, 'not_reversible')
    const undone = await send('POST /reversals?dryRun=true', { filter: { reference: 'both' } })
    assert.equal(undone.status, 200, undone.text)
    assert.ok(!JSON.stringify(undone.json).includes(`"${seq}"`))
  })

  it('the history has the entries of both, with mergedFrom and that account’s own balance', async () => {
    await give('630', 1, { reason: 'a' })
    await give('631', 2, { reason: 'b' })
    await give('631', 3, { reason: 'c' })
    await merged('630', '631')
    await give('631', 4, { reason: 'd' })
    const { json } = await send('GET /members/630/history')
    const seen = json.data.map((one: Record<string, unknown>) => [
      one['type'],
      one['tokens'],
      one['newBalance'],
      one['mergedFrom'],
    ])
    assert.deepEqual(seen, [
      ['adjust', 4, 10, null],
      ['merge', 5, 6, null],
      ['adjust', 3, 5, '631'],
      ['adjust', 2, 2, '631'],
      ['adjust', 1, 1, null],
    ])
    const page = await send('GET /members/630/history?limit=2')
    const next = await send(`GET /members/630/history?limit=3&cursor=${page.json.nextCursor}`)
    assert.deepEqual([...page.json.data, ...next.json.data], json.data)
    const { at } = json.data[4]
    assert.equal((await send(`GET /members/630?at=${at}`)).json.tokenBalance, 1)
  })

  it('entries of the merged account name the survivor', async () => {
    const { transactionId } = (await give('641', 5)).json
    await put('640')
    await merged('640', '641')
    const { json } = await send(`GET /entries/${transactionId}`)
    assert.equal(json.toId, '640')
    const feed = (await send(`GET /journal?cursor=${BigInt(transactionId) - 1n}&limit=1`)).json.data[0]
    assert.equal(feed.toId, '640')
  })

  it('daily limits count what either transferred today', async () => {
    await send('POST /points', { id: 'daily', name: 'Daily', maxPerDay: 10 })
    await put('652')
    for (const id of ['650', '651']) await give(id, 50, { realmPointId: 'daily' })
    const transfer = (from: string, tokens: number) =>
      send(`PATCH ${path(from)}/transfer`, { recipientId: '652', tokens, realmPointId: 'daily' })
    assert.equal((await transfer('650', 4)).status, 200)
    assert.equal((await transfer('651', 4)).status, 200)
    await merged('650', '651')
    assertProblem(await transfer('650', 3), 422, 'daily_limit')
    assert.equal((await transfer('651', 2)).status, 200)
  })

  it('the merged member’s row is gone, and its open challenges too', async () => {
    await put('660')
    await put('661')
    await send('POST /members/661/wallets/challenges', { address: evmWallet })
    const count = () =>
      rows(`select count(*)::integer as count from challenges where realm = ${number}`, [realm().id])
    const [before] = await count()
    await merged('660', '661')
    const [now] = await count()
    assert.equal(now.count, before.count - 1)
    const left = await rows(`select id::text from members where realm = ${number} and id = 661`, [realm().id])
    assert.deepEqual(left, [])
  })
})
