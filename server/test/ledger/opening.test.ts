import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertBooks } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { fingerprintOf, type Outcome, requestOf } from '../../src/ledger/index.ts'
import { type Books, openBooks } from './books.ts'
import { changeCommand } from './commands.ts'

/** Two servers on one database: each may decide from memory. */
let database: TestDatabase
let here: Books
let there: Books
let realm: number
before(async () => {
  database = await freshDatabase()
  here = openBooks(database.serverUrl)
  there = openBooks(database.serverUrl)
  realm = await here.make({ open: false, points: ['gold', 'silver'], members: ['1', '2', '3', '4'] })
})
after(async () => {
  await assertBooks(database)
  assert.deepEqual([...here.faults, ...there.faults], [])
  await here.close()
  await there.close()
  await database.drop()
})

const nothing = { reason: undefined, reference: undefined, metadata: undefined, actorId: undefined }

type Opening = { readonly member: string; readonly name: string; readonly point?: string }

/** Only if the member has none, unless `ifNone` says otherwise. */
async function open(books: Books, { member, name, point = 'gold' }: Opening, ifNone = true): Promise<string> {
  const said = [member, undefined, '5']
  const fingerprint = fingerprintOf({ kind: 'opening', said, point, details: nothing })
  const retry = { request: requestOf(`${name} ${member} ${point}`), fingerprint }
  const common = { realm, key: 1, requestId: 'a test', details: undefined, retry }
  return shown(await books.ledger.post({ kind: 'opening', ...common, member, tokens: 5n, point, ifNone }))
}

function shown(outcome: Outcome): string {
  if (outcome.kind === 'recalled') return 'recalled'
  if (outcome.kind === 'refused') return outcome.refusal.code
  return `${outcome.replayed ? 'replayed' : 'done'} ${outcome.receipts[0].toBalance}`
}

function adjust(books: Books, member: string, tokens: bigint): Promise<Outcome> {
  return books.ledger.post(changeCommand(realm, { member, tokens }))
}

describe('an opening balance for a member who has none', () => {
  it('is rejected when points were added meanwhile, here or by another server', async () => {
    assert.equal(await open(here, { member: '1', name: 'first' }), 'done 5')
    for (const books of [here, there]) {
      assert.equal(await open(books, { member: '1', name: 'second' }), 'precondition_failed')
    }
    assert.equal(await open(here, { member: '1', name: 'second', point: 'silver' }), 'done 5')
  })

  it('is rejected when two are in one batch', async () => {
    const names = ['a', 'b', 'c']
    const outcomes = await Promise.all(names.map((name) => open(here, { member: '2', name })))
    assert.deepEqual(outcomes.sort(), ['done 5', 'precondition_failed', 'precondition_failed'])
  })

  it('is replayed on a retry, even if the member has points by then', async () => {
    assert.equal(await open(here, { member: '3', name: 'first' }), 'done 5')
    await adjust(there, '3', 1n)
    for (const books of [there, here]) {
      assert.equal(await open(books, { member: '3', name: 'first' }), 'replayed 5')
    }
  })

  it('that was rejected succeeds for the same request once it may be added on top', async () => {
    await adjust(there, '4', 1n)
    assert.equal(await open(here, { member: '4', name: 'first' }), 'precondition_failed')
    assert.equal(await open(here, { member: '4', name: 'first' }, false), 'done 6')
  })
})
