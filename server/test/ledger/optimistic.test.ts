import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import type { Outcome } from '../../src/ledger/index.ts'
import { type Books, openBooks } from './books.ts'
import { changeCommand, type SimpleChange } from './commands.ts'

/** Two servers on one database. `there` outdates the cache of `here`. */
let database: TestDatabase
let here: Books
let there: Books
let realm: number
before(async () => {
  database = await freshDatabase()
  here = openBooks(database.serverUrl)
  there = openBooks(database.serverUrl)
})
after(async () => {
  await assertBooks(database)
  assert.deepEqual([...here.faults, ...there.faults], [])
  await here.close()
  await there.close()
  await database.drop()
})
beforeEach(async () => {
  realm = await here.make({ open: false, points: ['gold', 'silver'], members: ['1', '2'] })
})

let count = 0
async function post(books: Books, change: SimpleChange): Promise<Outcome> {
  return books.ledger.post(changeCommand(realm, change))
}

const summaryOf = (outcome: Outcome): string => {
  if (outcome.kind === 'recalled') return `recalled ${(JSON.parse(outcome.body) as { code: string }).code}`
  if (outcome.kind === 'refused') return outcome.refusal.code
  const { fromBalance, toBalance } = outcome.receipts[0]
  return `${outcome.replayed ? 'replayed' : 'done'} ${fromBalance ?? '-'} ${toBalance ?? '-'}`
}
const outcomeOf = async (books: Books, change: SimpleChange) => summaryOf(await post(books, change))

/** The statements of the next batch, by round trip. */
async function tripsOf(books: Books, work: () => Promise<unknown>): Promise<string[]> {
  books.trips.length = 0
  await work()
  return books.trips.map((trip) => trip.map((name) => name.replace(/^(ledger|wall)_/, '')).join(' '))
}

const optimisticTrip = 'begin bind move_heads confirm_requests update_balances copy_entries commit'
const add = (member = '1'): SimpleChange => ({ member, tokens: 10n, idempotencyKey: `key-${++count}` })

/** Until `here` has cached the realm: the first batch reads it, the next ones are optimistic. */
async function cacheRealm(): Promise<void> {
  await post(here, add())
  assert.deepEqual(await tripsOf(here, () => post(here, add())), [optimisticTrip])
}

describe('an optimistic batch, decided from memory', () => {
  it('takes one round trip and seven statements, however many commands it has', async () => {
    await cacheRealm()
    await post(here, add('2'))
    const many = Array.from({ length: 100 }, (_, index) => add(String(1 + (index % 2))))
    const trips = await tripsOf(here, () => Promise.all(many.map((change) => post(here, change))))
    assert.deepEqual(trips, [optimisticTrip])
  })

  it('reads unknown members outside the lock, and then takes one round trip too', async () => {
    await cacheRealm()
    const trips = await tripsOf(here, () => post(here, add('2')))
    assert.deepEqual(trips, ['begin bind move_heads confirm_requests insert_balances copy_entries commit'])
  })

  it('is not attempted with a key that was used here recently', async () => {
    await cacheRealm()
    const change = add()
    await post(here, change)
    const trips = await tripsOf(here, () => post(here, change))
    assert.deepEqual(trips, ['begin bind lock_free_heads read_parties read_requests', 'commit'])
  })

  it('takes two round trips in a realm that is not in memory', async () => {
    const trips = await tripsOf(here, () => post(here, add()))
    assert.deepEqual(trips.slice(-2), [
      'begin bind lock_free_heads read_parties read_requests',
      'move_heads insert_balances copy_entries commit',
    ])
  })
})

