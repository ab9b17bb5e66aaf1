import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase, testConfig } from '../../../tests/support/suite.ts'
import { startApp } from '../../src/app/index.ts'
import { AuditRetention } from '../../src/audit/index.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'

/** Audit rows are deleted when they are older than the retention period, by one process at a time. */
let database: TestDatabase
before(async () => {
  database = await freshDatabase()
})
after(async () => {
  await database?.drop()
})
beforeEach(async () => {
  // Deletes rows of the test before, as the owner.
  await rowsOf(database.superuserUrl, 'alter table audit disable trigger user')
  await rowsOf(database.superuserUrl, 'delete from audit')
  await rowsOf(database.superuserUrl, 'alter table audit enable trigger user')
})

/** Inserts audit rows of that age, spread over a hundred realms. */
const plant = (days: number, count: number) =>
  rowsOf(
    database.superuserUrl,
    `insert into audit (realm, at, actor, action, subject)
      select g % 100, now() - make_interval(days => $1), 'a', 'b', $1::text
      from generate_series(1, $2::integer) g`,
    [days, count],
  )

/** Counts audit rows by age. */
async function left(): Promise<Record<string, number>> {
  const rows = await rowsOf(
    database.superuserUrl,
    `select subject, count(*)::integer as count from audit where action = 'b' group by 1`,
  )
  return Object.fromEntries(rows.map((row) => [row.subject, row.count]))
}

async function leftOnceIs(expected: Record<string, number>): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    if (JSON.stringify(await left()) === JSON.stringify(expected)) return
    await sleep(100)
  }
  assert.deepEqual(await left(), expected)
}

const start = async (extra: Record<string, string> = {}) => startApp(testConfig(database, extra))

describe('the audit log of a server', () => {
  it('is kept for 400 days by default', async () => {
    await plant(401, 1_700)
    await plant(399, 3)
    const app = await start()
    try {
      await leftOnceIs({ 399: 3 })
    } finally {
      await app.close()
    }
  })

  it('is kept as long as AUDIT_DAYS says, and forever with 0', async () => {
    await plant(401, 3)
    await plant(99, 3)
    await plant(101, 3)
    const keeping = await start({ AUDIT_DAYS: '0' })
    await sleep(2_000)
    await keeping.close()
    assert.deepEqual(await left(), { 101: 3, 401: 3, 99: 3 })
    const app = await start({ AUDIT_DAYS: '100' })
    try {
      await leftOnceIs({ 99: 3 })
    } finally {
      await app.close()
    }
  })

  it('can’t be set to less than 90 days', () => {
    for (const days of ['1', '89', '-1', '1.5', 'a'])
      assert.throws(() => testConfig(database, { AUDIT_DAYS: days }), /AUDIT_DAYS is/)
  })
})

describe('two processes', () => {
  const open: Database[] = []
  after(async () => {
    for (const db of open) await db.close()
  })

  /** A process that counts its deletions. */
  function process() {
    const db = openDatabase(database.serverUrl, { strict: false })
    open.push(db)
    const did = { trimmed: 0, faults: [] as unknown[] }
    const retention = new AuditRetention({
      db,
      keepDays: 400,
      onTrimmed: (count) => {
        did.trimmed += count
      },
      onFault: (error) => did.faults.push(error),
    })
    return { did, retention }
  }

  it('let one of them delete, in transactions of at most 500 rows', async () => {
    await plant(500, 2_300)
    await rowsOf(
      database.superuserUrl,
      `create table pieces (rows integer);
      create function count_piece() returns trigger language plpgsql security definer as $$
        begin insert into exchequer.pieces select count(*) from gone; return null; end $$;
      create trigger count_piece after delete on audit referencing old table as gone
        for each statement execute function count_piece()`,
    )
    const both = [process(), process()]
    await leftOnceIs({})
    await sleep(300)
    await Promise.all(both.map(({ retention }) => retention.close()))
    await rowsOf(database.superuserUrl, 'drop trigger count_piece on audit')
    assert.deepEqual(
      both.flatMap(({ did }) => did.faults),
      [],
    )
    assert.deepEqual(
      both.map(({ did }) => did.trimmed).toSorted((a, b) => a - b),
      [0, 2_300],
    )
    const pieces = await rowsOf(database.superuserUrl, 'select rows from pieces where rows > 0')
    assert.deepEqual(
      pieces.map((row) => row.rows),
      [500, 500, 500, 500, 300],
    )
  })

  it('never both delete: a process without the lease deletes nothing', async () => {
    await plant(500, 3)
    const lease = (until: string) =>
      rowsOf(
        database.superuserUrl,
        `update leases set holder = gen_random_uuid(), until = ${until} where name = 'audit'`,
      )
    await lease(`now() + interval '1 hour'`)
    const waiting = process()
    await sleep(2_000)
    await waiting.retention.close()
    assert.deepEqual([await left(), waiting.did], [{ 500: 3 }, { trimmed: 0, faults: [] }])
    await lease('now()')
    const next = process()
    await leftOnceIs({})
    await next.retention.close()
    assert.equal(next.did.trimmed, 3)
  })
})

describe('rows of the last 90 days', () => {
  it('can’t be deleted by the server’s role, whatever the statement', async () => {
    await plant(80, 3)
    await assert.rejects(rowsOf(database.serverUrl, 'select trim_audit(89, 10)'), /90 days or more/)
    await rowsOf(database.serverUrl, 'select trim_audit(90, 10)')
    for (const url of [database.serverUrl, database.superuserUrl]) {
      const forced = `set exchequer.trims_audit = 'on'; delete from audit`
      await assert.rejects(rowsOf(url, forced), /append-only|permission denied/)
    }
    assert.deepEqual(await left(), { 80: 3 })
  })

  it('are not scanned: the index on age is used', async () => {
    const text = `explain (costs off) select ctid from audit
      where at < now() - make_interval(days => 400) order by at limit 500`
    const bySearch = `${database.superuserUrl}?options=-c%20enable_seqscan%3Doff`
    const plan = await rowsOf(bySearch, text)
    assert.match(JSON.stringify(plan), /audit_by_age/)
  })
})
