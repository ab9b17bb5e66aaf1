import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { assertBooks } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { checkDeadline } from '../../../tests/support/timeLimit.ts'
import { type Books, openBooks } from './books.ts'
import { changeCommand } from './commands.ts'

/** Another process holds the head of one realm. */
let database: TestDatabase
let books: Books
let holder: pg.Client
before(async () => {
  database = await freshDatabase()
  books = openBooks(database.serverUrl)
  holder = new pg.Client({ connectionString: database.superuserUrl })
  await holder.connect()
})
after(async () => {
  await holder.end()
  await assertBooks(database)
  await books.close()
  await database.drop()
})

it('a command of a realm that another process holds is tried again, then waits for it alone', async () => {
  const make = () => books.make({ open: true, points: ['gold'], members: [] })
  const [held, free] = [await make(), await make()]
  const add = (realm: number) => books.ledger.post(changeCommand(realm, { member: '1', tokens: 1n }))
  await holder.query('begin')
  await holder.query('select from exchequer.heads where realm = $1 for update', [held])
  books.trips.length = 0
  const locks = () => books.trips.flat().filter((name) => name.startsWith('ledger_lock'))
  const waiting = [add(held), add(held)]
  assert.equal((await add(free)).kind, 'done')
  // Alone in a batch it is not tried again.
  const deadlineMs = performance.now() + 10_000
  while (!locks().includes('ledger_lock_heads')) {
    checkDeadline(deadlineMs, 'a lock of one head')
    await sleep(5)
  }
  assert.ok(locks().filter((name) => name === 'ledger_lock_free_heads').length >= 2, locks().join(' '))
  await holder.query('commit')
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ kind }) => kind),
    ['done', 'done'],
  )
  assert.deepEqual(books.faults, [])
})
