import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { rowsOf } from '../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { setUp } from '../src/db/session.ts'
import { serverRole } from '../src/dev/prepare.ts'

/** Row-level security of the journal's partitions. */
const [own, other] = [1, 2] as const
const notAllowed = '42501'

let database: TestDatabase
let server: pg.Client

before(async () => {
  database = await freshDatabase()
  await rowsOf(
    database.superuserUrl,
    `insert into journal (realm, key, seq, at_us, amount, to_balance, from_account, to_account, point, kind,
      encoding, hash) select g, 1, 1, 1, 5, 5, 0, 1, 1, 1, 1, sha256('') from generate_series(1, 2) g`,
  )
  server = new pg.Client({ connectionString: database.serverUrl })
  await server.connect()
  await setUp(server, { idle_in_transaction_session_timeout: '0' })
})
after(async () => {
  await server?.end()
  await database?.drop()
})

/** Runs a statement as the server's role, within these realms, and rolls it back. */
async function tried(realms: readonly number[], text: string): Promise<string> {
  await server.query('begin')
  try {
    await server.query(`select set_config('exchequer.realms', $1, true)`, [`{${realms.join()}}`])
    return (await server.query<{ realm: number }>(text)).rows.map((row) => row.realm).join()
  } catch (error) {
    return String((error as { code: string }).code)
  } finally {
    await server.query('rollback')
  }
}

describe('a partition', () => {
  const partitions = async () =>
    (
      await rowsOf(
        database.superuserUrl,
        `select relname as name from pg_class where relispartition and relkind = 'r'
          and relnamespace = 'exchequer'::regnamespace order by 1`,
      )
    ).map((row) => String(row.name))
  const statements = (name: string) => [
    `select realm from ${name}`,
    `update ${name} set realm = realm`,
    `delete from ${name}`,
    `insert into ${name} select * from bound_journal limit 1`,
  ]

  it('can’t be read or changed by itself', async () => {
    const names = await partitions()
    assert.equal(names.length, 16)
    for (const name of names)
      for (const text of statements(name)) assert.equal(await tried([own, other], text), notAllowed, text)
  })

  it('exposes no row, even when rights on it were granted by mistake', async () => {
    const [{ name }] = await rowsOf(
      database.superuserUrl,
      'select tableoid::regclass::text as name from journal where realm = $1',
      [own],
    )
    await rowsOf(database.superuserUrl, `grant all on ${name} to ${serverRole}`)
    try {
      const said = []
      for (const text of statements(name)) said.push(await tried([own, other], text))
      assert.deepEqual(said, ['', '', '', notAllowed])
    } finally {
      await rowsOf(database.superuserUrl, `revoke all on ${name} from ${serverRole}`)
    }
  })
})
