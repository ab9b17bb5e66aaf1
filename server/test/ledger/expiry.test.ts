import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { greatest } from '../../src/ledger/index.ts'
import { type Books, openBooks } from './books.ts'
import { changeCommand } from './commands.ts'

/** Many holds of one realm that expire at once, next to one of another. */
let database: TestDatabase
let books: Books
let noisy: number
let quiet: number
before(async () => {
  database = await freshDatabase()
})
after(async () => {
  await database.drop()
})
beforeEach(async () => {
  books = openBooks(database.serverUrl)
  noisy = await books.make({ open: false, points: ['gold'], members: ['1'] })
  quiet = await books.make({ open: false, points: ['gold'], members: ['1'] })
})
afterEach(async () => {
  await books.close()
  await rowsOf(database.superuserUrl, 'update holds set ended_seq = 1 where ended_seq is null')
})

/** Holds of 1 point that expired a minute ago, of a member with this `balance` in addition. */
async function plant(count: number, balance: bigint): Promise<void> {
  const held = `insert into balances (realm, account, point, balance, seq, at_us)
    values ($1, 1, 1, $3, 0, 0), ($1, -1, 1, $2, 0, 0)`
  const holds = `insert into holds (realm, seq, account, point, amount, expires_us)
    select $1, -g, 1, 1, 1, extract(epoch from clock_timestamp()) * 1000000 - 60000000
    from generate_series(1, $2::integer) g`
  await rowsOf(database.superuserUrl, held, [noisy, count, String(balance)])
  await rowsOf(database.superuserUrl, holds, [noisy, count])
}

/** How late a hold of the other realm expires, in milliseconds, up to a limit. */
async function lateness(mostMs: number): Promise<number> {
  await books.ledger.post(changeCommand(quiet, { member: '1', tokens: 10n }))
  const common = { realm: quiet, key: 1, requestId: 'hold', retry: undefined, details: undefined } as const
  const forUs = 1_000_000n
  const ofMember = { member: '1', tokens: 1n, point: undefined } as const
  await books.ledger.post({ ...common, ...ofMember, kind: 'hold', forUs })
  const dueAtMs = performance.now() + 1_000
  const open = `select seq from holds where realm = $1 and ended_seq is null`
  while (performance.now() - dueAtMs < mostMs) {
    if ((await rowsOf(database.superuserUrl, open, [quiet])).length === 0) return performance.now() - dueAtMs
    await sleep(50)
  }
  return Number.POSITIVE_INFINITY
}

describe('a hold expires in time', () => {
  it('even if another realm has thousands that can’t expire, which are retried with backoff', async () => {
    await plant(2_600, greatest)
    const lateMs = await lateness(6_000)
    assert.ok(lateMs < 3_000, `${lateMs} ms late`)
    const put = `select count(*)::integer as count from holds
      where realm = $1 and retry_us - expires_us between 119000000 and 180000000`
    for (let turn = 0; turn < 100; turn++) {
      if ((await rowsOf(database.superuserUrl, put, [noisy]))[0].count === 2_600) break
      await sleep(100)
    }
    // A minute late, so retried after a minute.
    assert.deepEqual(await rowsOf(database.superuserUrl, put, [noisy]), [{ count: 2_600 }])
    books.trips.length = 0
    await sleep(2_000)
    assert.deepEqual(books.trips, [])
  })

  it('even if another realm has thousands that expired at once', async () => {
    await plant(6_000, 0n)
    const lateMs = await lateness(6_000)
    assert.ok(lateMs < 3_000, `${lateMs} ms late`)
  })
})

describe('of several processes', () => {
  it('one expires the holds, and another takes over when it ends', async () => {
    const other = openBooks(database.serverUrl)
    try {
      await sleep(1_500)
      await plant(500, 0n)
      const left = 'select count(*)::integer as count from holds where realm = $1 and ended_seq is null'
      const ended = async () => {
        for (let turn = 0; turn < 100; turn++) {
          if ((await rowsOf(database.superuserUrl, left, [noisy]))[0].count === 0) return
          await sleep(50)
        }
      }
      await ended()
      const hasEnded = ({ trips }: Books) => trips.flat().includes('ledger_read_holds')
      assert.equal([books, other].filter(hasEnded).length, 1)
      const [first, second] = hasEnded(books) ? [books, other] : [other, books]
      await first.ledger.close()
      await rowsOf(database.superuserUrl, 'update holds set ended_seq = null where realm = $1 and seq = -1', [
        noisy,
      ])
      await sleep(3_000)
      assert.ok(hasEnded(second))
    } finally {
      await other.close()
    }
  })
})
