import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../../tests/support/suite.ts'
import { type Database, openDatabase } from '../../../src/db/database.ts'
import { Exports } from '../../../src/files/exports/index.ts'
import { loadRealm } from '../../../src/files/imports/index.ts'
import { verify } from '../../../src/ledger/journal/verify.ts'
import { type Books, openBooks, tester } from '../../ledger/books.ts'
import { post, textOf, wholeOf, writeHistory } from './books.ts'

let here: TestDatabase
let there: TestDatabase
let books: Books
let other: Database
let realmId: string
let open: bigint
let text: string

before(async () => {
  ;[here, there] = [await freshDatabase(), await freshDatabase()]
  books = openBooks(here.serverUrl)
  other = openDatabase(there.serverUrl)
  // So that its internal number differs.
  await rowsOf(there.superuserUrl, `insert into realms (id) values ('taken'); delete from realms`)
  const realm = await books.make({ open: true, points: ['gold', 'silver'], members: ['1', '2', '3', '4'] })
  open = await writeHistory(books.ledger, realm)
  await post(books.ledger, realm, { kind: 'adjust', member: '4', tokens: 6n, reason: 'gone' })
  await post(books.ledger, realm, { kind: 'adjust', member: '4', tokens: -6n })
  await rowsOf(
    here.superuserUrl,
    `update members set frozen_at = now(), hidden = true, note = 'a note', metadata = '{"a":1}',
        username = 'tab\tand\\slash' where id = 3;
      insert into wallets (realm, match, account, address, chain, verified_at)
        values (${realm}, 'abc', 1, 'Abc', 'cosmos', now());
      delete from details where reason = 'to be erased';
      delete from members where id = 4;
      update realms set next_key = 7, rate = 5, burst = 9;
      update points set archived_at = now(), max_balance = 1000, emoji = '🪙' where id = 'silver'`,
  )
  realmId = (await rowsOf(here.superuserUrl, 'select id from realms'))[0].id
  text = await textOf((await new Exports(books.db).ndjson(realm)).chunks)
})
after(async () => {
  await books?.close()
  await other?.close()
  await here?.drop()
  await there?.drop()
})

/** A text in chunks, which may break off. */
async function* pieces(whole: string, breakAt = whole.length + 1): AsyncGenerator<string> {
  for (let at = 0; at < whole.length; at += 997) {
    if (at >= breakAt) throw new Error('the file could not be read further')
    yield whole.slice(at, at + 997)
  }
}

const load = (whole: string, breakAt?: number) => loadRealm(pieces(whole, breakAt), { db: other, by: tester })
const ids = async () =>
  (await rowsOf(there.superuserUrl, 'select id from realms order by 1')).map(({ id }) => id)

describe('a realm', () => {
  it('is written with the field names of the API: camelCase, a type for each entry, tokens', () => {
    assert.doesNotMatch(text, /"[a-zA-Z]+_[a-zA-Z_]+":/)
    const entries = text.split('\n').filter((line) => line.startsWith('{"entry":'))
    assert.ok(entries.length > 5)
    for (const line of entries) assert.match(line, /"type":"[a-z]+".*"tokens":"[0-9]+"/)
  })

  it('that was partly loaded is hidden, valid so far, and the load can be resumed', async () => {
    await assert.rejects(load(text, Math.floor(text.length * 0.7)), /could not be read/)
    const [hidden] = await ids()
    assert.match(hidden, /^loading-[0-9a-f]{24}$/)
    const realm = (await rowsOf(there.superuserUrl, 'select realm from realms'))[0].realm
    assert.ok((await verify(other, { realm })).ok)
    const cut = text.slice(0, text.lastIndexOf('{"end"'))
    await assert.rejects(load(cut), /The file is incomplete/)
    assert.deepEqual(await ids(), [hidden])
  })

  it('is the same elsewhere: balances, hashes, holds, erasures and removed members', async () => {
    const { realm, header, counts, open, show, close } = await load(text)
    const against = { seq: BigInt(header.seq), hash: header.hash }
    assert.deepEqual(await verify(other, { realm, against, open }), { ok: true, ...against })
    await show()
    await close()
    assert.ok((await verify(other, { realm })).ok)
    assert.deepEqual(counts, { members: 3, wallets: 1, entries: Number(header.seq), holds: 3, awards: 3 })
    assert.deepEqual(await ids(), [realmId])
    const [before, after] = [
      await wholeOf(here.superuserUrl, realmId),
      await wholeOf(there.superuserUrl, realmId),
    ]
    assert.deepEqual(after, before)
    const [kept] = await rowsOf(there.superuserUrl, 'select next_key, rate, burst from realms')
    assert.deepEqual(kept, { next_key: 7, rate: 5, burst: 9 })
  })

  it('continues there: holds can be ended, old idempotency keys are remembered', async () => {
    const moved = openBooks(there.serverUrl)
    try {
      const realm = (await rowsOf(there.superuserUrl, 'select realm from realms'))[0].realm
      const again = {
        kind: 'adjust',
        member: '2',
        tokens: 50n,
        reason: 'a "gift", with,\ncommas',
        key: 'once',
      }
      assert.deepEqual(await post(moved.ledger, realm, again as Parameters<typeof post>[2]), [2n])
      await post(moved.ledger, realm, { kind: 'capture', hold: open, tokens: undefined })
      assert.ok((await verify(other, { realm })).ok)
    } finally {
      await moved.close()
    }
  })

  it('that is there already is refused, as is a file that is none', async () => {
    await assert.rejects(load(text), /Realm .* already exists/)
    await assert.rejects(load('id,balance\n1,5\n'), /does not belong to an exported realm/)
    await assert.rejects(load('{"format":"other"}\n'), /not an exported realm/)
    await assert.rejects(load(text.replace('"version":1', '"version":2')), /Version 2/)
  })

  it('whose history was changed in the file is detected and stays hidden', async () => {
    const fresh = await freshDatabase()
    const db = openDatabase(fresh.serverUrl)
    try {
      const changed = text.replace('"tokens":"100"', '"tokens":"101"')
      const { realm, header, giveUp, close } = await loadRealm(pieces(changed), { db, by: tester })
      const verdict = await verify(db, { realm, against: { seq: BigInt(header.seq), hash: header.hash } })
      assert.deepEqual(verdict.ok === false && verdict.where, 'entry 1')
      await giveUp()
      await close()
      const injected = text.replace('"tokens":"100"', '"tokens":"1\\t5"')
      await assert.rejects(loadRealm(pieces(injected), { db, by: tester }), /has an invalid field/)
      const strange = text.replace('"type":"adjust"', '"type":"gift"')
      await assert.rejects(loadRealm(pieces(strange), { db, by: tester }), /has an unknown type "gift"/)
    } finally {
      await db.close()
      await fresh.drop()
    }
  })
})
