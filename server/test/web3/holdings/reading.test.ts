import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { rowsOf } from '../../../../tests/support/books.ts'
import { FakeChain } from '../../../../tests/support/fakeChain.ts'
import { freshDatabase, type TestDatabase } from '../../../../tests/support/suite.ts'
import { type Database, openDatabase } from '../../../src/db/database.ts'
import type { Queryable } from '../../../src/db/session.ts'
import { Members } from '../../../src/members/index.ts'
import { Configs, Realms } from '../../../src/realms/index.ts'
import { Holdings } from '../../../src/web3/holdings/index.ts'
import { leaseSeconds, Reading } from '../../../src/web3/holdings/reading.ts'
import { type LeasedReading, LeaseLost, lease } from '../../../src/web3/holdings/readingStore.ts'
import { tester } from '../../ledger/books.ts'

let database: TestDatabase
let db: Database
let node: FakeChain
let holdings: Holdings
const wrong = `0x${'a'.repeat(40)}`
const right = `0x${'b'.repeat(40)}`
const wallet = `0x${'1'.repeat(40)}`

before(async () => {
  database = await freshDatabase()
  db = openDatabase(database.serverUrl)
  node = await FakeChain.start()
  node.amounts.set(wrong, 7n).set(right, 5n)
  const options = { db, chains: node.chains, everySeconds: 300, spacingSeconds: 30, onFault: () => {} }
  holdings = new Holdings(options)
  // Readings run only when a test starts them.
  await holdings.close()
})
after(async () => {
  node?.close()
  await db?.close()
  await database?.drop()
})

/** A realm with one member and its wallet. */
async function realmWithWallet(chain = 'eip155'): Promise<number> {
  const { number } = await new Realms(db).create({ point: { id: 'gold' } }, tester)
  await new Members(db, new Configs()).put(number, [{ id: '1' }], tester)
  await rowsOf(
    database.superuserUrl,
    `insert into wallets (realm, match, account, address, chain, verified_at)
      select realm, $2, account, $2, $3, now() from members where realm = $1`,
    [number, wallet, chain],
  )
  return number
}

const put = (realm: number, id: string, address: string) =>
  holdings.put(realm, { id, chain: node.id, standard: 'erc20', address }, tester)

async function leased(realm: number): Promise<LeasedReading> {
  const given = { seconds: leaseSeconds, everySeconds: 300 }
  return (await lease(db.writing([realm]), { realm, chain: node.id }, given)) ?? assert.fail('it is leased')
}

const read = async (realm: number) => new Reading(db, node.chain, await leased(realm)).run()

/** Does something during a reading, and lets it finish. */
async function during(reading: Promise<void>, act: () => Promise<unknown>): Promise<unknown> {
  const { promise: asked, resolve: begin } = Promise.withResolvers<void>()
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  node.onCall = () => {
    begin()
    return gate
  }
  try {
    const ended = reading.catch((error: unknown) => error)
    await asked
    await act()
    open()
    return await ended
  } finally {
    node.onCall = async () => {}
    open()
  }
}

const amounts = async (realm: number) =>
  (await holdings.of(realm, '1')).map(({ collection, amount, seenAt }) => [
    collection,
    amount,
    seenAt !== null,
  ])

it('a collection that was created during a reading gets nothing from it', async () => {
  const realm = await realmWithWallet()
  await put(realm, 'coin', wrong)
  const error = await during(read(realm), async () => {
    await holdings.remove(realm, 'coin', tester)
    await put(realm, 'coin', right)
    await put(realm, 'card', right)
  })
  assert.equal(error, undefined)
  assert.deepEqual(await amounts(realm), [
    ['coin', '0', false],
    ['card', '0', false],
  ])
  assert.deepEqual(
    await rowsOf(database.superuserUrl, 'select * from holdings where realm = $1', [realm]),
    [],
  )
  await read(realm)
  assert.deepEqual(await amounts(realm), [
    ['coin', '5', true],
    ['card', '5', true],
  ])
})

