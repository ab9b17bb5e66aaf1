import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { type Books, openBooks } from './books.ts'
import { changeCommand } from './commands.ts'

/** Ratchets: the size of an entry on disk with its indexes, and with all tables, may fall but not rise. */
const mostBytes = 330
const mostBytesOfAll = 350
const count = 10_000
/** The vacuum keeps dead rows as long as any transaction on the whole server might see them. */
const longestWaitMs = 60_000
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
    await rowsOf(database.superuserUrl, 'vacuum full balances')
    const [row] = await rowsOf(
      database.superuserUrl,
      `select (select sum(pg_total_relation_size(relid)) from pg_partition_tree('journal'))::integer as bytes,
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
    const common = { member: memberAt(index), idempotencyKey: `key ${index}` }
    return books.ledger.post(changeCommand(realm, { ...common, ...change }))
  }
  const before = await size()
  for (let from = 0; from < count; from += 500) {
    const outcomes = await Promise.all(Array.from({ length: 500 }, (_, index) => post(from + index)))
    assert.ok(outcomes.every(({ kind }) => kind === 'done'))
  }
  const grown = async () => {
    const after = await size()
    assert.equal(after.entries - before.entries, count)
    return [(after.bytes - before.bytes) / count, (after.all_bytes - before.all_bytes) / count] as const
  }
  const started = performance.now()
  let [bytes, ofAll] = await grown()
  while (ofAll > mostBytesOfAll && performance.now() - started < longestWaitMs) {
    await sleep(500)
    ;[bytes, ofAll] = await grown()
  }
  console.log(`${Math.round(bytes)} bytes per entry, ${Math.round(ofAll)} with all tables`)
  assert.ok(bytes <= mostBytes, `${bytes} bytes`)
  assert.ok(ofAll <= mostBytesOfAll, `${ofAll} bytes with all tables`)
})
