import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { rowsOf } from '../../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../../tests/support/suite.ts'
import type { Database } from '../../../src/db/database.ts'
import { writeTransaction } from '../../../src/db/rowSecurity.ts'
import type { Queryable } from '../../../src/db/session.ts'
import { RefusalError } from '../../../src/errors.ts'
import { forgetAnswers, takeLeases } from '../../../src/events/webhooks/index.ts'
import { History } from '../../../src/ledger/index.ts'
import { Members } from '../../../src/members/index.ts'
import { Configs } from '../../../src/realms/index.ts'
import { MemberRemoval } from '../../../src/removal/index.ts'
import { holdersAt } from '../../../src/web3/snapshots/holders.ts'
import { Snapshots } from '../../../src/web3/snapshots/index.ts'
import { keepTree } from '../../../src/web3/snapshots/treeStore.ts'
import { post } from '../../files/exports/books.ts'
import { type Books, openBooks, tester } from '../../ledger/books.ts'

let database: TestDatabase
let books: Books
const people = ['1', '2', '3', '4']
const taker = { key: 0, requestId: 'test', by: tester }

before(async () => {
  database = await freshDatabase()
  books = openBooks(database.serverUrl)
})
after(async () => {
  await books?.close()
  await database?.drop()
})

/** Four members with 10 points and a proved wallet each. */
async function peopled(): Promise<number> {
  const realm = await books.make({ open: false, points: ['gold'], members: people })
  for (const member of people) await post(books.ledger, realm, { kind: 'adjust', member, tokens: 10n })
  await rowsOf(
    database.superuserUrl,
    `insert into wallets (realm, match, account, address, chain, verified_at)
      select realm, a.text, account, a.text, 'eip155', now() from members
      cross join lateral (select '0x' || left(encode(sha256(id::text::bytea), 'hex'), 40)) a (text)
      where realm = $1`,
    [realm],
  )
  return realm
}

const asked = (realm: number, id: string) => ({
  realm,
  id,
  point: undefined,
  chain: 'eip155:1',
  claimable: false,
  seq: undefined,
  dry: false,
})

/** The same database, with a hook before each transaction. */
const watched = (act: () => Promise<unknown>): Database => ({
  ...books.db,
  transaction: async (work) => {
    await act()
    return books.db.transaction(work)
  },
})

it('a missing tree is built once, however many request it, and is not overwritten', async () => {
  const realm = await peopled()
  const which = { realm, id: 's' }
  const { root, taken_at: takenAt } = await new Snapshots(books.db, new Configs()).take(
    asked(realm, 's'),
    taker,
  )
  await rowsOf(database.superuserUrl, 'update snapshots set tree = null where realm = $1', [realm])
  let built = 0
  const snapshots = new Snapshots(
    watched(async () => {
      built += 1
    }),
    new Configs(),
  )
  const roots = await Promise.all(Array.from({ length: 8 }, async () => (await snapshots.get(which)).root))
  assert.deepEqual([built, new Set(roots)], [1, new Set([root])])
  const keep = (at: Date) =>
    writeTransaction(books.db, [realm], (tx) =>
      keepTree(tx, { ...which, takenAt: at }, { nodes: Buffer.alloc(32), placeOf: new Map() }),
    )
  await keep(takenAt)
  assert.equal((await snapshots.get(which)).root, root)
  await rowsOf(database.superuserUrl, 'update snapshots set tree = null where realm = $1', [realm])
  await keep(new Date(takenAt.getTime() - 1_000))
  assert.equal((await snapshots.get(which)).root, root)
})

it('a realm that moves away before the tree is stored: the answer says that it was taken', async () => {
  const realm = await peopled()
  let transactions = 0
  const leave = async () => {
    transactions += 1
    if (transactions === 2) await rowsOf(database.superuserUrl, 'delete from heads where realm = $1', [realm])
  }
  const snapshots = new Snapshots(watched(leave), new Configs())
  await assert.rejects(snapshots.take(asked(realm, 's'), taker), (error) => {
    assert.ok(error instanceof RefusalError)
    assert.equal(error.refusal.code, 'outcome_unknown')
    assert.match(error.refusal.detail, /^Snapshot s was taken, but is not complete yet/)
    return true
  })
  const stored = await rowsOf(database.superuserUrl, 'select id from snapshots where realm = $1', [realm])
  assert.deepEqual(stored, [{ id: 's' }])
})

it('a member who is erased while a snapshot is taken is not in it', async () => {
  const realm = await peopled()
  const { seq } = (await rowsOf(database.superuserUrl, 'select seq from heads where realm = $1', [realm]))[0]
  await post(books.ledger, realm, { kind: 'adjust', member: '2', tokens: -10n })
  let erased: Promise<number> | undefined
  const snapshots = new Snapshots(
    watched(
      () =>
        (erased ??= new MemberRemoval(books.db, { takeLeases, forgetAnswers }).erase(
          { realm, id: '2' },
          tester,
        )),
    ),
    new Configs(),
  )
  const taken = await snapshots.take({ ...asked(realm, 's'), seq: BigInt(seq) }, taker)
  assert.equal(taken.members, 3)
  const text = 'select account from snapshot_members where realm = $1 order by account'
  assert.deepEqual(
    (await rowsOf(database.superuserUrl, text, [realm])).map(({ account }) => account),
    [1, 3, 4],
  )
})

it('a wallet that changes its member while holders are read is counted once', async () => {
  const holder = (account: number, address: string | null) => ({
    account,
    id: String(account),
    frozen: false,
    balance: 1n,
    seq: 1n,
    address,
  })
  const first = Array.from({ length: 2_000 }, (_, index) =>
    holder(index + 1, index < 5 ? `0x${index}` : null),
  )
  const read = (address: string) => {
    const pages = [first, [holder(2_001, address)]]
    const db = { query: async () => ({ rows: pages.shift() ?? [] }) } as unknown as Queryable
    return holdersAt(db, 1, { point: 1, chain: 'eip155:1', seq: 1n })
  }
  assert.equal((await read('0x9')).length, 2_001)
  await assert.rejects(read('0x3'), /wallets changed while they were read/)
  const realm = await peopled()
  await new Snapshots(books.db, new Configs()).take(asked(realm, 's'), taker)
  const twice = `update snapshot_members set address = (select min(address) from snapshot_members
    where realm = $1) where realm = $1`
  await assert.rejects(rowsOf(database.superuserUrl, twice, [realm]), /snapshot_members_address/)
})

it('a claim names its snapshot, whichever members are erased', async () => {
  const realm = await peopled()
  const snapshots = new Snapshots(books.db, new Configs())
  const taken = await snapshots.take({ ...asked(realm, 's'), claimable: true }, taker)
  await new MemberRemoval(books.db, { takeLeases, forgetAnswers }).erase({ realm, id: '1' }, tester)
  const history = new History(books.db, new Members(books.db, new Configs()))
  const { reference, fromId } = await history.entry(realm, taken.seq)
  assert.deepEqual([fromId, reference], ['4', 's'])
})
