import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { rowsOf } from '../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { release } from '../src/config/release.ts'
import { migrate } from '../src/db/migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'exchequer-online-'))
after(() => rmSync(folder, { recursive: true }))

const tables = `create table plain (realm integer, at bigint);
  insert into plain select g, g from generate_series(1, 1000) g;
  create table parted (realm integer, at bigint) partition by hash (realm);
  create table parted_0 partition of parted for values with (modulus 3, remainder 0);
  create table parted_1 partition of parted for values with (modulus 3, remainder 1);
  create table parted_2 partition of parted for values with (modulus 3, remainder 2);
  insert into parted select g, g from generate_series(1, 1000) g;`

function folderOf(online: string): URL {
  const path = mkdtempSync(join(folder, 'a'))
  const head = '-- oldest release that runs on this schema: 0.1.0\n'
  writeFileSync(join(path, '0001-tables.sql'), head + tables)
  writeFileSync(join(path, '0002-index.online.sql'), head + online)
  return pathToFileURL(`${path}/`)
}

async function withDatabase(work: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await freshDatabase('template0')
  try {
    await work(database)
  } finally {
    await database.drop()
  }
}

async function run({ ownerUrl }: TestDatabase, from: URL): Promise<{ ran: number; lines: string[] }> {
  const lines: string[] = []
  const onProgress = (line: string) => void lines.push(line)
  const ran = await migrate({ ownerUrl, serverUrl: ownerUrl, release, from, onProgress })
  return { ran, lines }
}

const indexesOf = ({ superuserUrl }: TestDatabase, name = '%') =>
  rowsOf(
    superuserUrl,
    `select c.relname as name, c.oid::integer, i.indisvalid as valid, p.relname as part_of
      from pg_index i join pg_class c on c.oid = i.indexrelid
      left join pg_inherits h on h.inhrelid = c.oid left join pg_class p on p.oid = h.inhparent
      where c.relnamespace = 'exchequer'::regnamespace and c.relname <> 'migrations_pkey'
        and c.relname like $1 order by 1`,
    [name],
  )

const both = `-- Two indexes.
create index concurrently plain_at on plain (realm, at) where at > 5;

create index concurrently parted_at
  on parted (realm, at);
analyze parted;
`
const bothIndexes = [
  { name: 'parted_0_at', valid: true, part_of: 'parted_at' },
  { name: 'parted_1_at', valid: true, part_of: 'parted_at' },
  { name: 'parted_2_at', valid: true, part_of: 'parted_at' },
  { name: 'parted_at', valid: true, part_of: null },
  { name: 'plain_at', valid: true, part_of: null },
]
const namesOf = (rows: Awaited<ReturnType<typeof indexesOf>>) =>
  rows.map(({ name, valid, part_of }) => ({ name, valid, part_of }))

/** A connection with an open snapshot, which every concurrent build waits for. */
async function openSnapshot(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  client.on('error', () => {})
  await client.query('begin isolation level repeatable read; select 1')
  return client
}

async function untilBuilding({ superuserUrl }: TestDatabase): Promise<number> {
  for (let left = 200; left > 0; left--) {
    const rows = await rowsOf(
      superuserUrl,
      `select pid from pg_stat_activity where query like 'create index concurrently%' and state = 'active'
        and wait_event_type = 'Lock' and datname = current_database()`,
    )
    if (rows[0]) return rows[0].pid
    await sleep(50)
  }
  return assert.fail('no index is being built')
}

