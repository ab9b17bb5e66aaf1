import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import type { Transactions } from '../../src/db/rowSecurity.ts'
import type { Queryable } from '../../src/db/session.ts'
import { checkKeys, keyForm, sessionKeyForm, tokenForm } from '../../src/keys/index.ts'
import { checkSessionKeys, checkSessionTokens } from '../../src/people/index.ts'
import { checkOperators } from '../../src/people/operators.ts'

const secrets = ['k1', 'k2'].map((id) => ({ id, secret: '0123456789abcdef'.repeat(4) + id }))

let database: TestDatabase
let db: Database
before(async () => {
  database = await freshDatabase()
  db = openDatabase(database.serverUrl)
})
after(async () => {
  await db?.close()
  await database?.drop()
})

/** The names of the statements that are sent to it. */
function watched(): { readonly asked: string[]; readonly db: Queryable & Transactions } {
  const asked: string[] = []
  return {
    asked,
    db: {
      query(statement, values) {
        asked.push(statement.name)
        return db.query(statement, values)
      },
      transaction: (work) => db.transaction(work),
    },
  }
}

type Make = (db: Queryable & Transactions, of: typeof secrets) => { check(text: string): unknown }

const sessionKeys: Make = (db, of) => checkSessionKeys({ db, own: db, isOwn: true, cell: 0 }, of)

describe('secrets that a process does not know are looked up together', () => {
  const kinds: readonly [string, Make, { make(): string }][] = [
    ['keys', checkKeys, keyForm],
    ['operator tokens', checkOperators, tokenForm],
    ['keys of sessions', sessionKeys, sessionKeyForm],
    ['operator tokens of sessions', checkSessionTokens, sessionKeyForm],
  ]
  for (const [name, make, form] of kinds) {
    it(`200 ${name} in at most ten statements`, async () => {
      const { asked, db: counted } = watched()
      const check = make(counted, secrets)
      const found = await Promise.all(Array.from({ length: 200 }, async () => check.check(form.make())))
      assert.deepEqual([...new Set(found)], [undefined])
      const looked = asked.filter((one) => one.includes('find'))
      assert.ok(looked.length >= 1 && looked.length <= 10, `${looked.length} statements`)
    })
  }
})
