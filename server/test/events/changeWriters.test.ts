import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { openDatabase } from '../../src/db/database.ts'
import type { Queryable } from '../../src/db/session.ts'
import { Exports } from '../../src/files/exports/index.ts'
import { loadRealm } from '../../src/files/imports/index.ts'
import { claim, type Holder } from '../../src/ledger/index.ts'
import { statements } from '../../src/ledger/lane/headStore.ts'
import { Configs } from '../../src/realms/index.ts'
import { post, writeHistory } from '../files/exports/books.ts'
import { type Books, openBooks, tester } from '../ledger/books.ts'

/** Everything that adds entries also writes the operator feed, where it is on. */

let database: TestDatabase
let on: Books
let off: Books

before(async () => {
  database = await freshDatabase()
  on = openBooks(database.serverUrl, 1, true)
  off = openBooks(database.serverUrl)
})
after(async () => {
  await on?.close()
  await off?.close()
  await database?.drop()
})

const make = (books: Books) =>
  books.make({ open: true, points: ['gold', 'silver'], members: ['1', '2', '3'] })

async function changesOf(realm: number, url = database.superuserUrl): Promise<string[]> {
  const text = 'select from_seq, to_seq from changes where realm = $1 order by xid'
  return (await rowsOf(url, text, [realm])).map((row) => `${row.from_seq}-${row.to_seq}`)
}

const headOf = async (realm: number): Promise<string> =>
  (await rowsOf(database.superuserUrl, 'select seq from heads where realm = $1', [realm]))[0].seq

const everyHolder = {
  name: 'test_every_holder',
  text: `select m.account, m.id::text, b.balance, b.seq, false as frozen
    from members m join balances b on b.realm = m.realm and b.account = m.account and b.point = 1
    where m.realm = $1 order by m.account`,
}

async function claimAll({ db }: Books, realm: number, feed: boolean) {
  const common = { realm, key: 0, requestId: 'claim', point: 'gold', details: undefined }
  const holders = async (tx: Queryable) => (await tx.query<Holder>(everyHolder, [realm])).rows
  const claimed = await claim(
    { ...common, holders, keep: async () => {} },
    { db, configs: new Configs(), feed },
  )
  assert.ok(claimed)
  return claimed
}

describe('the ledger', () => {
  it('writes a change for every batch, of every type of entry', async () => {
    const realm = await make(on)
    await writeHistory(on.ledger, realm)
    const changes = await changesOf(realm)
    let next = 1
    for (const [from, to] of changes.map((one) => one.split('-').map(Number))) {
      assert.equal(from, next)
      next = (to ?? 0) + 1
    }
    assert.equal(String(next - 1), await headOf(realm))
    assert.ok(changes.includes('6-8'), changes.join(' '))
  })

  it('writes one change for a claim of more members than are decided at once', async () => {
    const realm = await make(on)
    const changes = Array.from({ length: 1_000 }, (_, nth) => String(10 + nth))
    for (const some of [changes.slice(0, 500), changes.slice(500)])
      await post(on.ledger, realm, {
        kind: 'batch',
        changes: some.map((member) => ({ member, tokens: 1n, point: undefined })),
      })
    await post(on.ledger, realm, { kind: 'adjust', member: '1', tokens: 5n })
    const { firstSeq, seq } = await claimAll(on, realm, true)
    assert.equal(seq - firstSeq, 1_000n)
    assert.deepEqual(await changesOf(realm), ['1-500', '501-1000', '1001-1001', `${firstSeq}-${seq}`])
  })

  it('writes none where the feed is off, with the statements of before', async () => {
    const realm = await make(off)
    await writeHistory(off.ledger, realm)
    await claimAll(off, realm, false)
    assert.deepEqual(await changesOf(realm), [])
    assert.doesNotMatch(statements.moveHeads.text, /changes|old_seq/)
    assert.ok(!off.trips.flat().some((name) => /noted|change/.test(name)))
  })

  it('sends the same statements with the feed, in as many round trips', async () => {
    const tripsOf = async (books: Books) => {
      const realm = await make(books)
      await post(books.ledger, realm, { kind: 'adjust', member: '1', tokens: 5n })
      books.trips.length = 0
      for (const member of ['1', '2', '1'])
        await post(books.ledger, realm, { kind: 'adjust', member, tokens: 5n })
      return books.trips.map((trip) => trip.map((name) => name.replace(/_noted$/, '')))
    }
    assert.deepEqual(await tripsOf(on), await tripsOf(off))
    assert.ok(on.trips.flat().includes('ledger_move_heads_noted'))
  })
})

describe('an imported realm', () => {
  it('is one change, when it becomes visible', async () => {
    const realm = await make(off)
    await writeHistory(off.ledger, realm)
    const there = await freshDatabase()
    const other = openDatabase(there.serverUrl)
    try {
      const { chunks } = await new Exports(off.db).ndjson(realm)
      const loaded = await loadRealm(chunks, { db: other, by: tester, feed: true })
      assert.deepEqual(await changesOf(loaded.realm, there.superuserUrl), [])
      await loaded.show()
      await loaded.close()
      assert.deepEqual(await changesOf(loaded.realm, there.superuserUrl), [`1-${await headOf(realm)}`])
    } finally {
      await other.close()
      await there.drop()
    }
  })
})

describe('a statement that moves a head', () => {
  it('is one of these: a new one must write the feed too', () => {
    const sources = globSync(fileURLToPath(new URL('../../src/**/*tore.ts', import.meta.url)))
    const moves = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/update heads(?: \w)? set seq/g)].map(
        () => file.split('/src/')[1],
      ),
    )
    assert.deepEqual(new Set(moves), new Set(['files/imports/loadStore.ts', 'ledger/lane/headStore.ts']))
    assert.equal(moves.length, 2)
  })
})
