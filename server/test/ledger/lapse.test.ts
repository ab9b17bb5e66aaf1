import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { environment, startServerProcess } from '../../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import type { Queryable } from '../../src/db/session.ts'
import { claim } from '../../src/ledger/index.ts'
import { Configs, LapseRules } from '../../src/realms/index.ts'
import { holdersAt } from '../../src/web3/snapshots/holders.ts'
import { forUs, post } from '../files/exports/books.ts'
import { type Books, openBooks, tester } from './books.ts'
import { wrong } from './history.ts'
import { Planter } from './plant.ts'
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

/** A realm in which gold lapses 30 days after it was issued; silver does not. */
async function makeRealm(members = ['1', '2']): Promise<number> {
  const realm = await books.make({ open: false, points: ['gold', 'silver'], members })
  await rules.set({ realm, id: 'gold' }, { rule: { after: { days: 30 } } }, tester)
  // Swept only where a test does it.
  await sql(`update lapse_sweeps set due_at = 'infinity' where realm = $1`, [realm])
  return realm
}

type Asked = Parameters<typeof post>[2]
const write = (realm: number, asked: Asked) => post(books.ledger, realm, asked)

const open = (realm: number, member: string, lots: DatedLots['lots']) =>
  openLots(books, realm, { member, lots })

const entriesOf = async (realm: number) =>
  sql(
    `select seq::integer, kind, encoding, amount::integer, lots, link::integer from journal
      where realm = $1 order by seq`,
    [realm],
  )

const balancesOf = async (realm: number) =>
  (
    await sql(
      `select account, balance::integer, lots from balances
        where realm = $1 and point = 1 and account > 0 order by account`,
      [realm],
    )
  ).map(({ account, balance, lots }) => [account, balance, lots])

/** Sweeps a realm's gold to the end of the day. */
const sweep = (realm: number, by = books) => sweepDay(database.superuserUrl, by, realm)

describe('entries of a point type with a rule', () => {
  it('name the lots that they move, soonest first; those of other point types are as they were', async () => {
    const realm = await makeRealm()
    const due = today() + 31
    await write(realm, { kind: 'adjust', member: '1', tokens: 60n, point: 'gold' })
    await write(realm, { kind: 'adjust', member: '1', tokens: 60n, point: 'silver' })
    await open(realm, '1', [[today() + 5, 10n]])
    await write(realm, { kind: 'transfer', member: '1', recipient: '2', tokens: 15n, point: 'gold' })
    const [hold] = await write(realm, { kind: 'hold', member: '1', tokens: 20n, forUs, point: 'gold' })
    await write(realm, { kind: 'capture', hold, tokens: 5n })
    await write(realm, { kind: 'reverse', entry: 4n })
    assert.deepEqual(
      (await entriesOf(realm)).map(({ encoding, lots }) => [encoding, lots]),
      [
        [3, `${due}:60`],
        [1, null],
        [3, `${today() + 5}:10`],
        [3, `${today() + 5}:10,${due}:5`],
        [3, `${due}:20`],
        [3, `${due}:5`],
        [3, `${due}:15`],
        [3, `${today() + 5}:10,${due}:5`],
      ],
    )
    assert.deepEqual(await balancesOf(realm), [
      [1, 65, `${today() + 5}:10,${due}:55`],
      [2, 0, ''],
    ])
    await assertBooks(database)
  })

  it('give points of before the rule the day on which it was set', async () => {
    const realm = await books.make({ open: false, points: ['gold'], members: ['1', '2'] })
    await write(realm, { kind: 'adjust', member: '1', tokens: 7n })
    await write(realm, { kind: 'adjust', member: '2', tokens: 7n })
    const preview = await rules.preview({ realm, id: 'gold' }, { rule: { after: { days: 30 } } })
    assert.deepEqual(preview.existing, { members: 2, tokens: '14', lapseOn: today() + 31 })
    await rules.set({ realm, id: 'gold' }, { rule: { after: { days: 30 } } }, tester)
    await rules.set({ realm, id: 'gold' }, { rule: { after: { days: 1 } } }, tester)
    await write(realm, { kind: 'adjust', member: '1', tokens: 3n })
    assert.deepEqual(await balancesOf(realm), [
      [1, 10, `${today() + 2}:3,${today() + 31}:7`],
      [2, 7, null],
    ])
    await assertBooks(database)
  })
})

