import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { type Database, openDatabase } from '../src/db/database.ts'
import { Configs, Realms } from '../src/realms/index.ts'
import { tester } from './ledger/books.ts'

let database: TestDatabase
let db: Database
const numbers: number[] = []

before(async () => {
  database = await freshDatabase()
  db = openDatabase(database.serverUrl)
  for (const id of ['one', 'two', 'three']) numbers.push((await new Realms(db).create({ id }, tester)).number)
})
after(async () => {
  await db.close()
  await database.drop()
})

describe('cached configurations', () => {
  it('are all available to their callers, though fewer are cached', async () => {
    const configs = new Configs(1)
    const wanted = numbers.map((realm) => [realm] as const)
    for (let turn = 0; turn < 3; turn++) {
      const resolved = await configs.resolve(db.within(numbers), wanted)
      assert.deepEqual([...resolved.values()].map((config) => config.id).sort(), ['one', 'three', 'two'])
    }
  })

  it('are read again when another version is requested', async () => {
    const configs = new Configs()
    const [realm = 0] = numbers
    const first = (await configs.resolve(db.within(numbers), [[realm]])).get(realm)
    await new Realms(db).change('one', { name: 'Renamed' }, tester)
    assert.equal((await configs.resolve(db.within(numbers), [[realm]])).get(realm), first)
    assert.equal((await configs.latest(db.within(numbers), realm)).name, 'Renamed')
  })
})
