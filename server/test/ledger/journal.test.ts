import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Queryable, Session } from '../../src/db/session.ts'
import { right, withHistory } from './history.ts'

const made = withHistory()

describe('the journal is append-only', () => {
  const changes = [
    'update journal set amount = amount + 1',
    'delete from journal',
    'truncate journal',
  ] as const
  const tried = (db: Queryable, text: string) => db.query({ name: '', text })

  it('the server’s role may neither change, delete nor truncate, nor disable the trigger', async () => {
    for (const text of changes) {
      await assert.rejects(tried(made.books.db, text), { code: '42501', message: /permission denied/ })
    }
    const off = tried(made.books.db, 'alter table journal disable trigger all')
    await assert.rejects(off, { code: '42501', message: /must be owner/ })
    right(await made.planter.verify())
  })

  it('the trigger rejects the owner', async () => {
    const owner = await Session.open(made.database.ownerUrl, {})
    try {
      for (const text of changes) {
        const [verb] = text.split(' ')
        const message = `the journal is append-only: ${verb} refused`
        await assert.rejects(tried(owner, text), { code: '42501', message })
      }
    } finally {
      await owner.close()
    }
    right(await made.planter.verify())
  })
})
