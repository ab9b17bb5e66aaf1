import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { LapseRules } from '../../src/realms/index.ts'
import { post } from '../files/exports/books.ts'
import { type Books, openBooks, tester } from './books.ts'
import { type DatedLots, dayMs, openLots, sweepDay, today } from './sweeping.ts'

let database: TestDatabase
let books: Books
let rules: LapseRules
before(async () => {
  database = await freshDatabase()
  books = openBooks(database.serverUrl)
  rules = new LapseRules(books.db)
})
after(async () => {
  await books?.close()
  await database?.drop()
})

const sql = (text: string, values: unknown[] = []) => rowsOf(database.superuserUrl, text, values)

/** A realm in which gold lapses 30 days after it was issued. */
async function makeRealm(members: string[]): Promise<number> {
  const realm = await books.make({ open: false, points: ['gold'], members })
  await rules.set({ realm, id: 'gold' }, { rule: { after: { days: 30 } } }, tester)
  return realm
}

type Asked = Parameters<typeof post>[2]
const write = (realm: number, asked: Asked) => post(books.ledger, realm, asked)

const open = (realm: number, member: string, lots: DatedLots['lots']) =>
  openLots(books, realm, { member, lots })

const sweep = (realm: number) => sweepDay(database.superuserUrl, books, realm)

describe('points that lapse soon', () => {
  const noticesOf = (realm: number) =>
    sql('select account, data::json as data from notices where realm = $1 order by n', [realm])
  const ask = (realm: number, types: readonly string[]) =>
    sql(
      `insert into endpoints (realm, number, url, ordered, include_details, parallel, secret, types)
        values ($1, 1, 'https://a.example/', false, false, 8, 'a', $2)`,
      [realm, types],
    )
  const lapsing = (account: number, tokens: number, inDays: number) => {
    const lapsesOn = new Date((today() + inDays) * dayMs).toISOString().slice(0, 10)
    return { account, data: { realmPointId: 'gold', tokens: String(tokens), lapsesOn } }
  }
  const sweptUpTo = (realm: number, day: number) =>
    sql('update lapse_sweeps set day = $2 where realm = $1', [realm, day])

  it('are named once, seven days before', async () => {
    const realm = await makeRealm(['1', '2', '3'])
    await ask(realm, ['points.lapsing'])
    await open(realm, '1', [
      [today(), 1n],
      [today() + 3, 5n],
      [today() + 7, 2n],
      [today() + 8, 9n],
    ])
    await open(realm, '2', [[today() + 8, 4n]])
    await open(realm, '3', [[today() + 7, 4n]])
    await sql('update members set frozen_at = now() where realm = $1 and id = 3', [realm])
    await sweep(realm)
    const first = [lapsing(1, 5, 3), lapsing(1, 2, 7)]
    assert.deepEqual(await noticesOf(realm), first)
    await sweep(realm)
    assert.deepEqual(await noticesOf(realm), first)
    // Since the day before yesterday.
    await sweptUpTo(realm, today() - 1)
    await sweep(realm)
    assert.deepEqual(await noticesOf(realm), [...first, lapsing(1, 2, 7)])
  })

  it('are those of before the rule too, and not before the date to which all is postponed', async () => {
    const realm = await books.make({ open: false, points: ['gold'], members: ['1'] })
    await write(realm, { kind: 'adjust', member: '1', tokens: 7n })
    await rules.set({ realm, id: 'gold' }, { rule: { after: { days: 1 } } }, tester)
    await ask(realm, ['points.lapsing'])
    await sweep(realm)
    assert.deepEqual(await noticesOf(realm), [lapsing(1, 7, 2)])
    const postpone = async (inDays: number) => {
      const notBefore = today() + inDays
      await rules.set({ realm, id: 'gold' }, { rule: undefined, notBefore }, tester)
      await sweptUpTo(realm, 0)
      await sweep(realm)
    }
    await postpone(9)
    assert.equal((await noticesOf(realm)).length, 1)
    await postpone(10)
    assert.equal((await noticesOf(realm)).length, 1)
  })

  it('are not looked for where no webhook asks', async () => {
    const realm = await makeRealm(['1'])
    await ask(realm, ['points.lapsed'])
    await open(realm, '1', [[today() + 3, 5n]])
    await sweep(realm)
    assert.deepEqual(await noticesOf(realm), [])
  })
})
