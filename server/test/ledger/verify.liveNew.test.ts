import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { readVerified, saveVerified } from '../../src/ledger/journal/verifiedStore.ts'
import { verifyNext } from '../../src/ledger/journal/verifyNew.ts'
import { type Books, openBooks } from './books.ts'
import { RandomHistory } from './randomHistory.ts'
import { passed } from './slicedHistory.ts'

let database: TestDatabase
let books: Books
before(async () => {
  database = await freshDatabase()
  books = openBooks(database.serverUrl)
})
after(async () => {
  await books?.close()
  await database?.drop()
})

it('during writes every run passes, each from where the last one ended', async () => {
  const members = ['1', '2', '3', '4', '5', '6', '7', '8']
  const realm = await books.make({ open: false, points: ['gold', 'silver'], members })
  const history = new RandomHistory(books.ledger, { realm, members, quiet: '8', seed: 7 })
  await history.write(5)
  let isWriting = true
  const write = async () => {
    while (isWriting) await history.write(20)
  }
  const written = write()
  const db = books.db.within([realm])
  const totals = { runs: 0, fresh: 0n, older: 0n, partial: 0 }
  try {
    while (totals.runs < 65 || (totals.partial < 65 && totals.runs < 2_000)) {
      const verified = (await readVerified(db, [{ number: realm, id: 'unknown' }])).get(realm)
      const options = { realm, least: 10n, isHurried: totals.runs % 2 === 0 }
      const { counts, next, isWhole } = passed(await verifyNext(books.db, { ...options, verified }))
      assert.ok(next.seq >= (verified?.seq ?? 0n))
      await saveVerified(books.db.writing([realm]), [{ realm, ...next }], isWhole)
      totals.runs += 1
      totals.partial += isWhole ? 0 : 1
      totals.fresh += counts.fresh
      totals.older += counts.older
      await sleep(5)
    }
  } finally {
    isWriting = false
    await written
  }
  assert.ok(totals.partial >= 65, 'too few runs began in the middle')
  assert.ok(totals.fresh > 300n && totals.older > 300n, `${totals.fresh} new, ${totals.older} older`)
})
