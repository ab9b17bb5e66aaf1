import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { type Books, openBooks } from './books.ts'
import { changeCommand } from './commands.ts'

/** Ratchets: the size of an entry on disk with its indexes, and with all tables, may fall but not rise. */
const mostBytes = 330
const mostBytesOfAll = 350
const count = 10_000
const members = Array.from({ length: 1_000 }, (_, index) => String(1_000 + index))

let database: TestDatabase
let books: Books
before(async () => {
  database = await freshDatabase()
  books = openBooks(database.serverUrl)
})
after(async () => {
  await books.close()
  await database.drop()
})

it(`an entry takes at most ${mostBytes} bytes, half changes and half transfers, all with a key`, async () => {
  const realm = await books.make({ open: false, points: ['gold'], members })
  const size = async () => {
    // How many dead versions of a balance there are depends on what else runs.
    await rowsOf(database.superuserUrl, 'vacuum full balances')
    const [row] = await rowsOf(
      database.superuserUrl,
      `select pg_total_relation_size('journal')::integer as bytes,
        (select sum(pg_total_relation_size(oid)) from pg_class
          where relnamespace = 'exchequer'::regnamespace and relkind = 'r')::integer as all_bytes,
        (select seq from heads)::integer as entries`,
    )
    return row as { bytes: number; all_bytes: number; entries: number }
  }
  const memberAt = (index: number) => members[index % members.length] ?? ''
  const post = (index: number) => {
    // Every member receives points before it transfers, from another one each time.
    const round = Math.floor(index / members.length)
    const recipient = memberAt(index + 1 + round * 7)
    const change = round % 2 === 0 ? { tokens: 5n } : { tokens: 1n, recipient }
    const common = { member: memberAt(index), idempotencyKey: randomUUID() }
    return books.ledger.post(changeCommand(realm, { ...common, ...change }))
  }
  const before = await size()
  for (let from = 0; from < count; from += 500) {
    const outcomes = await Promise.all(Array.from({ length: 500 }, (_, index) => post(from + index)))
    assert.ok(outcomes.every(({ kind }) => kind === 'done'))
  }
  const after = await size()
  assert.equal(after.entries - before.entries, count)
  const bytes = (after.bytes - before.bytes) / count
  const ofAll = (after.all_bytes - before.all_bytes) / count
  console.log(`${Math.round(bytes)} bytes per entry, ${Math.round(ofAll)} with all tables`)
  assert.ok(bytes <= mostBytes, `${bytes} bytes`)
  assert.ok(ofAll <= mostBytesOfAll, `${ofAll} bytes with all tables`)
})
