import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../tests/support/books.ts'
import { freshDatabase } from '../../tests/support/suite.ts'
import { openDatabase } from '../src/db/database.ts'
import { writerSettings } from '../src/db/session.ts'

describe('transactions', () => {
  it('leave no state on the pool’s connections', async () => {
    const database = await freshDatabase()
    const db = openDatabase(database.serverUrl)
    const warnings: string[] = []
    const listen = (warning: Error) => warnings.push(warning.message)
    process.on('warning', listen)
    for (let turn = 0; turn < 30; turn++) await db.transaction(async () => turn)
    await db.close()
    await database.drop()
    process.removeListener('warning', listen)
    assert.deepEqual(warnings, [])
  })
})

describe('a session', () => {
  it('ends its statement, and frees its locks, within a second after its connection was cut', async () => {
    const database = await freshDatabase()
    const db = openDatabase(database.serverUrl)
    const session = await db.open(writerSettings)
    const running = () =>
      rowsOf(
        database.superuserUrl,
        `select pid from pg_stat_activity
          where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`,
      )
    const cut = session.query({ name: 'long', text: 'select pg_sleep(20)' }).catch(() => 'cut')
    while ((await running()).length === 0) await sleep(10)
    session.destroy()
    assert.equal(await cut, 'cut')
    await sleep(1_000)
    assert.deepEqual(await running(), [])
    await db.close()
    await database.drop()
  })
})
