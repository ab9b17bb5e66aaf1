import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertBooks } from '../../../tests/support/books.ts'
import { type Books, openBooks } from '../ledger/books.ts'
import { daysPass } from '../ledger/idling.ts'
import { sweepDay } from '../ledger/sweeping.ts'
import { mergingSuite } from './merging.ts'

/** Merges of members whose points lapse without activity. */
const { made, send, put, give, merged, rows, realm } = mergingSuite()
let books: Books
let number: number
before(async () => {
  books = openBooks(made.database.serverUrl)
  number = (await rows('select realm from realms where id = $1', [realm().id]))[0].realm
  const { defaultPointId: point } = (await send('GET ')).json
  assert.equal((await send(`PUT /points/${point}/lapse`, { idle: { months: 2 } })).status, 201)
  await pass(100)
})
after(() => books?.close())

const pass = (days: number) => daysPass(made.database.superuserUrl, number, days)
const sweep = () => sweepDay(made.database.superuserUrl, books, number)
const lapses = async () =>
  (
    await rows(
      `select m.id, j.amount::integer, j.link::integer from journal j
        left join members m on m.realm = j.realm and m.account = j.from_account
        where j.realm = $1 and kind = 10 order by seq`,
      [number],
    )
  ).map(({ id, amount, link }) => [id, amount, link])
const lastSeq = async () =>
  (await rows('select seq::integer from heads where realm = $1', [number]))[0].seq as number

describe('a merge of members', () => {
  it('makes the later activity of both that of the survivor; undone, each has its own', async () => {
    for (const id of ['100', '101']) await put(id)
    await give('100', 5)
    const old = await lastSeq()
    await pass(40)
    await give('101', 7)
    const late = await lastSeq()
    const { number: merge } = await merged('100', '101')
    await pass(23)
    await sweep()
    assert.deepEqual(await lapses(), [], 'the merged one was active 23 days ago')
    assert.equal((await send(`POST /merges/${merge}/undo`, {})).status, 200)
    await sweep()
    assert.deepEqual(await lapses(), [['100', 5, old]])
    await pass(40)
    await sweep()
    assert.deepEqual((await lapses()).slice(1), [['101', 7, late]])
    await assertBooks(made.database)
  })

  it('is no activity itself, also where it brings the first points', async () => {
    for (const id of ['110', '111']) await put(id)
    await give('111', 7)
    const first = await lastSeq()
    await pass(61)
    await merged('110', '111')
    await pass(2)
    await sweep()
    assert.deepEqual((await lapses()).at(-1), ['110', 7, first])
    await assertBooks(made.database)
  })
})
