import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { freshDatabase, suite, type TestDatabase } from '../../../tests/support/suite.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { Exports } from '../../src/files/exports/index.ts'
import { Imports, loadRealm } from '../../src/files/imports/index.ts'
import { problem } from '../../src/http/problem.ts'
import { Ledger } from '../../src/ledger/index.ts'
import { Configs } from '../../src/realms/index.ts'
import { textOf } from '../files/exports/books.ts'
import { tester } from '../ledger/books.ts'

/** Identities in files: imports by identity, and whole realms. */
let realm: ManagedRealm
let number: number
let db: Database
let ledger: Ledger
let imports: Imports
let there: TestDatabase
before(async () => {
  there = await freshDatabase()
})
// Before those of the suite, which drop the database.
after(async () => {
  await ledger?.close()
  await db?.close()
  await there?.drop()
})
const made = suite({}, async (suited) => {
  realm = await managed(suited)
  const text = 'select realm from realms where id = $1'
  number = (await rowsOf(suited.database.superuserUrl, text, [realm.id]))[0].realm
  db = openDatabase(suited.database.serverUrl)
  const configs = new Configs()
  const onFault = (error: unknown) => {
    throw error
  }
  ledger = new Ledger({ db, configs, render: problem, laneCount: 1, deadlineMs: 10_000, onFault })
  imports = new Imports({ db, configs, ledger })
})

const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
const wanted = (name: string) =>
  ({ realm: number, key: 0, by: tester, requestId: 'r', name, format: 'csv' }) as const

async function importCsv(text: string, name: string) {
  const source = () => [text]
  const checked = await imports.check(source, wanted(name))
  if (checked.faultCount > 0) return checked
  return imports.apply(source, { ...wanted(name), checked })
}

describe('an import', () => {
  const csv = `id,username,wallet,balance\nshop:a,ann,${wallet},5\nshop:b,bob,,7\n77,cid,,9\n`

  it('creates members by identity, with names, wallets and opening balances', async () => {
    const { rows, created, made: openings, linked } = await importCsv(csv, 'first')
    assert.deepEqual([rows, created, openings, linked], [3, 3, 3, 1])
    const { json } = await realm.send('GET /members/shop:a')
    assert.deepEqual([json.username, json.tokenBalance], ['ann', 5])
    const owner = (await realm.send(`GET /members?wallet=${wallet}`)).json.data[0]
    assert.equal(owner.id, json.id)
    await assertBooks(made.database)
  })

  it('repeated, makes nothing twice; another one changes names by identity', async () => {
    const again = await importCsv(csv, 'first')
    assert.deepEqual(
      [again.created, again.updated, again.made, again.linked, again.alreadyThere],
      [0, 0, 0, 0, 3],
    )
    const renamed = await importCsv('id,username\nshop:a,anna\n', 'names')
    assert.deepEqual([renamed.created, renamed.updated], [0, 1])
    assert.equal((await realm.send('GET /members/shop:a')).json.username, 'anna')
  })

  it('rejects an identity that is in the file twice, a malformed one, and openings on top', async () => {
    const faults = async (text: string) => (await importCsv(text, 'wrong')).faults.map(({ detail }) => detail)
    assert.match((await faults('id\nshop:z\nshop:z\n'))[0] ?? '', /Member shop:z is on line 2 already/)
    assert.match((await faults('id\nShop:z\n'))[0] ?? '', /not a valid member id.*identity such as shop:9f1c/)
    assert.match((await faults('id,balance\nshop:a,5\n'))[0] ?? '', /already have points.*shop:a/)
  })
})

describe('e-mail addresses in an import', () => {
  const id = async (address: string) => {
    const text = 'select identity_key as key from settings where realm = $1'
    const [{ key }] = await rowsOf(made.database.superuserUrl, text, [number])
    return `email:${createHmac('sha256', key).update(address).digest('hex')}`
  }

  it('create members by their hashes, and find them again however they are spelled', async () => {
    const first = await importCsv('id,username,balance\nemail:Eve@example.org,eve,4\n', 'addresses')
    assert.deepEqual([first.created, first.made], [1, 1])
    const again = await importCsv('id,username,balance\nemail: eve@EXAMPLE.org,eva,4\n', 'addresses')
    assert.deepEqual([again.created, again.updated, again.alreadyThere], [0, 1, 1])
    const { json } = await realm.send(`GET /members/${await id('eve@example.org')}`)
    assert.deepEqual([json.username, json.tokenBalance], ['eva', 4])
    await assertBooks(made.database)
  })

  it('are rejected where they are malformed or in the file twice, and not repeated', async () => {
    const text = 'id\nemail:eve@\nemail:fay@example.org\nemail:Fay@example.org\n'
    const { faults } = await importCsv(text, 'wrong addresses')
    assert.deepEqual(
      faults.map(({ line }) => line),
      [2, 4],
    )
    assert.doesNotMatch(JSON.stringify(faults), /eve@|fay@/i)
  })
})

describe('a realm', () => {
  it('is exported and loaded with its identities', async () => {
    await realm.send('PUT /members/shop:a/identities/game:%22x%22', {
      name: 'Näme',
      pictureUrl: 'https://a.example/',
    })
    const text = await textOf((await new Exports(db).ndjson(number)).chunks)
    assert.match(text, /"identities":4/)
    const other = openDatabase(there.serverUrl)
    try {
      const { counts, show, close } = await loadRealm([text] as never, { db: other, by: tester })
      await show()
      await close()
      assert.equal(counts.identities, 4)
    } finally {
      await other.close()
    }
    const all = `select provider, subject, account, name, picture_url, linked_at from identities
      where realm = (select realm from realms where id = $1) order by 1, 2`
    const [before, after] = await Promise.all([
      rowsOf(made.database.superuserUrl, all, [realm.id]),
      rowsOf(there.superuserUrl, all, [realm.id]),
    ])
    assert.equal(before.length, 4)
    assert.deepEqual(after, before)
    // Without the key the importing server would not find the members by their addresses.
    const key = `select encode(identity_key, 'hex') as key from settings where realm_id = '${realm.id}'`
    const [[here], [imported]] = await Promise.all([
      rowsOf(made.database.superuserUrl, key),
      rowsOf(there.superuserUrl, key),
    ])
    assert.match(here.key, /^[0-9a-f]{64}$/)
    assert.equal(imported.key, here.key)
  })

  it('with a malformed key is not loaded', async () => {
    const text = await textOf((await new Exports(db).ndjson(number)).chunks)
    const wrong = text.replace(/"identityKey":"[0-9a-f]{64}"/, '"identityKey":"00"')
    assert.notEqual(wrong, text)
    await assert.rejects(loadRealm([wrong] as never, { db, by: tester }), /invalid settings: identityKey/)
  })
})
