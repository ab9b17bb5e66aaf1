import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { type ActivityType, LapseRules } from '../../src/realms/index.ts'
import { forUs, post } from '../files/exports/books.ts'
import { type Books, openBooks, tester } from './books.ts'
import { wrong } from './history.ts'
import { daysPass } from './idling.ts'
import { Planter } from './plant.ts'
import { sweepDay } from './sweeping.ts'

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

const both: readonly ActivityType[] = ['earned', 'spent']

const setRule = (realm: number, months: number, by = both) =>
  rules.set({ realm, id: 'gold' }, { rule: { idle: { months, by } } }, tester)

/** A realm in which gold lapses after two months without activity; some days have passed since. */
async function makeRealm({ members = ['1', '2'], by = both, days = 100 } = {}): Promise<number> {
  const realm = await books.make({ open: false, points: ['gold', 'silver'], members })
  await setRule(realm, 2, by)
  await sql(`update lapse_sweeps set due_at = 'infinity' where realm = $1`, [realm])
  await pass(realm, days)
  return realm
}

async function pass(realm: number, days: number): Promise<void> {
  await daysPass(database.superuserUrl, realm, days)
  books.ledger.forget(realm)
}

type Asked = Parameters<typeof post>[2]
const write = (realm: number, asked: Asked) => post(books.ledger, realm, asked)
const give = (realm: number, member: string, tokens: bigint) =>
  write(realm, { kind: 'adjust', member, tokens, point: 'gold' })
const sweep = (realm: number, by = books) => sweepDay(database.superuserUrl, by, realm)

const lapsesOf = async (realm: number) =>
  (
    await sql(
      `select from_account, amount::integer, link::integer, encoding, lots from journal
        where realm = $1 and kind = 10 order by seq`,
      [realm],
    )
  ).map(({ from_account: account, amount, link, encoding, lots }) => {
    assert.deepEqual([encoding, lots], [2, null])
    return [account, amount, link]
  })