describe('an online migration', () => {
  it('builds an index of a table, and of each partition and the whole, and reports each step', () =>
    withDatabase(async (database) => {
      const from = folderOf(both)
      const { ran, lines } = await run(database, from)
      assert.equal(ran, 2)
      assert.deepEqual(namesOf(await indexesOf(database)), bothIndexes)
      assert.ok(lines.includes('parted_at: partition 2 of 3'), lines.join('\n'))
      assert.match(
        lines.join('\n'),
        /create index concurrently parted_1_at on parted_1 \(realm, at\): \d+\.\d s/,
      )
      const recorded = await rowsOf(database.superuserUrl, 'select number, name from migrations order by 1')
      assert.deepEqual(recorded, [
        { number: 1, name: 'tables' },
        { number: 2, name: 'index' },
      ])
      assert.equal((await run(database, from)).ran, 0)
    }))

  it('that was interrupted is continued: what is complete stays, an invalid index is built again', () =>
    withDatabase(async (database) => {
      const from = folderOf(both)
      const snapshot = await openSnapshot(database.superuserUrl)
      const first = run(database, from)
      first.catch(() => {})
      await untilBuilding(database)
      await snapshot.query('commit')
      // The second index of all: its build is cut off too.
      await snapshot.query('begin isolation level repeatable read; select 1')
      await sleep(300)
      const pid = await untilBuilding(database)
      await rowsOf(database.superuserUrl, 'select pg_terminate_backend($1)', [pid])
      await assert.rejects(first)
      await snapshot.end()
      const left = await indexesOf(database)
      assert.ok(
        left.some(({ valid, name }) => !valid && name !== 'parted_at'),
        JSON.stringify(left),
      )
      const complete = left.filter(({ valid }) => valid)
      const { ran, lines } = await run(database, from)
      assert.equal(ran, 1)
      const after = await indexesOf(database)
      assert.deepEqual(namesOf(after), bothIndexes)
      for (const one of complete) {
        assert.ok(lines.includes(`${one.name} exists`), `${one.name}: ${lines.join('\n')}`)
        assert.equal(after.find(({ name }) => name === one.name)?.oid, one.oid)
      }
      assert.match(lines.join('\n'), /^drop index concurrently \w+_at …$/m)
    }))

  it('whose unique index finds duplicates fails, and succeeds when they are gone', () =>
    withDatabase(async (database) => {
      const from = folderOf('create unique index concurrently parted_once on parted (realm, at);')
      const double = 'insert into parted values (7, 7)'
      await migrate({
        ownerUrl: database.ownerUrl,
        serverUrl: database.ownerUrl,
        release,
        from: folderOf('analyze plain;'),
      })
      await rowsOf(database.superuserUrl, `${double}; delete from migrations where number = 2`)
      await assert.rejects(run(database, from), /could not create unique index "parted_\d_once"/)
      await rowsOf(
        database.superuserUrl,
        'delete from parted where ctid = (select max(ctid) from parted where realm = 7) and realm = 7',
      )
      assert.equal((await run(database, from)).ran, 1)
      const indexes = await indexesOf(database)
      assert.equal(indexes.length, 4)
      assert.ok(indexes.every(({ valid }) => valid))
    }))

  it('does not take an index of the same name for its own', () =>
    withDatabase(async (database) => {
      const other = folderOf('create index concurrently plain_at on plain (at);')
      await run(database, other)
      await rowsOf(database.superuserUrl, 'delete from migrations where number = 2')
      await assert.rejects(run(database, folderOf(both)), /plain_at exists with another definition/)
    }))

  it('can be awaited by other processes that migrate: none stops the build', () =>
    withDatabase(async (database) => {
      const from = folderOf(both)
      const snapshot = await openSnapshot(database.superuserUrl)
      const all = Array.from({ length: 3 }, () => run(database, from))
      await untilBuilding(database)
      // Longer than deadlock_timeout.
      await sleep(1_500)
      await snapshot.end()
      const ran = (await Promise.all(all)).map((one) => one.ran)
      assert.deepEqual(
        ran.sort((a, b) => a - b),
        [0, 0, 2],
      )
      assert.deepEqual(namesOf(await indexesOf(database)), bothIndexes)
    }))

  for (const [what, sql] of [
    ['that can’t be run again', 'insert into plain values (1, 1);'],
    ['that stops writes', 'create index plain_at on plain (realm, at);'],
    ['with a comment in its line', 'analyze plain -- quickly\n;'],
  ] as const) {
    it(`with a statement ${what} is rejected before anything runs`, () =>
      withDatabase(async (database) => {
        await assert.rejects(run(database, folderOf(`analyze plain;\n${sql}`)), /0002-index\.online\.sql: /)
        const made = await rowsOf(database.superuserUrl, `select to_regclass('exchequer.plain') as made`)
        assert.deepEqual(made, [{ made: null }])
      }))
  }
})

it('two files with one number are rejected before anything runs', () =>
  withDatabase(async (database) => {
    const from = folderOf('analyze plain;')
    writeFileSync(new URL('0002-other.sql', from), '-- oldest release that runs on this schema: 0.1.0\n')
    await assert.rejects(run(database, from), /Two migrations have the number of 0002-index/)
  }))
