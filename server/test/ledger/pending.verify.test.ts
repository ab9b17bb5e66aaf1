import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import type { Command } from '../../src/ledger/index.ts'
import { verifyNew, verifyWhole } from '../../src/ledger/journal/verifyNew.ts'
import { post } from '../files/exports/books.ts'
import { type Books, openBooks } from './books.ts'
import { wrong } from './history.ts'
import { Planter } from './plant.ts'

let database: TestDatabase
let books: Books
let planter: Planter
let realm: number

/**
 * Accounts 1 and 2. Award 3 was granted, award 5 cancelled, award 7 is pending with 30 points of account 1.
 */
before(async () => {
  database = await freshDatabase()
  books = openBooks(database.serverUrl)
  realm = await books.make({ open: false, points: ['gold', 'silver'], members: ['1', '2'] })
  const make = (asked: { kind: Command['kind'] } & Record<string, unknown>) =>
    post(books.ledger, realm, asked)
  await make({ kind: 'adjust', member: '1', tokens: 100n })
  await make({ kind: 'adjust', member: '2', tokens: 100n })
  assert.deepEqual(await make({ kind: 'award', member: '2', tokens: 20n }), [3n])
  assert.deepEqual(await make({ kind: 'grant', award: 3n }), [4n])
  assert.deepEqual(await make({ kind: 'award', member: '2', tokens: 9n }), [5n])
  assert.deepEqual(await make({ kind: 'cancel', award: 5n }), [6n])
  assert.deepEqual(await make({ kind: 'award', member: '1', tokens: 30n }), [7n])
  planter = await Planter.open(database.superuserUrl, realm)
})
after(async () => {
  await planter?.close()
  await books?.close()
  await database?.drop()
})

const faults: readonly [title: string, change: string, where: string, why: RegExp][] = [
  [
    'of another account',
    'update awards set account = 2 where realm = $1 and seq = 7',
    'award 7',
    /1 is right/,
  ],
  ['of another amount', 'update awards set amount = 3 where realm = $1 and seq = 7', 'award 7', /not what/],
  ['of other points', 'update awards set point = 2 where realm = $1 and seq = 7', 'award 7', /not what/],
  ['removed', 'delete from awards where realm = $1 and seq = 7', 'awards', /2 are stored, 3 entries/],
  [
    'invented',
    'insert into awards (realm, seq, account, point, amount) values ($1, 1, 1, 1, 100)',
    'award 1',
    /entry 1 is not an award/,
  ],
  [
    'pending again',
    'update awards set ended_seq = null where realm = $1 and seq = 3',
    'awards of account 2 in gold',
    /add up to 20, 0 is pending/,
  ],
  [
    'ended by another entry',
    'update awards set ended_seq = 6 where realm = $1 and seq = 3',
    'award 3',
    /entry 6 did not end it/,
  ],
  [
    'ended by none',
    'update awards set ended_seq = 6 where realm = $1 and seq = 7',
    'award 7',
    /entry 6 did not end it/,
  ],
  [
    'with other pending points',
    'update balances set balance = 31 where realm = $1 and account = -1073741825',
    'balance of account -1073741825 in gold',
    /31 is stored, 30 is right/,
  ],
  [
    'without its pending points',
    'delete from balances where realm = $1 and account = -1073741825',
    'balance of account -1073741825 in gold',
    /30 is right, nothing is stored/,
  ],
]

describe('awards', () => {
  for (const [title, change, where, why] of faults) {
    it(`${title} are found`, async () => {
      const verdict = await planter.planted(
        () => planter.change(change),
        () => planter.verify(),
      )
      wrong(verdict, where, why)
    })
  }

  it('that are valid pass, replayed whole and in parts', async () => {
    const verdict = await planter.verify()
    assert.ok(
      verdict.ok,
      JSON.stringify(verdict, (_, value) => String(value)),
    )
    const { next } = await verifyWhole(books.db, { realm, least: 1n })
    assert.ok(next)
  })
})

describe('a run that continues the last one', () => {
  it('finds a pending balance that another entry left', async () => {
    const { next } = await verifyWhole(books.db, { realm, least: 1n })
    assert.ok(next)
    await post(books.ledger, realm, { kind: 'award', member: '1', tokens: 5n })
    const run = () =>
      verifyNew(planter.session, {
        realm,
        verified: {
          ...next,
          realm,
          verifiedAt: new Date(),
          isWrong: false,
          isSame: false,
          headSeq: 8n,
          nextAccount: 3,
        },
        least: 1n,
      })
    const { verdict } = await run()
    assert.ok(
      verdict.ok,
      JSON.stringify(verdict, (_, value) => String(value)),
    )
    const planted = await planter.planted(
      () => planter.change('update awards set ended_seq = 6 where realm = $1 and seq = 8'),
      run,
    )
    wrong(planted.verdict, 'award 8', /entry 6 did not end it/)
  })
})