describe('changes by another server are detected', () => {
  it('a change of the same balance', async () => {
    await cacheRealm()
    assert.equal(await outcomeOf(there, { member: '1', tokens: 5n }), 'done - 25')
    assert.equal(await outcomeOf(here, { member: '1', tokens: 1n }), 'done - 26')
    assert.equal(await outcomeOf(here, { member: '1', tokens: 1n }), 'done - 27')
  })

  it('a change of another balance, as it extended the chain', async () => {
    await cacheRealm()
    assert.equal(await outcomeOf(there, { member: '2', tokens: 5n }), 'done - 5')
    assert.equal(await outcomeOf(here, { member: '1', tokens: 1n }), 'done - 21')
  })

  it('received points, for a debit that memory would reject', async () => {
    await cacheRealm()
    await post(there, { member: '1', tokens: 100n })
    assert.equal(await outcomeOf(here, { member: '1', tokens: -110n }), 'done 10 -')
  })

  it('spent points, for a debit that memory would accept', async () => {
    await cacheRealm()
    await post(there, { member: '1', tokens: -15n })
    assert.equal(await outcomeOf(here, { member: '1', tokens: -10n }), 'insufficient_points')
  })

  it('a key that was used there: the first response again', async () => {
    await cacheRealm()
    const change = { member: '1', tokens: 3n, idempotencyKey: 'used-there' }
    assert.equal(await outcomeOf(there, change), 'done - 23')
    assert.equal(await outcomeOf(here, change), 'replayed - 23')
  })

  it('a key that was used there long ago, when memory is right again', async () => {
    const change = { member: '1', tokens: 3n, idempotencyKey: `used-there-${realm}` }
    await post(there, change)
    await cacheRealm()
    assert.equal(await outcomeOf(here, change), 'replayed - 3')
    assert.equal(await outcomeOf(here, { ...change, tokens: 4n }), 'idempotency_key_reused')
    assert.equal(await outcomeOf(here, { member: '1', tokens: 1n }), 'done - 24')
  })

  it('a key that was used there, though memory would reject it', async () => {
    const spend = { member: '1', tokens: -10n, idempotencyKey: `spent-there-${realm}` }
    await post(there, add())
    assert.equal(await outcomeOf(there, spend), 'done 0 -')
    const other = { member: '2', tokens: 1n, idempotencyKey: `other-${realm}` }
    await post(here, other)
    assert.equal(await outcomeOf(here, { member: '1', tokens: -10n }), 'insufficient_points')
    assert.equal(await outcomeOf(here, spend), 'replayed 0 -')
    assert.equal(await outcomeOf(here, { ...spend, member: '2' }), 'idempotency_key_reused')
    assert.equal(await outcomeOf(here, { ...spend, point: 'lead' }), 'idempotency_key_reused')
  })

  it('a rejection there, though it would be accepted by now', async () => {
    const change = { member: '1', tokens: -5n, idempotencyKey: `refused-there-${realm}` }
    assert.equal(await outcomeOf(there, change), 'insufficient_points')
    await cacheRealm()
    assert.equal(await outcomeOf(here, change), 'recalled insufficient_points')
    assert.equal(await outcomeOf(here, { member: '1', tokens: 1n }), 'done - 21')
  })

  it('a change of the realm’s default point type', async () => {
    await cacheRealm()
    await here.changeDefault(realm, 'silver')
    assert.equal(await outcomeOf(here, { member: '1', tokens: 2n }), 'done - 2')
  })

  it('a wrong balance in memory alone, which no hash would reveal', async () => {
    await cacheRealm()
    // Simulates a bug of ours in the memory; no role may do this in production.
    await rowsOf(database.superuserUrl, 'update balances set seq = seq - 1 where realm = $1', [realm])
    const trips = await tripsOf(here, () => post(here, { member: '1', tokens: 1n }))
    assert.equal(trips.length, 3)
    assert.deepEqual(trips[0], 'begin bind move_heads update_balances copy_entries commit')
  })

  it('and one that a rejection is based on', async () => {
    await cacheRealm()
    const asSuperuser = (text: string) => rowsOf(database.superuserUrl, text)
    await asSuperuser(`update balances set seq = seq - 1, balance = 100 where realm = ${realm}`)
    assert.equal(await outcomeOf(here, { member: '1', tokens: -50n }), 'done 50 -')
    // This ledger is wrong now: discard it.
    await asSuperuser(`set session_replication_role = replica; delete from journal where realm = ${realm};
      delete from balances where realm = ${realm}; delete from heads where realm = ${realm}`)
  })
})

describe('a failover', () => {
  it('clears the memory: the account of a lost member may be another’s', async () => {
    await cacheRealm()
    assert.equal(await outcomeOf(here, { member: '2', tokens: -1n }), 'insufficient_points')
    const lost = `update members set id = 3 where realm = ${realm} and id = 2`
    await rowsOf(database.superuserUrl, lost)
    here.failOver()
    assert.equal(await outcomeOf(here, { member: '2', tokens: 5n }), 'member_not_found')
    assert.equal(await outcomeOf(here, { member: '3', tokens: 5n }), 'done - 5')
  })
})

describe('a failed optimistic batch', () => {
  it('has its own SQLSTATE, not one of corruption', async () => {
    const error = await rowsOf(database.superuserUrl, 'select expect_rows(0, 1)').catch((one) => one)
    assert.equal(error.code, 'EX001')
  })
})

describe('a rejection from memory', () => {
  it('is checked against the database, and is remembered', async () => {
    await cacheRealm()
    const change = { member: '2', tokens: -1n, idempotencyKey: `poor-${realm}` }
    const trips = await tripsOf(here, async () => {
      assert.equal(await outcomeOf(here, change), 'insufficient_points')
    })
    assert.deepEqual(trips, [
      'begin bind move_heads confirm_requests confirm_unused confirm_balances sweep_refusals ' +
        'insert_refusals commit',
    ])
    assert.equal(await outcomeOf(there, change), 'recalled insufficient_points')
    assert.equal(await outcomeOf(here, change), 'recalled insufficient_points')
  })
})

describe('a batch whose BEGIN alone fails', () => {
  it('is not applied statement by statement, and is applied once', async () => {
    await cacheRealm()
    // The head and the entry could be written separately, this balance could not.
    await rowsOf(database.superuserUrl, 'update balances set seq = seq - 1 where realm = $1', [realm])
    here.failNext('ledger_begin')
    assert.equal(await outcomeOf(here, { member: '1', tokens: 7n }), 'done - 27')
    const rows = await rowsOf(database.superuserUrl, 'select balance from balances where realm = $1', [realm])
    assert.deepEqual(rows, [{ balance: '27' }])
  })
})
