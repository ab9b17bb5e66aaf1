import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { LapseRules } from '../../src/realms/index.ts'
import { forUs, post } from '../files/exports/books.ts'
import { type Books, openBooks, tester } from './books.ts'
import { wrong } from './history.ts'
import { Planter } from './plant.ts'

/** Pending awards in a point type with a rule by which points lapse. */
let database: TestDatabase
let books: Books
let rules: LapseRules
let realm: number
before(async () => {
  database = await freshDatabase()
  books = openBooks(database.serverUrl)
  rules = new LapseRules(books.db)
  realm = await books.make({ open: true, points: ['gold'], members: ['1'] })
  await ruled(5)
})
after(async () => {
  await books?.close()
  await database?.drop()
})

const today = () => Math.floor(Date.now() / 86_400_000)
const ruled = (days: number) => rules.set({ realm, id: 'gold' }, { rule: { after: { days } } }, tester)
const write = async (asked: Parameters<typeof post>[2]) => (await post(books.ledger, realm, asked))[0]
const sql = (text: string) => rowsOf(database.superuserUrl, text, [realm])
const entriesOf = async (from: bigint | undefined) =>
  (await sql('select seq, encoding, lots from journal where realm = $1 order by seq'))
    .filter(({ seq }) => BigInt(seq) >= (from ?? 0n))
    .map(({ encoding, lots }) => [encoding, lots])
const lotsOf = async (account: number) =>
  (await sql(`select lots from balances where realm = $1 and account = ${account}`))[0]?.lots

it('promised points have no day: they get it when they are granted, by the rule then', async () => {
  await ruled(5)
  const promised = await write({ kind: 'award', member: '1', tokens: 20n })
  const cancelled = await write({ kind: 'award', member: '1', tokens: 3n })
  await write({ kind: 'adjust', member: '1', tokens: 4n })
  await ruled(30)
  await write({ kind: 'grant', award: promised })
  await write({ kind: 'cancel', award: cancelled })
  assert.deepEqual(await entriesOf(promised), [
    [1, null],
    [1, null],
    [3, `${today() + 6}:4`],
    [3, `${today() + 31}:20`],
    [2, null],
  ])
  assert.deepEqual(
    [await lotsOf(1), await lotsOf(-(2 ** 30) - 1)],
    [`${today() + 6}:4,${today() + 31}:20`, null],
  )
  await assertBooks(database)
})

it('a reversed grant takes the lots of its day first, then the soonest', async () => {
  await ruled(30)
  const first = await write({ kind: 'award', member: '2', tokens: 10n })
  const granted = await write({ kind: 'grant', award: first })
  await ruled(5)
  await write({ kind: 'adjust', member: '2', tokens: 6n })
  await ruled(40)
  await write({ kind: 'adjust', member: '2', tokens: 6n })
  // Of the grant 8 points are left.
  await write({ kind: 'adjust', member: '2', tokens: -8n })
  await write({ kind: 'reverse', entry: granted })
  const [last] = (await entriesOf(granted)).slice(-1)
  assert.deepEqual(last, [3, `${today() + 31}:8,${today() + 41}:2`])
  assert.equal(await lotsOf(2), `${today() + 41}:4`)
  await assertBooks(database)
})

it('a hold and an award of one member do not mix their lots', async () => {
  await ruled(5)
  await write({ kind: 'adjust', member: '3', tokens: 9n })
  const hold = await write({ kind: 'hold', member: '3', tokens: 4n, forUs })
  await ruled(30)
  const promised = await write({ kind: 'award', member: '3', tokens: 7n })
  await write({ kind: 'grant', award: promised })
  await write({ kind: 'release', hold })
  assert.equal(await lotsOf(3), `${today() + 6}:9,${today() + 31}:7`)
  await assertBooks(database)
})

it('verify finds a grant with another day, and an award with lots', async () => {
  const planter = await Planter.open(database.superuserUrl, realm)
  const planted = (kind: number, lots: string) =>
    planter.planted(
      () =>
        planter.rewrite((rows) => {
          const row = rows.find((one) => one.kind === kind)
          if (row) Object.assign(row, { lots, encoding: 3 })
        }),
      () => planter.verify(),
    )
  try {
    wrong(await planted(13, `${today() + 6}:20`), 'entry 4', /is right/)
    wrong(await planted(12, `${today() + 6}:20`), 'entry 1', /pending points have none/)
  } finally {
    await planter.close()
  }
})