describe('a claim', () => {
  it('takes the lots of each member', async () => {
    const realm = await makeRealm()
    for (const member of ['1', '2']) await open(realm, member, [[today() + 3, 5n]])
    await write(realm, { kind: 'adjust', member: '2', tokens: 1n, point: 'gold' })
    const common = { realm, key: 0, requestId: 'claim', point: 'gold', details: undefined }
    const holders = async (tx: Queryable, { seq }: { readonly seq: bigint }) =>
      holdersAt(tx, realm, { point: 1, chain: 'eip155:1', seq })
    const tools = { db: books.db, configs: new Configs(), feed: false }
    await claim({ ...common, holders, keep: async () => {} }, tools)
    assert.deepEqual(
      (await entriesOf(realm)).slice(3).map(({ lots }) => lots),
      [`${today() + 3}:5`, `${today() + 3}:5,${today() + 31}:1`],
    )
    await assertBooks(database)
  })
})

describe('a sweep', () => {
  it('lapses what is due and nothing else; a second one on the same day writes nothing', async () => {
    const realm = await makeRealm(['1', '2', '3'])
    await open(realm, '1', [
      [today(), 5n],
      [today() + 1, 3n],
    ])
    await open(realm, '2', [[today() - 1, 4n]])
    await open(realm, '3', [[today() + 1, 4n]])
    await sweep(realm)
    const lapses = (await entriesOf(realm)).filter(({ kind }) => kind === 10)
    assert.deepEqual(
      lapses.map(({ amount, lots }) => [amount, lots]),
      [
        [5, `${today()}:5`],
        [4, `${today() - 1}:4`],
      ],
    )
    await sweep(realm)
    assert.equal((await entriesOf(realm)).length, 5)
    const [{ due_at: dueAt, day }] = await sql('select due_at, day from lapse_sweeps where realm = $1', [
      realm,
    ])
    assert.deepEqual([dueAt.getTime(), day], [(today() + 1) * dayMs, today()])
    await assertBooks(database)
  })

  it('keeps the points of frozen members, and of others for 24 hours after they were unfrozen', async () => {
    const realm = await makeRealm()
    for (const member of ['1', '2']) await open(realm, member, [[today(), 5n]])
    await sql('update members set frozen_at = now() where realm = $1 and account = 1', [realm])
    await sql('update members set unfrozen_at = now() where realm = $1 and account = 2', [realm])
    await sweep(realm)
    assert.equal((await entriesOf(realm)).length, 2)
    await sql(
      `update members set frozen_at = null, unfrozen_at = now() - interval '24 hours' where realm = $1`,
      [realm],
    )
    await sweep(realm)
    assert.equal((await entriesOf(realm)).length, 4)
  })

  it('brings lapsed points back with a whole new life, for those who may', async () => {
    const realm = await makeRealm(['1'])
    await open(realm, '1', [[today(), 5n]])
    await sweep(realm)
    const refused = post(books.ledger, realm, { kind: 'reverse', entry: 2n })
    await assert.rejects(refused, /'refused' !== 'done'/)
    await write(realm, { kind: 'reverse', entry: 2n, isAdmin: true })
    assert.deepEqual(await balancesOf(realm), [[1, 5, `${today() + 31}:5`]])
  })

  it('lapses each point once, if two processes sweep at once', async () => {
    const members = Array.from({ length: 300 }, (_, at) => String(at + 1))
    const realm = await makeRealm(members)
    await Promise.all(members.map((member) => open(realm, member, [[today(), 2n]])))
    const other = openBooks(database.serverUrl)
    await Promise.all([sweep(realm), sweep(realm, other)])
    await other.close()
    const lapses = (await entriesOf(realm)).filter(({ kind }) => kind === 10)
    assert.equal(lapses.length, members.length)
    await assertBooks(database)
  })

  it('is finished by another process, if one is killed in between', async () => {
    const members = Array.from({ length: 1_200 }, (_, at) => String(at + 1))
    const realm = await makeRealm(members)
    for (let from = 0; from < members.length; from += 400)
      await Promise.all(members.slice(from, from + 400).map((one) => open(realm, one, [[today(), 2n]])))
    const count = async () => {
      const [row] = await sql(
        'select count(*)::integer as count from journal where realm = $1 and kind = 10',
        [realm],
      )
      return row.count as number
    }
    // It gets no further than this member, however fast it is.
    const holder = new pg.Client({ connectionString: database.superuserUrl })
    await holder.connect()
    await holder.query('begin')
    const last = 'select from exchequer.balances where realm = $1 and account = $2 for update'
    await holder.query(last, [realm, members.length])
    const first = await startServerProcess(environment(database))
    await sql('update lapse_sweeps set due_at = now() where realm = $1', [realm])
    while ((await count()) === 0) await sleep(20)
    first.child.kill('SIGKILL')
    await holder.end()
    const atKill = await count()
    assert.ok(atKill < members.length, `${atKill} had lapsed before the kill`)
    await sweep(realm)
    assert.equal(await count(), members.length)
    await sweep(realm)
    assert.equal(await count(), members.length)
    await assertBooks(database)
  })
})

