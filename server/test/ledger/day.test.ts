import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import type { Command, Outcome } from '../../src/ledger/index.ts'
import { type Books, openBooks } from './books.ts'
import { changeCommand } from './commands.ts'

/** What happens at midnight, and after a clock that was wrong for a moment. */
let database: TestDatabase
let books: Books
let realm: number
before(async () => {
  database = await freshDatabase()
  books = openBooks(database.serverUrl)
})
after(async () => {
  await books.close()
  await database.drop()
})
beforeEach(async () => {
  realm = await books.make({ open: false, points: ['gold'], members: ['1', '2'] })
  await change('update points set max_per_day = 100')
  assert.equal(said(await post({ kind: 'adjust', tokens: 1_000n })), 'done')
})

/** Changes a row of the realm like the server: with its configuration version. */
async function change(text: string): Promise<void> {
  await rowsOf(database.superuserUrl, `${text} where realm = ${realm}`)
  await rowsOf(
    database.superuserUrl,
    `update heads set config_version = config_version + 1 where realm = ${realm}`,
  )
}

type Wanted = { kind: 'adjust' | 'transfer'; tokens: bigint }
function post({ kind, tokens }: Wanted): Promise<Outcome> {
  const recipient = kind === 'transfer' ? '2' : undefined
  return books.ledger.post(changeCommand(realm, { member: '1', recipient, tokens }))
}
const said = (outcome: Outcome): string => (outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind)

/** A time zone in which the next midnight is some seconds away, and when it is. */
function zoneWithMidnightIn(seconds: number): { zone: string; midnightMs: number } {
  const midnight = Math.ceil(Date.now() / 1000) + seconds
  const offset = 86_400 - (midnight % 86_400)
  const part = (count: number) => String(Math.floor(count)).padStart(2, '0')
  const zone = `<T>-${part(offset / 3600)}:${part((offset / 60) % 60)}:${part(offset % 60)}`
  return { zone, midnightMs: midnight * 1000 }
}

describe('a daily limit', () => {
  it('counts the day of the entry, even if it waited for its head across midnight', async () => {
    assert.equal(said(await post({ kind: 'transfer', tokens: 100n })), 'done')
    const { zone, midnightMs } = zoneWithMidnightIn(3)
    await change(`update settings set time_zone = '${zone}'`)
    assert.equal(said(await post({ kind: 'transfer', tokens: 1n })), 'daily_limit')
    await sleep(midnightMs - 800 - Date.now())
    const other = new pg.Client({ connectionString: database.superuserUrl })
    await other.connect()
    await other.query('begin')
    await other.query(`select * from exchequer.heads where realm = ${realm} for update`)
    const waiting = post({ kind: 'transfer', tokens: 100n })
    await sleep(midnightMs + 300 - Date.now())
    await other.query('commit')
    await other.end()
    assert.equal(said(await waiting), 'done')
    assert.equal(said(await post({ kind: 'transfer', tokens: 1n })), 'daily_limit')
  })

  it('counts that day too where entries are ahead of the clock', async () => {
    assert.equal(said(await post({ kind: 'transfer', tokens: 100n })), 'done')
    await change(`update heads set at_us = at_us + 3 * 86400000000::bigint`)
    assert.equal(said(await post({ kind: 'transfer', tokens: 100n })), 'done')
    assert.equal(said(await post({ kind: 'transfer', tokens: 1n })), 'daily_limit')
  })
})

describe('a hold', () => {
  it('expires by the clock even when entries are ahead of it', async () => {
    await change(`update heads set at_us = at_us + 3 * 86400000000::bigint`)
    const common = { realm, key: 1, retry: undefined, details: undefined, requestId: 'hold' } as const
    const ofMember = { member: '1', tokens: 10n, point: undefined } as const
    const hold = async (forUs: bigint): Promise<bigint> => {
      const held = await books.ledger.post({ ...common, ...ofMember, kind: 'hold', forUs })
      assert.ok(held.kind === 'done')
      return held.receipts[0].seq
    }
    const end = async (command: Pick<Command, 'kind'> & { hold: bigint; tokens?: bigint }) =>
      said(await books.ledger.post({ ...common, ...command } as Command))
    const long = await hold(60_000_000n)
    assert.equal(await end({ kind: 'capture', hold: long }), 'done')
    const short = await hold(300_000n)
    await sleep(400)
    assert.equal(await end({ kind: 'capture', hold: short }), 'hold_ended')
    for (let turn = 0; turn < 40 && (await isOpen(short)); turn++) await sleep(100)
    assert.equal(await isOpen(short), false)
  })
})

async function isOpen(hold: bigint): Promise<boolean> {
  const text = 'select ended_seq from holds where realm = $1 and seq = $2'
  const [row] = await rowsOf(database.superuserUrl, text, [realm, String(hold)])
  return row.ended_seq === null
}
