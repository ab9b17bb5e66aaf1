import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { rowsOf } from '../../tests/support/books.ts'
import { call } from '../../tests/support/call.ts'
import { makeFixture } from '../../tests/support/fixture.ts'
import { environment, operatorToken, runCommand, startServerProcess } from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase, testConfig } from '../../tests/support/suite.ts'
import { startApp } from '../src/app/index.ts'
import { release } from '../src/config/release.ts'
import { migrate, SchemaMismatch } from '../src/db/migrate.ts'

const known = readdirSync(new URL('../migrations/', import.meta.url)).filter((file) => /^\d{4}-/.test(file))
const folder = mkdtempSync(join(tmpdir(), 'exchequer-migrations-'))
after(() => rmSync(folder, { recursive: true }))

/** A folder with the test's own migrations. */
function folderOf(name: string, files: Record<string, string>): URL {
  const path = mkdtempSync(join(folder, name))
  for (const [file, sql] of Object.entries(files)) {
    writeFileSync(join(path, file), `-- oldest release that runs on this schema: 0.1.0\n${sql}`)
  }
  return pathToFileURL(`${path}/`)
}

async function withDatabase(from: string | undefined, work: (database: TestDatabase) => Promise<void>) {
  const database = await freshDatabase(from)
  try {
    await work(database)
  } finally {
    await database.drop()
  }
}

const empty = 'template0'
/** The owner alone: the grants of the server's role belong to the real migrations. */
const asOwner = ({ ownerUrl }: TestDatabase, from?: URL) =>
  migrate({ ownerUrl, serverUrl: ownerUrl, release, ...(from ? { from } : {}) })
const asBoth = ({ ownerUrl, serverUrl }: TestDatabase) => migrate({ ownerUrl, serverUrl, release })
const numbersIn = async (database: TestDatabase): Promise<number[]> =>
  (await rowsOf(database.superuserUrl, 'select number from migrations order by number')).map(
    (row) => row.number,
  )
const tableIn = async (database: TestDatabase, name: string): Promise<boolean> =>
  (
    await rowsOf(database.superuserUrl, 'select to_regclass($1) is not null as there', [`exchequer.${name}`])
  )[0].there

async function addFuture(database: TestDatabase, oldestRelease: string): Promise<void> {
  await rowsOf(
    database.superuserUrl,
    `insert into migrations (number, name, checksum, oldest_release) values (9001, 'future', 'abc', $1)`,
    [oldestRelease],
  )
}

describe('up to date', () => {
  it('an empty database gets every migration, and a second run finds nothing to do', () =>
    withDatabase(empty, async (database) => {
      assert.equal(await asBoth(database), known.length)
      assert.deepEqual(
        await numbersIn(database),
        known.map((file) => Number(file.slice(0, 4))),
      )
      const before = await rowsOf(database.superuserUrl, 'select * from migrations')
      assert.equal(await asBoth(database), 0)
      assert.deepEqual(await rowsOf(database.superuserUrl, 'select * from migrations'), before)
      const app = await startApp(testConfig(database))
      try {
        await makeFixture({ baseUrl: app.url, token: operatorToken })
        assert.equal((await call('GET', `${app.url}/readyz`)).status, 200)
      } finally {
        await app.close()
      }
    }))

  it('of many concurrent migrations one runs and the others wait for it', () =>
    withDatabase(empty, async (database) => {
      const from = folderOf('slow', {
        '0001-first.sql': 'create table first (id integer); select pg_sleep(0.3);',
        '0002-second.sql': 'create table second (id integer);',
      })
      const ran = await Promise.all(Array.from({ length: 5 }, () => asOwner(database, from)))
      assert.deepEqual(
        ran.sort((a, b) => a - b),
        [0, 0, 0, 0, 2],
      )
      assert.deepEqual(await numbersIn(database), [1, 2])
    }))

  it('steps run in order, each reported once, and later ones are added to what has run', () =>
    withDatabase(empty, async (database) => {
      const first = { '0001-first.sql': 'create table first (id integer);' }
      assert.equal(await asOwner(database, folderOf('a', first)), 1)
      const from = folderOf('b', {
        ...first,
        '0003-third.sql': 'alter table second add note text;',
        '0002-second.sql': 'create table second (id integer);',
        'notes.txt': 'not SQL',
      })
      const applied: number[] = []
      const { ownerUrl } = database
      const onStep = ({ number }: { number: number }) => void applied.push(number)
      assert.equal(await migrate({ ownerUrl, serverUrl: ownerUrl, release, from, onStep }), 2)
      assert.deepEqual(applied, [2, 3])
    }))
})

