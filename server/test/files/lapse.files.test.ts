import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { Exports } from '../../src/files/exports/index.ts'
import { loadRealm } from '../../src/files/imports/index.ts'
import { verify } from '../../src/ledger/journal/verify.ts'
import { LapseRules } from '../../src/realms/index.ts'
import { type Books, openBooks, tester } from '../ledger/books.ts'
import { post, textOf, wholeOf, writeHistory } from './exports/books.ts'

/** A realm with lots of all kinds, exported and loaded into another database. */
let here: TestDatabase
let there: TestDatabase
let books: Books
let other: Database
let realmId: string
let text: string

before(async () => {
  ;[here, there] = [await freshDatabase(), await freshDatabase()]
  books = openBooks(here.serverUrl)
  other = openDatabase(there.serverUrl)
  const realm = await books.make({ open: true, points: ['gold', 'silver'], members: ['1', '2', '3'] })
  const rules = new LapseRules(books.db)
  await writeHistory(books.ledger, realm)
  await rules.set({ realm, id: 'gold' }, { rule: { after: { days: 30 } } }, tester)
  await writeHistory(books.ledger, realm)
  await rules.set({ realm, id: 'gold' }, { rule: { on: ['06-30'] }, notBefore: 30_000 }, tester)
  await rules.set({ realm, id: 'gold' }, { rule: null }, tester)
  await rules.set({ realm, id: 'silver' }, { rule: { idle: { months: 3, by: ['spent'] } } }, tester)
  await post(books.ledger, realm, { kind: 'adjust', member: '3', tokens: 4n })
  realmId = (await rowsOf(here.superuserUrl, 'select id from realms'))[0].id
  text = await textOf((await new Exports(books.db).ndjson(realm)).chunks)
})
after(async () => {
  await books?.close()
  await other?.close()
  await here?.drop()
  await there?.drop()
})

async function* pieces(whole: string): AsyncGenerator<string> {
  for (let at = 0; at < whole.length; at += 997) yield whole.slice(at, at + 997)
}

const load = (whole: string) => loadRealm(pieces(whole), { db: other, by: tester })

it('a realm arrives with its rules, its lots and its sweeps', async () => {
  const loaded = await load(text)
  await loaded.show()
  await loaded.close()
  const { realm } = loaded
  assert.deepEqual(await wholeOf(there.superuserUrl, realmId), await wholeOf(here.superuserUrl, realmId))
  const rulesOf = (url: string) =>
    rowsOf(
      url,
      `select point, number, from_seq, base_day, not_before, time_zone, rule from lapse_rules
        where realm = (select realm from realms where id = $1) order by number`,
      [realmId],
    )
  assert.deepEqual(await rulesOf(there.superuserUrl), await rulesOf(here.superuserUrl))
  const sweeps = 'select point, due_at is not null as is_due from lapse_sweeps order by point'
  assert.deepEqual(await rowsOf(there.superuserUrl, sweeps), [
    { point: 1, is_due: false },
    { point: 2, is_due: true },
  ])
  const verdict = await verify(other, { realm })
  assert.ok(
    verdict.ok,
    JSON.stringify(verdict, (_, value) => String(value)),
  )
})

it('lots that are not those of the entries are rejected', async () => {
  const found = /("type":"adjust".*"lots":")(\d+)(:\d+")/.exec(text)
  assert.ok(found)
  const [entry, before, day, after] = found
  const wrong = text.replace(entry, `${before}${Number(day) + 1}${after}`)
  const again = wrong.replaceAll(realmId, `${realmId.slice(0, -1)}z`)
  await assert.rejects(load(again), /In entry \d+: its lots are/)
})
