import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { forUs, post } from '../files/exports/books.ts'
import { type Books, openBooks } from './books.ts'
import { wrong } from './history.ts'
import { Planter } from './plant.ts'

let database: TestDatabase
let books: Books
let planter: Planter

/** Accounts 1 and 2. Hold 3 was captured, hold 6 is open with 30 points of account 1. */
before(async () => {
  database = await freshDatabase()
  books = openBooks(database.serverUrl)
  const realm = await books.make({ open: false, points: ['gold', 'silver'], members: ['1', '2'] })
  const make = (asked: Parameters<typeof post>[2]) => post(books.ledger, realm, asked)
  await make({ kind: 'adjust', member: '1', tokens: 100n })
  await make({ kind: 'adjust', member: '2', tokens: 100n })
  await make({ kind: 'hold', member: '2', tokens: 20n, forUs })
  assert.deepEqual(await make({ kind: 'capture', hold: 3n, tokens: 15n }), [4n, 5n])
  assert.deepEqual(await make({ kind: 'hold', member: '1', tokens: 30n, forUs }), [6n])
  planter = await Planter.open(database.superuserUrl, realm)
})
after(async () => {
  await planter?.close()
  await books?.close()
  await database?.drop()
})

describe('holds', () => {
  const faults: readonly [title: string, change: string, where: string, why: RegExp][] = [
    [
      'of another account',
      'update holds set account = 2 where realm = $1 and seq = 6',
      'hold 6',
      /1 is right/,
    ],
    ['of another amount', 'update holds set amount = 3 where realm = $1 and seq = 6', 'hold 6', /not what/],
    ['of other points', 'update holds set point = 2 where realm = $1 and seq = 6', 'hold 6', /not what/],
    [
      'open and removed',
      'delete from holds where realm = $1 and seq = 6',
      'holds',
      /1 are stored, 2 entries/,
    ],
    [
      'ended and removed',
      'delete from holds where realm = $1 and seq = 3',
      'holds',
      /1 are stored, 2 entries/,
    ],
    ['invented', 'insert into holds values ($1, 1, 1, 1, 100, 0, null)', 'hold 1', /entry 1 is not a hold/],
    [
      'open again',
      'update holds set ended_seq = null where realm = $1 and seq = 3',
      'holds of account 2 in gold',
      /add up to 20, 0 is held/,
    ],
    [
      'ended by another entry',
      'update holds set ended_seq = 2 where realm = $1 and seq = 3',
      'hold 3',
      /entry 2 did not end it/,
    ],
    [
      'ended by none',
      'update holds set ended_seq = 5 where realm = $1 and seq = 6',
      'hold 6',
      /entry 5 did not end it/,
    ],
  ]
  for (const [title, change, where, why] of faults) {
    it(`${title} are found`, async () => {
      const verdict = await planter.planted(
        () => planter.change(change),
        () => planter.verify(),
      )
      wrong(verdict, where, why)
    })
  }

  it('that are valid pass', async () => {
    const verdict = await planter.verify()
    assert.ok(
      verdict.ok,
      JSON.stringify(verdict, (_, value) => String(value)),
    )
  })
})

describe('the name of a realm', () => {
  it('matches its journal', async () => {
    const rename = () => planter.change(`update realms set id = 'another' where realm = $1`)
    wrong(await planter.planted(rename, () => planter.verify()), 'realm', /listed as another/)
  })
})
