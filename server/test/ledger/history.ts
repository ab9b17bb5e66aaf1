import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import type { Verdict } from '../../src/ledger/journal/verify.ts'
import { type Books, openBooks } from './books.ts'
import { changeCommand, type SimpleChange } from './commands.ts'
import { Planter } from './plant.ts'

export const [ann, bob, cid] = ['11', '12', '13'] as const
export const points = ['gold', 'silver'] as const

/** Accounts 1, 2 and 3 are Ann, Bob and Cid. In the end they have 40, 40 and 45 gold, and Bob 7 silver. */
const history: readonly SimpleChange[] = [
  { member: ann, tokens: 100n, reason: 'a welcome', idempotencyKey: 'order-1' },
  { member: bob, tokens: 50n },
  { member: ann, recipient: bob, tokens: 30n, reason: 'a bet' },
  { member: ann, tokens: -20n },
  { member: bob, tokens: 7n, point: 'silver' },
  { member: bob, recipient: cid, tokens: 40n },
  { member: cid, tokens: -5n, reason: 'a hat' },
  { member: ann, recipient: cid, tokens: 10n },
]

export type HistoryFixture = { database: TestDatabase; books: Books; planter: Planter; realm: number }

export async function post(books: Books, realm: number, change: SimpleChange): Promise<void> {
  const outcome = await books.ledger.post(changeCommand(realm, change))
  assert.equal(outcome.kind, 'done')
}

/** A database with a realm that has this history, for the tests of one file. */
export function withHistory(): HistoryFixture {
  const made = {} as HistoryFixture
  before(async () => {
    made.database = await freshDatabase()
    made.books = openBooks(made.database.serverUrl)
    made.realm = await made.books.make({ open: false, points, members: [ann, bob, cid] })
    for (const change of history) await post(made.books, made.realm, change)
    made.planter = await Planter.open(made.database.superuserUrl, made.realm)
  })
  after(async () => {
    await made.planter?.close()
    await made.books?.close()
    await made.database?.drop()
  })
  return made
}

export function right(verdict: Verdict, seq = BigInt(history.length)): string {
  if (!verdict.ok) assert.fail(`${verdict.where}: ${verdict.why}`)
  assert.equal(verdict.seq, seq)
  return verdict.hash
}

export function wrong(verdict: Verdict, where: string, why: RegExp): void {
  assert.ok(!verdict.ok, 'the error was not found')
  assert.equal(verdict.where, where)
  assert.match(verdict.why, why)
}
