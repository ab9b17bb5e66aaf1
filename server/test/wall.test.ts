import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { rowsOf } from '../../tests/support/books.ts'
import { call } from '../../tests/support/call.ts'
import { environment, startServerProcess } from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { openDatabase } from '../src/db/database.ts'
import { bind, findRowSecurityGap } from '../src/db/rowSecurity.ts'
import { Session, setUp } from '../src/db/session.ts'
import { serverRole } from '../src/dev/prepare.ts'

/** Row-level security: PostgreSQL itself restricts the server to the realms that it has bound. */

/** The directory covers all realms; processes share the use of rate limits for all realms at once. */
const directory = ['realms', 'keys', 'roles', 'session_keys', 'invitations', 'rates', 'key_places', 'moves']
const [own, other, empty] = [1, 2, 3] as const

let database: TestDatabase
let server: pg.Client

before(async () => {
  database = await freshDatabase()
  await rowsOf(database.superuserUrl, twoRealms)
  server = new pg.Client({ connectionString: database.serverUrl })
  await server.connect()
  await setUp(server, { idle_in_transaction_session_timeout: '0' })
})
after(async () => {
  await server?.end()
  await database?.drop()
})

/** Rows of two realms in every table. */
const twoRealms = `
  insert into heads (realm, hash) select g, sha256('') from generate_series(1, 2) g;
  insert into settings (realm, realm_id, name, default_point) select g, g, g, 1 from generate_series(1, 2) g;
  insert into points (realm, number, id, name) select g, 1, 'p' || g, g from generate_series(1, 2) g;
  insert into members (realm, account, id) select g, 1, 1 from generate_series(1, 2) g;
  insert into balances select g, 1, 1, 5, 1, 1 from generate_series(1, 2) g;
  insert into journal (realm, key, seq, at_us, amount, to_balance, from_account, to_account, point, kind,
    encoding, hash) select g, 1, 1, 1, 5, 5, 0, 1, 1, 1, 1, sha256('') from generate_series(1, 2) g;
  insert into details (realm, seq, salt) select g, 1, '' from generate_series(1, 2) g;
  insert into refusals select g, gen_random_uuid(), gen_random_uuid(), 'p', 422, '', now()
    from generate_series(1, 2) g;
  insert into requests (realm, request, fingerprint, until)
    select g, gen_random_uuid(), gen_random_uuid(), now() from generate_series(1, 2) g;
  insert into wallets (realm, match, account, address, chain) select g, 'a', 1, 'a', 'x'
    from generate_series(1, 2) g;
  insert into identities (realm, provider, subject, account) select g, 'a', 'a', 1
    from generate_series(1, 2) g;
  insert into lapse_rules (realm, point, number, from_seq, base_day, time_zone)
    select g, 1, 1, 1, 1, 'UTC' from generate_series(1, 2) g;
  insert into lapse_sweeps (realm, point) select g, 1 from generate_series(1, 2) g;
  insert into holds select g, 1, 1, 1, 5, 1, null from generate_series(1, 2) g;
  insert into merges (realm, number, from_account, to_account, after_seq, entries, key, moved)
    select g, 1, 2, 1, 1, 0, 1, '{}' from generate_series(1, 2) g;
  insert into awards (realm, seq, account, point, amount) select g, 1, 1, 1, 5 from generate_series(1, 2) g;
  insert into key_days select g, 1, 1, 5 from generate_series(1, 2) g;
  insert into standings (realm, time_zone) select g, 'UTC' from generate_series(1, 2) g;
  insert into gains select g, 1, 1, 1, 1, 5, 1 from generate_series(1, 2) g;
  insert into daily select g, 1, 1, 1, 1, 1, 5 from generate_series(1, 2) g;
  insert into supply select g, 1, 1, 5, 0, 0 from generate_series(1, 2) g;
  insert into activity select g, 1, 1, 1 from generate_series(1, 2) g;
  insert into active_days select g, 1, 1, 1, 1 from generate_series(1, 2) g;
  insert into departures select g, 9 from generate_series(1, 2) g;
  insert into erasures select g, 9 from generate_series(1, 2) g;
  insert into challenges select g, repeat('a', 32), 1, 'a', 'x', now(), now() from generate_series(1, 2) g;
  insert into page_links (realm, hash, account, expires_at) select g, sha256(''), 1, now()
    from generate_series(1, 2) g;
  insert into wallet_acts (realm, account, act, address, chain, actor) select g, 1, 'linked', 'a', 'x', 'b'
    from generate_series(1, 2) g;
  insert into collections (realm, number, id, name, chain, standard) select g, 1, 'a', 'a', 'x', 'native'
    from generate_series(1, 2) g;
  insert into readings (realm, chain) select g, 'x' from generate_series(1, 2) g;
  insert into holdings select g, 'a', 1, 1 from generate_series(1, 2) g;
  insert into snapshots (realm, id, point, chain, seq, hash, members, tokens, unproved, unproved_tokens,
      frozen, frozen_tokens)
    select g, 'a', 1, 'eip155:1', 1, sha256(''), 1, 5, 0, 0, 0, 0 from generate_series(1, 2) g;
  insert into snapshot_members select g, 'a', 1, 5, false, 'a', null, 0 from generate_series(1, 2) g;
  insert into endpoint_heads select g, 1, 1 from generate_series(1, 2) g;
  insert into endpoints (realm, number, url, ordered, include_details, parallel, secret,
      state) select g, 1, 'a', false, false, 8, 'a', 'disabled' from generate_series(1, 2) g;
  insert into tracks (realm, endpoint, track, seq, from_seq) select g, 1, 'live', 1, 1
    from generate_series(1, 2) g;
  insert into parked select g, 1, 'live', 'a', 1, null, 1, now() from generate_series(1, 2) g;
  insert into deliveries select g, 1, 1, 'a', 'b', false, now(), 1, 200, 5 from generate_series(1, 2) g;
  insert into thresholds select g, 1, 1, 1, 5, 1 from generate_series(1, 2) g;
  insert into notice_heads select g, 1 from generate_series(1, 2) g;
  insert into notices select g, 1, 'a', 1, 'b', null, '{}' from generate_series(1, 2) g;
  insert into changes (realm, from_seq, to_seq) select g, 1, 1 from generate_series(1, 2) g;
  insert into verified (realm, seq, hash, slice, entry, account)
    select g, 1, sha256(''), 0, 0, 0 from generate_series(1, 2) g;
  insert into verified_shards select g, 1, 1, now() from generate_series(1, 2) g;
  insert into departed (realm, place, to_cell, seq, hash, head)
    select g, 2, 1, 1, sha256(''), '{}' from generate_series(1, 2) g;
  insert into arrivals (realm, place, from_cell, state) select g, 1, 0, 'landed' from generate_series(1, 2) g;
  insert into move_marks (realm, mark) select g, gen_random_uuid() from generate_series(1, 2) g;
  insert into moving select g, 2, 0 from generate_series(1, 2) g;
  insert into audit (realm, actor, action, subject) select g, 'a', 'b', 'c' from generate_series(1, 2) g`

