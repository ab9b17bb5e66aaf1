import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertBooks } from '../../../tests/support/books.ts'
import type { Answer } from '../../../tests/support/call.ts'
import { empty, poor, rich } from '../../../tests/support/fixture.ts'
import { assertInvalid } from '../../../tests/support/problem.ts'
import { entryCount } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asManager, v4 } from '../../../tests/support/v4.ts'

const made = suite()
const { send, adjust, transfer, balance } = v4(made)

const undo = (filter: object, more: object = {}, query = '') =>
  send('POST', `/reversals${query}`, { body: { filter, ...more } })

const standing = async () => [await balance(rich), await balance(poor), await balance(empty)]

/** When an entry was posted, by the server's clock, which this process knows only approximately. */
async function timeOf({ json }: Answer): Promise<number> {
  const path = `/realms/${made.fixture.realm.id}/entries/${json.transactionId}`
  const { at } = (await asManager(made, 'GET', { path })) as { at: string }
  return Date.parse(at)
}

type Report = { readonly reversed: readonly { readonly reversal?: string }[] }

/** The response of a dry run: it names no entries that do not exist. */
const rehearsalOf = (report: Report) => ({
  ...report,
  dryRun: true,
  reversed: report.reversed.map((one) => {
    const { reversal: _, ...rest } = one
    return rest
  }),
})

describe('many entries', () => {
  it('of one reference are reversed, also batches and transfers, after a dry run', async () => {
    const before = await standing()
    const reference = 'raid-7'
    await adjust(rich, { tokens: 10, reference })
    await adjust(poor, { tokens: 10 })
    const entries = [rich, poor, empty].map((memberId) => ({ memberId, tokens: 5 }))
    await send('PATCH', '/members/tokenBalance', { body: { reference, entries } })
    await transfer(poor, { recipientId: empty, tokens: 2, reference })
    const [counted, stood] = [await entryCount(made), await standing()]
    const dry = await undo({ reference }, {}, '?dryRun=true')
    assert.equal(dry.status, 200)
    assert.deepEqual([dry.json.matched, dry.json.reversed.length, dry.json.refused], [5, 5, []])
    assert.deepEqual([await entryCount(made), await standing()], [counted, stood])
    const real = await undo({ reference }, { reason: 'a cheat' })
    assert.deepEqual(rehearsalOf(real.json), dry.json)
    assert.deepEqual(await standing(), [before[0], (before[1] ?? 0) + 10, before[2]])
    const again = await undo({ reference })
    assert.deepEqual([again.json.matched, again.json.reversed, again.json.already], [5, [], 5])
  })

  it('are reversed from the newest on, so that spent points come back first', async () => {
    const reference = 'earned and spent'
    await adjust(empty, { tokens: -(await balance(empty)) || 1 })
    const [, , had = 0] = await standing()
    await adjust(empty, { tokens: 20, reference })
    await adjust(empty, { tokens: -(had + 20), reference })
    const { json } = await undo({ reference })
    assert.deepEqual([json.reversed.length, json.refused], [2, []])
    assert.equal(await balance(empty), had)
  })

  it('what can’t be reversed is reported, by the dry run and the real request alike', async () => {
    const reference = 'gone'
    await adjust(empty, { tokens: 5, reference })
    await adjust(empty, { tokens: 6, reference })
    await adjust(empty, { tokens: 7 - (await balance(empty)) })
    const dry = await undo({ reference }, {}, '?dryRun=true')
    const real = await undo({ reference })
    assert.deepEqual(rehearsalOf(real.json), dry.json)
    assert.equal(real.json.reversed.length, 1)
    assert.equal(real.json.refused[0].code, 'insufficient_points')
  })

  it('of one actor, one key and a time range', async () => {
    const id = '4711'
    const before = await standing()
    await sleep(2) // so that no earlier entry has the same millisecond
    const first = await adjust(rich, { tokens: 3, actorId: id })
    const second = await adjust(poor, { tokens: 4 })
    const from = new Date(await timeOf(first)).toISOString()
    const to = new Date((await timeOf(second)) + 1).toISOString()
    assert.equal((await undo({ actorId: id, from, to }, {}, '?dryRun=true')).json.matched, 1)
    assert.equal((await undo({ from, to, keyId: '1' }, {}, '?dryRun=true')).json.matched, 2)
    assert.equal((await undo({ from, to, keyId: '7' }, {}, '?dryRun=true')).json.matched, 0)
    assert.equal((await undo({ to: from, actorId: id }, {}, '?dryRun=true')).json.matched, 0)
    assert.equal((await undo({ from, to })).json.reversed.length, 2)
    assert.deepEqual(await standing(), before)
  })

  it('beyond a thousand continue where it stopped', async () => {
    const before = await standing()
    const reference = 'many'
    const entries = Array.from({ length: 900 }, () => ({ memberId: rich, tokens: 1 }))
    for (const _ of [1, 2]) await send('PATCH', '/members/tokenBalance', { body: { reference, entries } })
    const first = await undo({ reference })
    assert.equal(first.json.reversed.length, 1000)
    assert.notEqual(first.json.nextCursor, null)
    const second = await undo({ reference }, { cursor: first.json.nextCursor })
    assert.deepEqual([second.json.reversed.length, second.json.nextCursor], [800, null])
    assert.deepEqual(await standing(), before)
  })

  it('are not selected without a filter', async () => {
    assertInvalid(await undo({}), '/filter')
    assertInvalid(await undo({ from: 'yesterday' }), '/filter/from')
  })
})

it('the ledger verifies afterwards', () => assertBooks(made.database))
