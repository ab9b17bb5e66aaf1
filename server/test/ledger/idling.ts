import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { type ActivityType, dayOfLapse, LapseRules, type RuleChange } from '../../src/realms/index.ts'
import { post } from '../files/exports/books.ts'
import { type Books, openBooks, tester } from './books.ts'
import { Planter } from './plant.ts'
import { sweepDay, today } from './sweeping.ts'

const dayUs = 86_400_000_000n

/** Everything in a realm happened so many days earlier, as if they had passed since. */
export async function daysPass(superuserUrl: string, realm: number, days: number): Promise<void> {
  const planter = await Planter.open(superuserUrl, realm)
  const tables = ['journal', 'lapse_rules']
  try {
    await planter.run('begin')
    for (const table of tables) await planter.run(`alter table ${table} disable trigger all`)
    await planter.rewrite((rows) => {
      for (const row of rows) row.at_us -= BigInt(days) * dayUs
    })
    const by = BigInt(days) * dayUs
    await planter.run('update balances set at_us = at_us - $2 where realm = $1', [realm, by])
    await planter.run('update heads set at_us = at_us - $2 where realm = $1', [realm, by])
    await planter.run(
      `update lapse_rules set not_before = not_before - $2::integer, base_day = base_day - $2::integer
        where realm = $1`,
      [realm, days],
    )
    await planter.run('update lapse_sweeps set day = greatest(day - $2::integer, 0) where realm = $1', [
      realm,
      days,
    ])
    for (const table of tables) await planter.run(`alter table ${table} enable trigger all`)
    await planter.run('commit')
  } finally {
    await planter.close()
  }
}

export const both: readonly ActivityType[] = ['earned', 'spent']

/** For how many days a member can be away by a rule of two months: the last is the same date in the month. */
export function longestAway(): number {
  let days = 58
  while (dayOfLapse(today() - days - 1, { idle: { months: 2, by: both } }) > today()) days += 1
  return days
}

type Asked = Parameters<typeof post>[2]

/** What the tests of members without activity share. Called once in a file. */
export function idleSuite() {
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
  const set = (realm: number, rule: RuleChange['rule'], id = 'gold') =>
    rules.set({ realm, id }, { rule }, tester)
  const write = (realm: number, asked: Asked) => post(books.ledger, realm, { point: 'gold', ...asked })
  const pass = async (realm: number, days: number) => {
    await daysPass(database.superuserUrl, realm, days)
    books.ledger.forget(realm)
  }
  const make = (members: readonly string[]) =>
    books.make({ open: false, points: ['gold', 'silver'], members })
  return {
    database: () => database,
    books: () => books,
    sql,
    set,
    write,
    pass,
    make,
    setIdle: (realm: number, months: number, by = both) => set(realm, { idle: { months, by } }),
    give: (realm: number, member: string, tokens: bigint) => write(realm, { kind: 'adjust', member, tokens }),
    sweep: (realm: number, by = books) => sweepDay(database.superuserUrl, by, realm),
    /** A realm in which gold lapses after two months without activity, as it did for more than these. */
    makeIdle: async ({ members = ['1', '2'], by = both } = {}): Promise<number> => {
      const realm = await make(members)
      await set(realm, { idle: { months: 2, by } })
      await sql(`update lapse_sweeps set due_at = 'infinity' where realm = $1`, [realm])
      await pass(realm, 100)
      return realm
    },
    /** Each lapse: the account, how many points, and the entry that it names. */
    lapsesOf: async (realm: number) =>
      (
        await sql(
          `select from_account, amount::integer, link::integer, encoding, lots from journal
            where realm = $1 and kind = 10 order by seq`,
          [realm],
        )
      ).map(({ from_account: account, amount, link, encoding, lots }) => {
        assert.deepEqual([encoding, lots], [2, null])
        return [account, amount, link]
      }),
  }
}
