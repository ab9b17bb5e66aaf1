import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { freshDatabase, suite, type TestDatabase } from '../../../tests/support/suite.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { loadRealm } from '../../src/files/imports/index.ts'
import { verify } from '../../src/ledger/journal/verify.ts'
import { wholeOf } from '../files/exports/books.ts'
import { tester } from '../ledger/books.ts'

/** Erasing a member who was in a batch with others. */
const made = suite()
let there: TestDatabase
let other: Database
before(async () => {
  there = await freshDatabase()
  other = openDatabase(there.serverUrl)
})
after(async () => {
  await other?.close()
  await there?.drop()
})

const said = { description: 'hackathon prize', reference: 'campaign-1', metadata: { team: 'blue' } }
const members = ['1', '2', '3']

/** Members 1, 2 and 3 are the entries 1, 2 and 3, in one batch; the third has its own reason. */
async function makeBatch(own?: string): Promise<ManagedRealm> {
  const realm = await managed(made)
  for (const id of members) await realm.send(`PUT /members/${id}`, {})
  const entries = members.map((memberId) => ({
    memberId,
    tokens: 5,
    ...(own && memberId === '3' ? { reason: own } : {}),
  }))
  const { status, text } = await realm.send('PATCH /members/tokenBalance', { ...said, entries })
  assert.equal(status, 200, text)
  return realm
}

async function erase(realm: ManagedRealm, id: string): Promise<unknown> {
  assert.equal((await realm.send(`PATCH /members/${id}/tokenBalance`, { tokens: -5 })).status, 200)
  const { status, json, text } = await realm.send(`POST /members/${id}/erasure`)
  assert.equal(status, 200, text)
  return json
}

/** A member's entry in the batch, in every response except its own history. */
async function seen(realm: ManagedRealm, seq: string) {
  const { json: entry } = await realm.send(`GET /entries/${seq}`)
  const { json: feed } = await realm.send('GET /journal')
  const { text: csv } = await realm.send('GET /export/entries.csv')
  const { details, batchDetails } = feed.data[Number(seq) - 1]
  return {
    entry: [entry.reason, entry.reference, entry.metadata?.team, entry.actorId],
    journal: (details?.text ?? '') + (batchDetails ?? ''),
    csv: csv.split('\r\n')[Number(seq)]?.split(',').slice(11).join(),
  }
}

const nothing = { entry: [null, null, undefined, null], journal: '', csv: ',,,' }
const whole = ['hackathon prize', 'campaign-1', 'blue', null]

async function assertOthersKeep(realm: ManagedRealm, seq: string, reason = said.description): Promise<void> {
  const { entry, csv } = await seen(realm, seq)
  assert.deepEqual(entry, [reason, ...whole.slice(1)])
  assert.equal(csv, `${reason},campaign-1,"{""team"":""blue""}",`)
  const { data: entries } = (await realm.send('GET /journal')).json
  const shared = entries[Number(seq) - 1].batchDetails ?? entries[0].details?.text
  assert.match(shared, /"reference":"campaign-1"/)
  const { json } = await realm.send(`GET /members/${seq}/history`)
  const own = json.data.find((one: { transactionId: string }) => one.transactionId === seq)
  assert.deepEqual([own.reason, own.reference, own.metadata], [reason, 'campaign-1', { team: 'blue' }])
}

const undone = async (realm: ManagedRealm) => {
  const body = { filter: { reference: 'campaign-1' } }
  return (await realm.send('POST /reversals?dryRun=true', body)).json.matched
}

/** The moved realm is the same elsewhere, and its file has no details for erased entries. */
async function assertMoves(realm: ManagedRealm, erased: readonly string[]): Promise<void> {
  const { text } = await realm.send('GET /export/realm.ndjson')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const { entry } of lines) if (erased.includes(entry?.seq)) assert.equal(entry.details, undefined)
  async function* chunks() {
    yield text
  }
  const loaded = await loadRealm(chunks(), { db: other, by: tester })
  assert.ok((await verify(other, { realm: loaded.realm, open: loaded.open })).ok)
  await loaded.show()
  await loaded.close()
  const [here, moved] = [made.database, there].map(({ superuserUrl }) => wholeOf(superuserUrl, realm.id))
  assert.deepEqual(await moved, await here)
}

describe('a member of a batch is erased', () => {
  for (const id of members) {
    it(`the ${id}. of it: its entry has no details, those of the others have all`, async () => {
      const realm = await makeBatch()
      assert.deepEqual(await erase(realm, id), { erased: true, details: 1 })
      assert.deepEqual(await seen(realm, id), nothing)
      for (const one of members) if (one !== id) await assertOthersKeep(realm, one)
      assert.equal(await undone(realm), 3)
      await assertMoves(realm, [id])
      await assertBooks(made.database)
    })
  }

  it('with its own reason: that is erased too', async () => {
    const realm = await makeBatch('was rude')
    assert.deepEqual(await erase(realm, '3'), { erased: true, details: 1 })
    assert.deepEqual(await seen(realm, '3'), nothing)
    for (const one of ['1', '2']) await assertOthersKeep(realm, one)
    const kept = await rowsOf(made.database.superuserUrl, `select 1 from details where reason = 'was rude'`)
    assert.deepEqual(kept, [])
    assert.equal(await undone(realm), 3)
  })

  it('the first: a member with its own reason keeps that and the other details', async () => {
    const realm = await makeBatch('fixed the build')
    await erase(realm, '1')
    assert.deepEqual(await seen(realm, '1'), nothing)
    await assertOthersKeep(realm, '2')
    await assertOthersKeep(realm, '3', 'fixed the build')
    assert.doesNotMatch((await seen(realm, '3')).journal, /hackathon/)
    await assertMoves(realm, ['1'])
  })

  it('all of them, one after the other: no details are left', async () => {
    const realm = await makeBatch()
    const text = 'select 1 from details where realm = (select realm from realms where id = $1)'
    for (const id of members) {
      assert.equal((await rowsOf(made.database.superuserUrl, text, [realm.id])).length, 1)
      await erase(realm, id)
    }
    assert.deepEqual(await rowsOf(made.database.superuserUrl, text, [realm.id]), [])
    for (const id of members) assert.deepEqual(await seen(realm, id), nothing)
    await assertMoves(realm, members)
    await assertBooks(made.database)
  })
})

describe('a batch of a thousand with one reason', () => {
  it('stores it once, and one more row for each erased member', async () => {
    const realm = await managed(made, { unknownMembers: 'create' })
    const entries = Array.from({ length: 1_000 }, (_, index) => ({ memberId: String(index + 1), tokens: 5 }))
    assert.equal((await realm.send('PATCH /members/tokenBalance', { ...said, entries })).status, 200)
    const stored = async () => {
      const of = (table: string) =>
        `(select count(*)::integer from ${table} where realm = r.realm) as ${table}`
      const text = `select ${of('details')}, ${of('erasures')} from realms r where id = $1`
      return (await rowsOf(made.database.superuserUrl, text, [realm.id]))[0]
    }
    assert.deepEqual(await stored(), { details: 1, erasures: 0 })
    await erase(realm, '1')
    await erase(realm, '700')
    assert.deepEqual(await stored(), { details: 1, erasures: 2 })
  })
})
