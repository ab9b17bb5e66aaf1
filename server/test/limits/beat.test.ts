import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { Exchange } from '../../src/limits/exchange.ts'
import { Pace } from '../../src/limits/pace.ts'

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

/** The reporting settings of a process, once it is registered. */
async function paceOf(): Promise<Pick<Pace, 'everyMs' | 'unheard' | 'limitCap'>> {
  const pace = new Pace()
  const exchange = new Exchange(db, pace, () => performance.now())
  await exchange.beat()
  await exchange.close()
  const { everyMs, unheard, limitCap } = pace
  return { everyMs, unheard, limitCap }
}

const usual = { everyMs: 500, unheard: 1 / 100, limitCap: 2_000 }

/** Inserts registrations of other processes of this age. */
const beaten = (age: string, count: number) =>
  rowsOf(
    database.superuserUrl,
    `insert into rates select 0, 0, gen_random_uuid(), 0, 0, 0, now() - interval '${age}'
      from generate_series(1, ${count})`,
  )

describe('processes that share a database', () => {
  it('count each other: two report twice a second, from a hundredth of a limit on', async () => {
    assert.deepEqual([await paceOf(), await paceOf()], [usual, usual])
  })

  it('neither count ended processes nor keep their rows', async () => {
    await beaten('45 seconds', 100)
    await beaten('2 minutes', 1)
    assert.deepEqual(await paceOf(), usual)
    const gone = `select from rates where realm = 0 and at < now() - interval '1 minute'`
    assert.equal((await rowsOf(database.superuserUrl, gone)).length, 0)
  })

  it('report less often, and from a lower share on, when they are many', async () => {
    await beaten('10 seconds', 97)
    // With the three above and this one.
    assert.deepEqual(await paceOf(), { everyMs: 2_525, unheard: 1 / 404, limitCap: Math.ceil(2_000 / 5.05) })
  })

  it('continue with what they knew when the database is unreachable', async () => {
    await rowsOf(database.superuserUrl, 'revoke all on rates from exchequer_server')
    assert.deepEqual(await paceOf(), usual)
  })
})
