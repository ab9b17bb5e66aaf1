import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openDatabase } from '../src/db/database.ts'
import { freshDatabase } from './support/suite.ts'

describe('transactions', () => {
  it('leave nothing behind on the connections they borrow', async () => {
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