describe('a rule for members without activity', () => {
  it('takes the whole balance after so many months, and names the last entry that counted', async () => {
    const realm = await makeRealm()
    await give(realm, '1', 5n)
    await give(realm, '1', 7n)
    await write(realm, { kind: 'adjust', member: '1', tokens: 9n, point: 'silver' })
    await give(realm, '2', 3n)
    await pass(realm, 58)
    await give(realm, '2', 4n)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
    await pass(realm, 5)
    await sweep(realm)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 12, 2]])
    await assertBooks(database)
  })

  it('lapses nothing in the months after it was set, whoever was away before', async () => {
    const realm = await books.make({ open: false, points: ['gold'], members: ['1'] })
    await give(realm, '1', 5n)
    await pass(realm, 1_000)
    await setRule(realm, 2)
    await sweep(realm)
    await pass(realm, 50)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
    await pass(realm, 13)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 5, 1]])
    await assertBooks(database)
  })

  it('does not count a transfer, to or from a member', async () => {
    const realm = await makeRealm()
    await give(realm, '1', 5n)
    await give(realm, '2', 5n)
    await pass(realm, 61)
    await write(realm, { kind: 'transfer', member: '1', recipient: '2', tokens: 2n, point: 'gold' })
    await pass(realm, 2)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [
      [1, 3, 1],
      [2, 7, 2],
    ])
  })

  it('counts the first points of a member that was never active, however it got them', async () => {
    const realm = await makeRealm()
    await give(realm, '1', 5n)
    await pass(realm, 30)
    await write(realm, { kind: 'transfer', member: '1', recipient: '2', tokens: 2n, point: 'gold' })
    await pass(realm, 33)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 3, 1]])
    await write(realm, { kind: 'transfer', member: '2', recipient: '1', tokens: 1n, point: 'gold' })
    await pass(realm, 30)
    await sweep(realm)
    assert.deepEqual((await lapsesOf(realm)).slice(1), [
      [1, 1, 1],
      [2, 1, 2],
    ])
    await assertBooks(database)
  })

  it('does not count a reversal, a hold, its release, or a pending award that is cancelled', async () => {
    const realm = await makeRealm()
    await give(realm, '1', 5n)
    await give(realm, '1', 5n)
    await pass(realm, 61)
    await write(realm, { kind: 'reverse', entry: 2n })
    const [hold] = await write(realm, { kind: 'hold', member: '1', tokens: 3n, forUs, point: 'gold' })
    await write(realm, { kind: 'release', hold })
    const asked = { kind: 'award', member: '1', tokens: 1n, grantUs: undefined, point: 'gold' } as const
    const [award] = await write(realm, asked)
    await write(realm, { kind: 'cancel', award })
    await pass(realm, 2)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 5, 2]])
    await assertBooks(database)
  })

  for (const [by, spends, lapses] of [
    [['earned'], true, 1],
    [['earned', 'spent'], true, 0],
    [['spent'], true, 0],
    [['spent'], false, 1],
  ] as const)
    it(`by ${by.join(' and ')}: a member that ${spends ? 'spent' : 'earned'} some last`, async () => {
      const realm = await makeRealm({ by })
      await give(realm, '1', 9n)
      await give(realm, '1', -1n)
      await give(realm, '2', 9n)
      const [hold] = await write(realm, { kind: 'hold', member: '2', tokens: 3n, forUs, point: 'gold' })
      await pass(realm, 50)
      for (const member of ['1', '2']) if (!spends) await give(realm, member, 1n)
      if (spends) {
        await give(realm, '1', -1n)
        await write(realm, { kind: 'capture', hold, tokens: 1n })
      }
      await pass(realm, 13)
      await sweep(realm)
      assert.equal((await lapsesOf(realm)).length, lapses * 2, JSON.stringify(await lapsesOf(realm)))
      await assertBooks(database)
    })

  it('spares held points; a capture is activity though it changes no spendable balance', async () => {
    const realm = await makeRealm()
    await give(realm, '1', 9n)
    await give(realm, '2', 9n)
    for (const member of ['1', '2'])
      await write(realm, { kind: 'hold', member, tokens: 4n, forUs: forUs * 1_000_000n, point: 'gold' })
    await pass(realm, 58)
    await write(realm, { kind: 'capture', hold: 4n, tokens: undefined })
    await pass(realm, 5)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 5, 1]])
    await write(realm, { kind: 'release', hold: 3n })
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [
      [1, 5, 1],
      [1, 4, 1],
    ])
    await assertBooks(database)
  })

  it('is saved by an award on the last day', async () => {
    const realm = await makeRealm({ members: ['1'] })
    await give(realm, '1', 9n)
    const months = (days: number) => {
      const last = new Date()
      const first = new Date(last.getTime() - days * 86_400_000)
      const due = new Date(first)
      const day = first.getUTCDate()
      due.setUTCDate(1)
      due.setUTCMonth(due.getUTCMonth() + 2)
      const longest = new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + 1, 0)).getUTCDate()
      due.setUTCDate(Math.min(day, longest))
      return last.toISOString().slice(0, 10) > due.toISOString().slice(0, 10)
    }
    let lastDay = 70
    while (months(lastDay)) lastDay -= 1
    await pass(realm, lastDay)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
    await give(realm, '1', 1n)
    await pass(realm, 1)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
  })

  it('takes them a day later without that award', async () => {
    const realm = await makeRealm({ members: ['1'] })
    await give(realm, '1', 9n)
    await pass(realm, 63)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 9, 1]])
  })

  it('keeps the points of frozen members, and of others for 24 hours after they were unfrozen', async () => {
    const realm = await makeRealm()
    for (const member of ['1', '2']) await give(realm, member, 5n)
    await pass(realm, 63)
    await sql('update members set frozen_at = now() where realm = $1 and account = 1', [realm])
    await sql('update members set unfrozen_at = now() where realm = $1 and account = 2', [realm])
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
    await sql(
      `update members set frozen_at = null, unfrozen_at = now() - interval '24 hours' where realm = $1`,
      [realm],
    )
    await sweep(realm)
    assert.equal((await lapsesOf(realm)).length, 2)
  })

  it('gives points that come back from a lapse all their months again', async () => {
    const realm = await makeRealm({ members: ['1'], by: ['spent'] })
    await give(realm, '1', 5n)
    await pass(realm, 63)
    await sweep(realm)
    await write(realm, { kind: 'reverse', entry: 2n, isAdmin: true })
    await pass(realm, 58)
    await sweep(realm)
    assert.equal((await lapsesOf(realm)).length, 1)
    await pass(realm, 5)
    await sweep(realm)
    assert.deepEqual((await lapsesOf(realm))[1], [1, 5, 3])
    await assertBooks(database)
  })

  it('lapses each balance once, if two processes sweep at once', async () => {
    const members = Array.from({ length: 200 }, (_, at) => String(at + 1))
    const realm = await makeRealm({ members })
    await Promise.all(members.map((member) => give(realm, member, 2n)))
    await pass(realm, 63)
    const other = openBooks(database.serverUrl)
    const writer = Promise.all(members.slice(0, 50).map((member) => give(realm, member, 1n)))
    await Promise.all([sweep(realm), sweep(realm, other), writer])
    await other.close()
    const lapses = await lapsesOf(realm)
    assert.equal(new Set(lapses.map(([account]) => account)).size, lapses.length)
    assert.ok(lapses.length >= 150)
    await assertBooks(database)
  })
})

