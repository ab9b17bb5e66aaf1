import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../../tests/support/suite.ts'
import { type Database, openDatabase } from '../../../src/db/database.ts'
import { forgetAnswers, takeLeases } from '../../../src/events/webhooks/index.ts'
import { Exports } from '../../../src/files/exports/index.ts'
import { loadRealm } from '../../../src/files/imports/index.ts'
import { MemberRemoval } from '../../../src/removal/index.ts'
import { type Books, openBooks, tester } from '../../ledger/books.ts'
import { post, textOf } from './books.ts'

/** A realm is moved under concurrent changes: two imports at once, and members who are removed meanwhile. */
let here: TestDatabase
let there: TestDatabase
let books: Books
let other: Database

before(async () => {
  ;[here, there] = [await freshDatabase(), await freshDatabase()]
  books = openBooks(here.serverUrl)
  other = openDatabase(there.serverUrl)
})
after(async () => {
  await books?.close()
  await other?.close()
  await here?.drop()
  await there?.drop()
})

const members = ['1', '2', '3']

async function make(): Promise<number> {
  const realm = await books.make({ open: false, points: ['gold'], members })
  for (const member of members) await post(books.ledger, realm, { kind: 'adjust', member, tokens: 7n })
  return realm
}

const leave = async (realm: number, member: string) => {
  await post(books.ledger, realm, { kind: 'adjust', member, tokens: -7n })
  await new MemberRemoval(books.db, { takeLeases, forgetAnswers }).remove({ realm, id: member }, tester)
}

const load = (text: string) => {
  async function* chunks() {
    yield text
  }
  return loadRealm(chunks(), { db: other, by: tester })
}

const exported = async (realm: number) => textOf((await new Exports(books.db).ndjson(realm)).chunks)
const at = (text: string, values: unknown[]) => rowsOf(there.superuserUrl, text, values)

describe('a file that is loaded twice at once', () => {
  it('is loaded by one of them, and the other does not change a realm in use', async () => {
    const text = await exported(await make())
    const first = await load(text)
    await assert.rejects(load(text), /Another process is loading this file/)
    // Like an import that lost its connection, and with it the lock.
    await first.close()
    const second = await load(text)
    await first.show()
    const { realm } = first
    const realms = () => at('select id, next_key, rate from realms where realm = $1', [realm])
    await at('update realms set next_key = 4, rate = 5, burst = 5 where realm = $1', [realm])
    const before = await realms()
    await assert.rejects(second.show(), /no longer being loaded/)
    await assert.rejects(second.giveUp(), /no longer being loaded/)
    assert.deepEqual(await realms(), before)
    await second.close()
    await assert.rejects(load(text), /Realm .* already exists/)
  })
})

describe('a removed member', () => {
  it('before a realm was moved is not counted where it is now', async () => {
    const realm = await make()
    await leave(realm, '1')
    const loaded = await load(await exported(realm))
    await loaded.show()
    await loaded.close()
    const gone = await at('select account from departures where realm = $1', [loaded.realm])
    assert.deepEqual(gone, [{ account: 1 }])
  })

  it('while a realm is exported, with points at its entry, ends the export with an error', async () => {
    for (const member of ['1', '3']) {
      const realm = await make()
      const exports = new Exports(books.db)
      const [whole, balances] = [await exports.ndjson(realm), await exports.csv(realm, 'balances')]
      await leave(realm, member)
      await assert.rejects(textOf(whole.chunks), /A member who had points was removed/)
      await assert.rejects(textOf(balances.chunks), /A member who had points was removed/)
      assert.match(await textOf((await exports.csv(realm, 'balances')).chunks), /^id,/)
    }
  })

  it('with points in a file is not loaded', async () => {
    const text = await exported(await make())
    const lines = text.split('\n').filter((line) => !line.includes('"member":{"account":2'))
    const cut = lines.join('\n').replace('"counts":{"members":3', '"counts":{"members":2')
    await assert.rejects(load(cut), /Account 2 has points, but its member is not in the file/)
  })
})