describe('verify', () => {
  let planter: Planter
  before(async () => {
    const realm = await makeRealm(['1'])
    await open(realm, '1', [
      [today(), 5n],
      [today() + 9, 5n],
    ])
    await write(realm, { kind: 'adjust', member: '1', tokens: 5n, point: 'gold' })
    await write(realm, { kind: 'adjust', member: '1', tokens: -1n, point: 'gold' })
    await sweep(realm)
    planter = await Planter.open(database.superuserUrl, realm)
  })
  after(() => planter?.close())

  const faults: readonly [title: string, seq: number, lots: () => string, why: RegExp][] = [
    ['a lot that was issued for another day', 2, () => `${today() + 40}:5`, /31:5 is right|is right/],
    ['a debit that took a later lot', 3, () => `${today() + 9}:1`, /is right/],
    ['a lapse of a lot that is not due', 4, () => `${today() + 9}:4`, /is right|lapsed/],
    ['lots that are not the amount', 3, () => `${today()}:2`, /add up/],
    ['lots in another order', 1, () => `${today() + 9}:5,${today()}:5`, /not lots/],
  ]
  for (const [title, seq, lots, why] of faults)
    it(`finds ${title}`, async () => {
      const verdict = await planter.planted(
        () =>
          planter.rewrite((rows) => {
            for (const row of rows) if (row.seq === BigInt(seq)) row.lots = lots()
          }),
        () => planter.verify(),
      )
      wrong(verdict, `entry ${seq}`, why)
    })

  it('finds a lapse that came before its day', async () => {
    const verdict = await planter.planted(
      async () => {
        await planter.run('alter table lapse_rules disable trigger all')
        await planter.change(`update lapse_rules set not_before = ${today() + 1} where realm = $1`)
      },
      () => planter.verify(),
    )
    wrong(verdict, 'entry 4', /due were none/)
  })

  it('finds stored lots that are not those of the entries', async () => {
    const verdict = await planter.planted(
      () =>
        planter.change(`update balances set lots = '${today() + 10}:10' where realm = $1 and account = 1`),
      () => planter.verify(),
    )
    wrong(verdict, 'balance of account 1 in gold', /are right/)
  })
})