/** Every table and view with a realm, from the catalogue; partitions are reached through their table only. */
async function scoped(): Promise<string[]> {
  const rows = await rowsOf(
    database.superuserUrl,
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'exchequer'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
        and not c.relispartition and a.attname = 'realm' and c.relname <> all ($1) order by 1`,
    [directory],
  )
  return rows.map((row) => row.name)
}

/** Runs a statement as the server's role, within these realms, and rolls it back. */
async function tried(realms: readonly number[], text: string, values: unknown[] = []): Promise<string> {
  await server.query('begin')
  try {
    const list = `{${realms.join()}}`
    if (realms.length > 0) await server.query(`select set_config('exchequer.realms', $1, true)`, [list])
    const { rows } = await server.query<{ realm: number }>(text, values)
    return [...new Set(rows.map((row) => row.realm))].sort((a, b) => a - b).join()
  } catch (error) {
    return String((error as { code: string }).code)
  } finally {
    await server.query('rollback')
  }
}

const notAllowed = '42501'

/** A row of a realm that has none yet, and so breaks no unique constraint. */
async function strangeRow(table: string): Promise<string> {
  const text = `select to_jsonb(t) || '{"realm": ${empty}}' as row from ${table} t where realm = $1`
  const bound = `${database.superuserUrl}?options=-c%20exchequer.realms%3D%7B${other}%7D`
  const [found] = await rowsOf(bound, text, [other])
  assert.ok(found, `the test has no row of ${table}: add it to twoRealms`)
  return JSON.stringify(found.row)
}

/** What a table exposes to statements without a where; complete row-level security leaves this empty. */
async function holes(table: string): Promise<string[]> {
  const row = await strangeRow(table)
  const forgetful = [
    `select realm from ${table}`,
    `select realm from ${table} for update`,
    `update ${table} set realm = realm returning realm`,
    `delete from ${table} returning realm`,
  ]
  const found: string[] = []
  for (const text of forgetful) {
    const bound = await tried([own], text)
    if (![String(own), notAllowed].includes(bound)) found.push(`${text}: ${bound}`)
    const unbound = await tried([], text)
    if (!['', notAllowed].includes(unbound)) found.push(`${text}, unbound: ${unbound}`)
  }
  const added = `insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`
  for (const realms of [[own], []]) {
    const said = await tried(realms, added, [row])
    if (said !== notAllowed) found.push(`${added} within {${realms.join()}}: ${said}`)
  }
  const moved = await tried([own], `update ${table} set realm = ${empty}`)
  if (moved !== notAllowed) found.push(`a row of ${table} moved away: ${moved}`)
  return found
}

describe('a statement without a where', () => {
  it('neither reads, changes, deletes nor adds a row of another realm, in any table', async () => {
    const tables = await scoped()
    assert.ok(tables.length >= 10, `only ${tables.join()} were found`)
    for (const table of tables) assert.deepEqual(await holes(table), [], table)
  })

  it('is caught by this test in a table without row-level security', async () => {
    await rowsOf(
      database.superuserUrl,
      `create table stray (realm integer primary key); insert into stray values (1), (2);
        grant all on stray to ${serverRole}`,
    )
    try {
      assert.ok((await scoped()).includes('stray'))
      assert.equal((await holes('stray')).length, 11)
    } finally {
      await rowsOf(database.superuserUrl, 'drop table stray')
    }
  })

  it('sees every realm of a batch, and reads everything it is allowed to', async () => {
    const readable = (await scoped()).filter((table) => table !== 'journal')
    for (const table of readable) assert.equal(await tried([own, other], `select realm from ${table}`), '1,2')
    assert.equal(await tried([own], 'select realm from journal'), notAllowed)
  })

  it('sees nothing after the transaction that was bound', async () => {
    await tried([own], 'select realm from heads')
    await server.query('begin')
    await server.query(`select set_config('exchequer.realms', '{1}', true)`)
    await server.query('commit')
    assert.equal(await tried([], 'select realm from heads'), '')
  })
})

describe('entries that are copied into the journal', () => {
  const line = (realm: number) =>
    `${realm}\t1\t2\t1\t5\t\\N\t5\t0\t1\t1\t1\t1\t\\\\x${'00'.repeat(32)}\t\\N\t\\N\t\\N\t\\N\t\\N\n`
  const copy = { name: 'copy', text: 'copy journal from stdin' }

  async function copied(url: string, realms: readonly number[], lines: string): Promise<number> {
    const session = await Session.open(url, {})
    try {
      await session.query({ name: 'begin', text: 'begin' })
      if (realms.length > 0) await bind(session, realms)
      return (await session.copy(copy, lines)).count
    } finally {
      session.destroy()
    }
  }

  it('are rejected when one is of a realm that is not bound', async () => {
    const refused = { code: notAllowed, message: 'an entry of a realm that is not bound' }
    await assert.rejects(copied(database.serverUrl, [own], line(own) + line(other)), refused)
    await assert.rejects(copied(database.serverUrl, [], line(own)), refused)
    assert.equal(await copied(database.serverUrl, [own, other], line(own) + line(other)), 2)
  })

  it('are checked against what is bound at that time, also when prepared before', async () => {
    const text = `insert into journal (realm, key, seq, at_us, amount, to_balance, from_account, to_account,
      point, kind, encoding, hash) values ($1, 1, $2, 1, 5, 5, 0, 1, 1, 1, 1, sha256(''))`
    const session = await Session.open(database.serverUrl, {})
    const insert = (realm: number, seq: number) =>
      session.query({ name: 'insert_entry', text }, [realm, seq]).then(
        () => 'inserted',
        (error: unknown) => (error as { code: string }).code,
      )
    try {
      await session.query({ name: 'begin', text: 'begin' })
      await bind(session, [own])
      assert.equal(await insert(own, 8), 'inserted')
      await bind(session, [other])
      assert.equal(await insert(other, 8), 'inserted')
      assert.equal(await insert(own, 9), notAllowed)
    } finally {
      session.destroy()
    }
  })

  it('pass when the owner restores them', async () => {
    assert.equal(await copied(database.ownerUrl, [], line(own) + line(other)), 2)
  })
})

describe('a single statement', () => {
  it('is bound in one round trip, on the pool and on a session, and leaves nothing bound', async () => {
    const db = openDatabase(database.serverUrl)
    const session = await db.open({})
    const heads = { name: 'heads', text: 'select realm from heads order by realm' }
    try {
      for (const walled of [db, session]) {
        for (const realms of [[own], [other], [own, other], []]) {
          const { rows, count, command } = await walled.within(realms).query<{ realm: number }>(heads)
          assert.deepEqual([rows.map((row) => row.realm), count, command], [realms, realms.length, 'SELECT'])
          assert.equal((await walled.query(heads)).count, 0)
        }
        const failing = { name: 'failing', text: 'select 1 / (realm - 1) from heads' }
        await assert.rejects(walled.within([own]).query(failing), { code: '22012' })
        assert.equal((await walled.within([other]).query(failing)).count, 1)
        const wrong = { name: 'wrong', text: 'select nothing from nowhere' }
        for (const _ of [1, 2]) await assert.rejects(walled.within([own]).query(wrong), { code: '42P01' })
        assert.equal((await walled.query(heads)).count, 0)
      }
    } finally {
      await session.close()
      await db.close()
    }
  })
})

describe('a server whose role owns the tables', () => {
  const warnings = (said: readonly string[]) => said.filter((line) => /"level":40/.test(line))

  it('logs at startup that row-level security is not effective, and works', async () => {
    const env = environment({ ownerUrl: '', serverUrl: database.ownerUrl })
    const process = await startServerProcess(env)
    try {
      assert.equal((await call('GET', `${process.baseUrl}/readyz`)).status, 200)
      assert.match(warnings(process.said).join(), /owns the tables.*heads/)
    } finally {
      await process.stop()
    }
  })

  it('is the only one that logs it', async () => {
    const process = await startServerProcess(environment(database))
    await process.stop()
    assert.deepEqual(warnings(process.said), [])
    const db = openDatabase(database.superuserUrl)
    assert.match((await findRowSecurityGap(db)) ?? '', /bypasses row-level security/)
    await db.close()
  })
})