describe('rejected', () => {
  it('a migration that was edited after it ran is rejected, and nothing later runs', () =>
    withDatabase(empty, async (database) => {
      await asOwner(database, folderOf('was', { '0001-first.sql': 'create table first (id integer);' }))
      const edited = folderOf('edited', {
        '0001-first.sql': 'create table first (id bigint);',
        '0002-second.sql': 'create table second (id integer);',
      })
      await assert.rejects(asOwner(database, edited), (error) => {
        assert.ok(error instanceof SchemaMismatch)
        assert.match(error.message, /1 \(first\).*edited/)
        return true
      })
      assert.equal(await tableIn(database, 'second'), false)
      assert.deepEqual(await numbersIn(database), [1])
    }))

  it('a server does not start on an edited schema, and is not ready when it is edited later', () =>
    withDatabase(undefined, async (database) => {
      const app = await startApp(testConfig(database))
      try {
        await rowsOf(database.superuserUrl, `update migrations set checksum = 'x' where number = 1`)
        const ready = await call('GET', `${app.url}/readyz`)
        assert.equal(ready.status, 503)
        assert.match(ready.json.detail, /edited/)
      } finally {
        await app.close()
      }
      const { code, err } = await runCommand(['serve'], environment(database))
      assert.equal(code, 1)
      assert.match(err, /^Migration 1 \(schema\).*edited\.\n$/)
    }))

  it('a migration that fails is rolled back and keeps those before it', () =>
    withDatabase(empty, async (database) => {
      const files = {
        '0001-first.sql': 'create table first (id integer);',
        '0002-broken.sql': 'create table half (id integer); insert into half values (1); select 1 / 0;',
        '0003-third.sql': 'create table third (id integer);',
      }
      await assert.rejects(asOwner(database, folderOf('broken', files)), /division by zero/)
      assert.deepEqual(await numbersIn(database), [1])
      assert.equal(await tableIn(database, 'half'), false)
      assert.equal(await tableIn(database, 'third'), false)
      const fixed = { ...files, '0002-broken.sql': 'create table half (id integer);' }
      assert.equal(await asOwner(database, folderOf('fixed', fixed)), 2)
    }))

  it('a migration that can’t be recorded is rolled back too', () =>
    withDatabase(empty, async (database) => {
      const from = folderOf('unrecorded', {
        '0001-first.sql': 'create table half (id integer); alter table migrations add check (number > 1);',
      })
      await assert.rejects(asOwner(database, from), /check constraint/)
      assert.equal(await tableIn(database, 'half'), false)
      assert.deepEqual(await numbersIn(database), [])
    }))

  it('a file that does not say which release still runs on it is rejected before anything runs', () =>
    withDatabase(empty, async (database) => {
      const from = folderOf('silent', { '0001-first.sql': 'create table first (id integer);' })
      writeFileSync(new URL('0002-silent.sql', from), 'create table second (id integer);')
      await assert.rejects(asOwner(database, from), /oldest release/)
      assert.equal(await tableIn(database, 'first'), false)
    }))
})

describe('a newer database', () => {
  for (const oldest of ['0.0.9', release]) {
    it(`is accepted when it says that release ${oldest} still runs on it`, () =>
      withDatabase(undefined, async (database) => {
        await addFuture(database, oldest)
        assert.equal(await asBoth(database), 0)
        const server = await startServerProcess(environment(database))
        assert.equal((await call('GET', `${server.baseUrl}/readyz`)).status, 200)
        assert.equal(await server.stop(), 0)
      }))
  }

  for (const oldest of ['0.1.1', '0.10.0', '1.0.0']) {
    it(`is rejected in one sentence when it needs release ${oldest}`, () =>
      withDatabase(undefined, async (database) => {
        await addFuture(database, oldest)
        await assert.rejects(asBoth(database), SchemaMismatch)
        for (const command of ['serve', 'migrate']) {
          const { code, err } = await runCommand([command], environment(database))
          assert.equal(code, 1)
          assert.match(err, /^The database is at migration 9001, which needs release [\d.]+ or newer.*\n$/)
        }
      }))
  }

  it('makes a running server not ready when it no longer supports its release', () =>
    withDatabase(undefined, async (database) => {
      const app = await startApp(testConfig(database))
      try {
        assert.equal((await call('GET', `${app.url}/readyz`)).status, 200)
        await addFuture(database, '1.0.0')
        await new Promise((resolve) => setTimeout(resolve, 600))
        const ready = await call('GET', `${app.url}/readyz`)
        assert.equal(ready.status, 503)
        assert.match(ready.json.detail, /1\.0\.0/)
      } finally {
        await app.close()
      }
    }))
})

