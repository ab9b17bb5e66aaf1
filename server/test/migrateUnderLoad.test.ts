import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { rowsOf } from '../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { release } from '../src/config/release.ts'
import { migrate } from '../src/db/migrate.ts'

let database: TestDatabase
const folder = mkdtempSync(join(tmpdir(), 'exchequer-migrations-'))
before(async () => {
  database = await freshDatabase('template0')
})
after(async () => {
  rmSync(folder, { recursive: true })
  await database?.drop()
})

function migrateTo(file: string, sql: string): Promise<number> {
  writeFileSync(join(folder, file), `-- oldest release that runs on this schema: 0.1.0\n${sql}`)
  const { ownerUrl } = database
  return migrate({ ownerUrl, serverUrl: ownerUrl, release, from: pathToFileURL(`${folder}/`) })
}

it('a locked table is waited for, without blocking other statements for long', async () => {
  await migrateTo('0001-table.sql', 'create table held (realm integer);')
  const holder = new pg.Client({ connectionString: database.superuserUrl })
  await holder.connect()
  await holder.query('begin; lock table exchequer.held in access share mode')
  const migrated = migrateTo('0002-column.sql', 'alter table held add column later integer;')
  await sleep(200)
  let slowestMs = 0
  for (const endMs = Date.now() + 2_000; Date.now() < endMs; ) {
    const startMs = Date.now()
    await rowsOf(database.superuserUrl, 'select from held')
    slowestMs = Math.max(slowestMs, Date.now() - startMs)
  }
  assert.ok(slowestMs < 900, `a reader waited for ${slowestMs} ms`)
  const ran = await rowsOf(database.superuserUrl, 'select number from migrations')
  assert.deepEqual(ran, [{ number: 1 }])
  await holder.end()
  assert.equal(await migrated, 1)
})