it('an amount is returned with the block that it was read at, even if a reading ends meanwhile', async () => {
  const realm = await realmWithWallet()
  await put(realm, 'coin', right)
  await read(realm)
  const { block, amounts: held } = node
  const own = db.within([realm])
  /** Reads the chain again, at a new block, between the two statements of a request. */
  const between: Queryable = {
    query: async (statement, values) => {
      if (statement.name === 'holdings_read_member' && node.block === block) {
        node.block = { ...block, number: 2n, hash: `0x${'2'.repeat(64)}` }
        held.set(right, 6n)
        await rowsOf(database.superuserUrl, 'update readings set due_at = now() where realm = $1', [realm])
        await read(realm)
      }
      return own.query(statement, values)
    },
  }
  const options = { chains: node.chains, everySeconds: 300, spacingSeconds: 30, onFault: () => {} }
  const asked = new Holdings({ ...options, db: { ...db, within: () => between } as Database })
  await asked.close()
  try {
    const [coin] = await asked.of(realm, '1')
    assert.deepEqual([coin?.amount, coin?.block], ['6', '2'])
  } finally {
    node.block = block
    held.set(right, 5n)
  }
})

it('a number is not reused for another collection before its holdings are deleted', async () => {
  const realm = await realmWithWallet()
  await put(realm, 'coin', wrong)
  await read(realm)
  await rowsOf(database.superuserUrl, 'delete from collections where realm = $1', [realm])
  await put(realm, 'coin', right)
  const [made] = await rowsOf(database.superuserUrl, 'select number from collections where realm = $1', [
    realm,
  ])
  assert.equal(made.number, 2)
})

it('a reading whose lease another process has by now writes nothing, and keeps that lease', async () => {
  const realm = await realmWithWallet()
  await put(realm, 'coin', right)
  let second: LeasedReading | undefined
  const error = await during(read(realm), async () => {
    await rowsOf(database.superuserUrl, 'update readings set leased_until = now() where realm = $1', [realm])
    second = await leased(realm)
  })
  assert.ok(error instanceof LeaseLost)
  assert.deepEqual(await amounts(realm), [['coin', '0', false]])
  const text = 'select lease from readings where realm = $1 and leased_until > now()'
  assert.deepEqual(await rowsOf(database.superuserUrl, text, [realm]), [{ lease: second?.lease }])
})

it('a node without new blocks is reported as stale, however often it responds', async () => {
  const realm = await realmWithWallet()
  await put(realm, 'coin', right)
  const stale = async (minutes: number) => {
    node.block = { ...node.block, at: new Date(Date.now() - minutes * 60_000) }
    await rowsOf(database.superuserUrl, 'update readings set due_at = now() where realm = $1', [realm])
    await read(realm)
    return (await holdings.list(realm)).map((one) => one.stale)
  }
  assert.deepEqual([await stale(8), await stale(30), await stale(0)], [[false], [true], [false]])
})

it('a wallet that is proved for another chain makes no member a holder', async () => {
  const [here, elsewhere] = [await realmWithWallet(node.id), await realmWithWallet('eip155:10')]
  const picked: (readonly string[])[] = []
  for (const realm of [here, elsewhere]) {
    await put(realm, 'coin', right)
    await read(realm)
    await rowsOf(
      database.superuserUrl,
      'insert into holdings values ($1, $2, 1, 5) on conflict (realm, match, collection) do nothing',
      [realm, wallet],
    )
    const rule = { collection: 'coin', atLeast: 5n }
    picked.push((await holdings.pick(realm, { rule, after: 0, limit: 10 })).ids)
  }
  assert.deepEqual(picked, [['1'], []])
})

it('new wallets trigger a reading soon, but not repeatedly; without a collection none', async () => {
  const realm = await realmWithWallet()
  await put(realm, 'coin', right)
  await read(realm)
  const dueIn = async () => {
    const text = 'select extract(epoch from due_at - begun_at)::float as s from readings where realm = $1'
    return (await rowsOf(database.superuserUrl, text, [realm])).map(({ s }) => Math.round(s))
  }
  assert.deepEqual(await dueIn(), [300])
  holdings.soon(realm)
  for (let tries = 0; tries < 100 && (await dueIn())[0] === 300; tries++);
  assert.deepEqual(await dueIn(), [30])
  await holdings.remove(realm, 'coin', tester)
  await read(realm)
  assert.deepEqual(await dueIn(), [])
})