describe('roles', () => {
  it('one URL with one role suffices: the server migrates its own database and works', () =>
    withDatabase(empty, async ({ ownerUrl }) => {
      const env = environment({ ownerUrl: '', serverUrl: ownerUrl })
      const server = await startServerProcess(env)
      try {
        await makeFixture({ baseUrl: server.baseUrl, token: operatorToken })
        assert.equal((await call('GET', `${server.baseUrl}/readyz`)).status, 200)
      } finally {
        assert.equal(await server.stop(), 0)
      }
      const verified = await runCommand(['verify'], env)
      assert.equal(verified.code, 0, verified.out + verified.err)
    }))

  it('two servers that start at once on an empty database both work', () =>
    withDatabase(empty, async (database) => {
      const both = await Promise.allSettled([1, 2].map(() => startServerProcess(environment(database))))
      const servers = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      const ready = await Promise.all(servers.map(({ baseUrl }) => call('GET', `${baseUrl}/readyz`)))
      const codes = await Promise.all(servers.map((server) => server.stop()))
      assert.deepEqual(
        [ready.map(({ status }) => status), codes],
        [
          [200, 200],
          [0, 0],
        ],
      )
    }))

  it('a server whose role may not migrate says so in one sentence and does not touch the database', () =>
    withDatabase(empty, async (database) => {
      const env = environment({ ownerUrl: '', serverUrl: database.serverUrl })
      const { code, err } = await runCommand(['serve'], env)
      assert.equal(code, 1)
      assert.equal(err.trimEnd().split('\n').length, 1, err)
      assert.match(err, /DATABASE_OWNER_URL|migrate/)
      assert.equal(await tableIn(database, 'migrations'), false)
    }))

  it('a server whose role may not migrate says so when a migration is missing', () =>
    withDatabase(undefined, async (database) => {
      await rowsOf(database.superuserUrl, 'delete from migrations')
      const env = environment({ ownerUrl: '', serverUrl: database.serverUrl })
      const { code, err } = await runCommand(['serve'], env)
      assert.equal(code, 1)
      assert.equal(err.trimEnd().split('\n').length, 1, err)
      assert.match(err, /DATABASE_OWNER_URL|migrate/)
    }))

  it('the server’s role can neither change the journal nor the schema', () =>
    withDatabase(undefined, async ({ serverUrl }) => {
      for (const sql of [
        'update journal set amount = 1',
        'delete from journal',
        'truncate journal',
        'alter table journal disable trigger all',
        'insert into migrations values (2, $$x$$, $$x$$, $$x$$)',
        'create table exchequer.own (id integer)',
      ]) {
        await assert.rejects(rowsOf(serverUrl, sql), { code: '42501' }, sql)
      }
    }))

  it('not even the owner changes a journal row, in the journal or in one of its partitions', () =>
    withDatabase(undefined, async ({ ownerUrl, superuserUrl }) => {
      await rowsOf(
        superuserUrl,
        `insert into journal (realm, key, seq, at_us, amount, from_account, to_account, point, kind, encoding,
          hash) select g, 1, 1, 1, 1, 0, 1, 1, 1, 1, sha256('') from generate_series(1, 200) g`,
      )
      const named = 'select distinct tableoid::regclass::text as name from journal'
      const partitions = await rowsOf(superuserUrl, named)
      assert.equal(partitions.length, 16)
      for (const name of ['journal', ...partitions.map((row) => row.name)]) {
        for (const sql of [`update ${name} set amount = 2`, `delete from ${name}`, `truncate ${name}`])
          await assert.rejects(rowsOf(ownerUrl, sql), /append-only/, sql)
      }
    }))
})