describe('a change of the rule', () => {
  it('lapses nothing sooner than the rule before, and longer ones apply to all', async () => {
    const realm = await makeRealm({ members: ['1'] })
    await give(realm, '1', 5n)
    await pass(realm, 40)
    await setRule(realm, 1)
    await sweep(realm)
    await pass(realm, 50)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [], 'two months from the change')
    await setRule(realm, 12)
    await pass(realm, 200)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
    await pass(realm, 80)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 5, 1]])
    await assertBooks(database)
  })

  it('ends it, and set again it waits its whole time', async () => {
    const realm = await makeRealm({ members: ['1'] })
    await give(realm, '1', 5n)
    await rules.set({ realm, id: 'gold' }, { rule: null }, tester)
    await pass(realm, 400)
    await sweep(realm)
    await setRule(realm, 2)
    await pass(realm, 50)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
    await pass(realm, 13)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 5, 1]])
    await assertBooks(database)
  })

  it('is refused between rules with days and those without', async () => {
    const realm = await makeRealm()
    const set = (id: string, rule: Parameters<typeof rules.set>[1]['rule']) =>
      rules.set({ realm, id }, { rule }, tester)
    await assert.rejects(set('gold', { after: { days: 3 } }), /only another `idle` is possible/)
    await rules.set({ realm, id: 'gold' }, { rule: null }, tester)
    await assert.rejects(set('gold', { on: ['12-31'] }), /only another `idle` is possible/)
    await set('silver', { after: { days: 3 } })
    await assert.rejects(set('silver', { idle: { months: 3, by: both } }), /`idle` is not possible/)
  })
})

describe('verify', () => {
  let planter: Planter
  let realm: number
  before(async () => {
    realm = await makeRealm()
    await give(realm, '1', 5n)
    await give(realm, '2', 5n)
    await give(realm, '1', 5n)
    await write(realm, { kind: 'transfer', member: '2', recipient: '1', tokens: 1n, point: 'gold' })
    await pass(realm, 63)
    await sweep(realm)
    planter = await Planter.open(database.superuserUrl, realm)
  })
  after(() => planter?.close())

  const day = 86_400_000_000n
  const faults: readonly [title: string, entry: number, why: RegExp, plant: string][] = [
    ['a lapse that names an entry before the last that counted', 5, /active last by entry 3/, 'link = 1'],
    ['one that names an entry after it', 5, /active last by entry 3/, 'link = 4'],
    ['one that names an entry of another member', 5, /was not active/, 'link = 2'],
    ['one that names none', 5, /was not active/, 'link = null, encoding = 1'],
    ['one that came before its day', 5, /lapsed before/, `at_us = at_us - ${10n * day}`],
  ]
  for (const [title, seq, why, plant] of faults)
    it(`finds ${title}`, async () => {
      const verdict = await planter.planted(
        async () => {
          await planter.run(`update journal set ${plant} where realm = $1 and seq = $2`, [realm, seq])
          await planter.rewrite((rows) => {
            for (const row of rows)
              if (row.at_us < (rows[seq - 1]?.at_us ?? 0n) && row.seq > seq) row.at_us += 0n
          })
        },
        () => planter.verify(),
      )
      wrong(verdict, `entry ${seq}`, why)
    })

  it('finds one that left some', async () => {
    const verdict = await planter.planted(
      () =>
        planter.rewrite((rows) => {
          const row = rows[4]
          if (row) Object.assign(row, { amount: row.amount - 1n, from_balance: 1n })
        }),
      () => planter.verify(),
    )
    wrong(verdict, 'entry 5', /whole balance/)
  })

  it('finds one where no rule applied', async () => {
    const verdict = await planter.planted(
      async () => {
        await planter.run('alter table lapse_rules disable trigger all')
        await planter.change('delete from lapse_rules where realm = $1')
      },
      () => planter.verify(),
    )
    wrong(verdict, 'entry 5', /no rule applied/)
  })
})
