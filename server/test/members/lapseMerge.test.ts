import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import { freshDatabase } from '../../../tests/support/suite.ts'
import { openDatabase } from '../../src/db/database.ts'
import { Exports } from '../../src/files/exports/index.ts'
import { loadRealm } from '../../src/files/imports/index.ts'
import { sweepPage } from '../../src/ledger/lapse/sweep.ts'
import { Configs } from '../../src/realms/index.ts'
import { post, textOf } from '../files/exports/books.ts'
import { type Books, openBooks, tester } from '../ledger/books.ts'
import { mergingSuite } from './merging.ts'

/** Merges of members whose points lapse. */
const { made, send, put, read, merged, rows, realm } = mergingSuite()
const point = '/points/miles'
let books: Books
let number: number
before(async () => {
  books = openBooks(made.database.serverUrl)
  number = (await rows('select realm from realms where id = $1', [realm().id]))[0].realm
  assert.equal((await send('POST /points', { id: 'miles' })).status, 201)
})
after(() => books?.close())

const dayMs = 86_400_000
const today = () => Math.floor(Date.now() / dayMs)
const dateIn = (days: number) => new Date((today() + days) * dayMs).toISOString().slice(0, 10)
const rule = (days: number) => send(`PUT ${point}/lapse`, { after: { days } })
/** Points of a rule of so many days. */
async function give(id: string, tokens: number, days?: number): Promise<string> {
  if (days !== undefined) await rule(days)
  const answer = await send(`PATCH /members/${id}/tokenBalance`, { tokens, realmPointId: 'miles' })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.transactionId
}
const lapsing = async (id: string) =>
  (await read(id)).lapsing.miles.map((lot: Record<string, unknown>) => [lot['lapsesOn'], lot['tokens']])
const undo = (merge: string) => send(`POST /merges/${merge}/undo`, {})
const lastLots = async () =>
  (await rows('select kind, lots from journal where realm = $1 order by seq desc limit 1', [number]))[0]

/** Sweeps the realm's miles to the end of the day. */
async function sweep(): Promise<void> {
  const [{ number: own }] = await rows(`select number from points where realm = $1 and id = 'miles'`, [
    number,
  ])
  await rows('update lapse_sweeps set due_at = now() where realm = $1', [number])
  const options = {
    db: books.db,
    configs: new Configs(),
    post: (command: Parameters<typeof books.ledger.post>[0]) => books.ledger.post(command),
    isStopped: async () => false,
  }
  while ((await sweepPage({ realm: number, point: own }, options)) === 'page');
}

describe('a merge of members whose points lapse', () => {
  it('gives points of before the rule the day on which it was set', async () => {
    for (const id of ['100', '101']) await give(id, 4)
    await rule(30)
    await merged('100', '101')
    assert.deepEqual(await lapsing('100'), [[dateIn(31), 8]])
    assert.deepEqual(await lastLots(), { kind: 11, lots: `${today() + 31}:4` })
  })

  it('takes all lots along, joined by day', async () => {
    await give('110', 5, 30)
    await give('111', 7)
    await give('111', 3, 5)
    await merged('110', '111')
    assert.deepEqual(await lapsing('110'), [
      [dateIn(6), 3],
      [dateIn(31), 12],
    ])
    assert.deepEqual(await lastLots(), { kind: 11, lots: `${today() + 6}:3,${today() + 31}:7` })
    const { json } = await send(`GET ${point}/lapsing?before=${dateIn(400)}`)
    const ids = json.data.map((one: Record<string, unknown>) => one['memberId'])
    assert.deepEqual([ids.includes('110'), ids.includes('111')], [true, false])
    const old = await send('GET /members/111')
    assert.deepEqual([old.json.id, old.json.lapsing.miles.length], ['110', 2])
    await assertBooks(made.database)
  })

  it('undone gives them back: the days that moved first, then the soonest', async () => {
    await give('120', 5, 30)
    await give('121', 7)
    await give('121', 3, 5)
    const { number: merge } = await merged('120', '121')
    await give('120', -2)
    const undone = await undo(merge)
    assert.equal(undone.status, 200, undone.text)
    assert.deepEqual(await lapsing('121'), [
      [dateIn(6), 1],
      [dateIn(31), 9],
    ])
    assert.deepEqual(await lapsing('120'), [[dateIn(31), 3]])
    await assertBooks(made.database)
  })

  it('undone leaves a day to use the points', async () => {
    const { key } = (await send('POST /keys', { scopes: ['realm:admin'] })).json
    const csv = {
      key,
      raw: `id,balance:miles@${dateIn(1)}\n131,6\n`,
      headers: { 'content-type': 'text/csv' },
    }
    const url = `${made.app.url}/api/v4/realms/${realm().id}/import?name=old`
    assert.equal((await call('POST', url, csv)).status, 200)
    await put('130')
    const { number: merge } = await merged('130', '131')
    assert.equal((await undo(merge)).status, 200)
    assert.deepEqual(await lapsing('131'), [[dateIn(2), 6]])
    assert.deepEqual(await lapsing('130'), [])
  })

  it('returns what the merged member had spent to the survivor, with its day', async () => {
    await give('140', 5, 5)
    await give('141', 7, 30)
    const spent = await give('141', -4)
    await merged('140', '141')
    const reversed = await send(`POST /entries/${spent}/reverse`, {})
    assert.equal(reversed.status, 200, reversed.text)
    assert.deepEqual(await lapsing('140'), [
      [dateIn(6), 5],
      [dateIn(31), 7],
    ])
  })

  it('is followed by one lapse, of the survivor; the merged account does not move', async () => {
    await rule(30)
    for (const member of ['150', '151']) {
      await put(member)
      const lots = [{ day: today(), amount: 2n }]
      await post(books.ledger, number, { kind: 'opening', member, point: 'miles', tokens: 2n, lots })
    }
    await give('151', 1)
    await merged('150', '151')
    await sweep()
    assert.deepEqual(await lapsing('150'), [[dateIn(31), 1]])
    const lapses = await rows(`select amount::integer, lots from journal where realm = $1 and kind = 10`, [
      number,
    ])
    assert.deepEqual(lapses, [{ amount: 4, lots: `${today()}:4` }])
    await assertBooks(made.database)
  })
})

describe('a member that was unfrozen', () => {
  it('and is merged within a day keeps its points that long', async () => {
    await put('160')
    await put('161', { frozen: true })
    await put('161', { frozen: false })
    await merged('160', '161')
    const found = await rows(
      'select unfrozen_at is not null as kept from members where realm = $1 and id = 160',
      [number],
    )
    assert.deepEqual(found, [{ kept: true }])
  })
})

describe('an exported realm', () => {
  it('is loaded with the lots of merged members, and verifies', async () => {
    const there = await freshDatabase()
    const other = openDatabase(there.serverUrl)
    try {
      const text = await textOf((await new Exports(books.db).ndjson(number)).chunks)
      const { realm: loaded, show, close } = await loadRealm([text] as never, { db: other, by: tester })
      await show()
      await close()
      const balances = 'select account, point, balance, lots from balances where realm = $1 order by 1, 2'
      const own = await rows(balances, [number])
      assert.ok(own.filter(({ lots }) => lots === '').length > 2, 'some were emptied')
      assert.deepEqual(await rowsOf(there.superuserUrl, balances, [loaded]), own)
      await assertBooks(there)
    } finally {
      await other.close()
      await there.drop()
    }
  })
})
