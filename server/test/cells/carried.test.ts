import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { findObstacle } from '../../src/cells/move/check.ts'
import { copyLine } from '../../src/cells/move/pageStore.ts'
import { connectionOf } from '../../src/cells/move/replicationStore.ts'
import { deletedAtOnce, notCarried, ofDirectory } from '../../src/cells/move/tables.ts'
import { readCellUrls } from '../../src/config/cellUrls.ts'

/** Which tables a move carries: a rule of the schema. */
let database: TestDatabase
const sql = (text: string, values: unknown[] = []) => rowsOf(database.superuserUrl, text, values)

before(async () => {
  database = await freshDatabase()
})
after(() => database?.drop())

const scoped = `select c.oid, c.relname as name, c.relpersistence as kept from pg_class c
  join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'exchequer'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attname = 'realm' and not a.attisdropped`

/** Tables that a move carries though they can't be replicated by realm. */
async function unfit(): Promise<string[]> {
  const rows = await sql(
    `select t.name from (${scoped}) t where t.name <> all ($1) and (t.kept <> 'p' or not exists (
        select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
        where i.indrelid = t.oid and i.indisprimary and a.attname = 'realm'))`,
    [[...notCarried.keys()]],
  )
  return rows.map(({ name }) => name)
}

describe('every table with a realm', () => {
  it('is carried by a move, or is one of these, for a reason', async () => {
    const tables = new Set((await sql(scoped)).map(({ name }) => name))
    assert.deepEqual([...notCarried.keys()].sort(), [
      'arrivals',
      'changes',
      'departed',
      'heads',
      'invitations',
      'key_places',
      'moves',
      'moving',
      'rates',
      'readings',
      'realms',
      'roles',
      'session_keys',
    ])
    assert.deepEqual(
      [...notCarried.keys(), ...ofDirectory].filter((name) => !tables.has(name)),
      [],
    )
    // identities are from another migration.
    assert.deepEqual(
      deletedAtOnce.filter((name) => !tables.has(name) && name !== 'identities'),
      [],
    )
  })

  it('that is carried has the realm in its primary key: a row filter needs it', async () => {
    assert.deepEqual(await unfit(), [])
  })

  it('is caught when it does not', async () => {
    await sql('create table stray (id bigint primary key, realm integer)')
    assert.deepEqual(await unfit(), ['stray'])
    await sql('drop table stray')
    await sql('create unlogged table stray (realm integer primary key)')
    assert.deepEqual(await unfit(), ['stray'])
    await sql('drop table stray')
  })
})

const server = {
  cell: 0,
  version: 180_000,
  wal_level: 'logical',
  now_ms: 0,
  prepared: 0,
  migrations: '1 a',
  slots: 0,
  slot_limit: 10,
  is_owner: true,
  may_see_standbys: true,
  is_superuser: false,
  may_replicate: true,
  may_subscribe: true,
  aheadMs: 0,
}

describe('two cells', () => {
  const cells = { from: 0, to: 1 }
  const target = { ...server, cell: 1 }
  it('can move a realm when both are ready for it', () =>
    assert.equal(findObstacle(server, target, cells), undefined))
  it('can’t in any of these cases, each with its sentence', () => {
    const cases = [
      [{ cell: 3 }, {}, /names the database of cell 3 as cell 0/],
      [{}, { version: 140_000 }, /cell 1 is older than 15/],
      [{ is_owner: false }, {}, /cell 0 does not own the schema/],
      [{}, { may_see_standbys: false }, /cell 1 may not see standbys/],
      [{}, { migrations: '1 b' }, /different schemas/],
      [{ wal_level: 'replica' }, {}, /wal_level = replica/],
      [{ prepared: 1 }, {}, /1 prepared transactions/],
      [{ slots: 10 }, {}, /no free replication slot/],
      [{ may_replicate: false }, {}, /may not replicate/],
      [{}, { may_subscribe: false }, /grant pg_create_subscription/],
      [{}, { may_subscribe: false, version: 150_000 }, /only a superuser/],
      [{ aheadMs: 600 }, { aheadMs: -600 }, /differ by 1200 ms/],
    ] as const
    for (const [here, there, sentence] of cases)
      assert.match(findObstacle({ ...server, ...here }, { ...target, ...there }, cells) ?? '', sentence)
  })
})

describe('the connection of a subscription', () => {
  it('fails under row-level security, instead of copying nothing', () => {
    assert.equal(
      connectionOf('postgres://a:b%2Fc@host:5433/name?sslmode=require&options=-c%20geqo%3Doff'),
      'postgres://a:b%2Fc@host:5433/name?sslmode=require&options=-c%20geqo%3Doff%20-crow_security%3Doff',
    )
  })
})

describe('a copied row', () => {
  it('has every character that COPY would read otherwise escaped', () =>
    assert.equal(copyLine(['1', null, 'a\tb\\c\nd\re']), '1\t\\N\ta\\tb\\\\c\\nd\\re\n'))
})

describe('CELL_URLS', () => {
  it('names each cell once, with its URL', () => {
    const urls = readCellUrls('0=postgres://a:b,c@x/y, 12=postgresql://z/w')
    assert.deepEqual(
      [...urls],
      [
        [0, 'postgres://a:b,c@x/y'],
        [12, 'postgresql://z/w'],
      ],
    )
    assert.equal(readCellUrls(undefined).size, 0)
    for (const wrong of ['postgres://secret@x/y', '1=http://secret/', 'x=postgres://secret@x'])
      assert.throws(
        () => readCellUrls(wrong),
        (error: Error) => /entry 1/.test(error.message) && !error.message.includes('secret'),
      )
    assert.throws(() => readCellUrls('1=postgres://x/y,1=postgres://x/z'), /cell 1 twice/)
  })
})
