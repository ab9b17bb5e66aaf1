import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { rowsOf } from '../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { type Statement, setUp } from '../src/db/session.ts'
import { statements as importing } from '../src/files/imports/store.ts'
import { statements as promising } from '../src/ledger/journal/awardStore.ts'
import { statements as erasing } from '../src/ledger/journal/erasureStore.ts'
import { statements as telling } from '../src/ledger/journal/historyStore.ts'
import { statements as holding } from '../src/ledger/journal/holdStore.ts'
import { statements as replaying } from '../src/ledger/journal/segmentStore.ts'
import { statements as listing } from '../src/members/listStore.ts'
import { statements as parts } from '../src/members/partStore.ts'

/** Statements whose cost must not grow with the realm, planned as the server's role on many rows. */
let database: TestDatabase
let server: pg.Client

const manyRows = `
  insert into members (realm, account, id, username, display_name)
    select 1, g, g, 'name' || g, 'Name ' || g from generate_series(1, 20000) g;
  insert into wallets (realm, match, account, address, chain)
    select 1, '0x' || md5(g::text), g, g, 'eip155' from generate_series(1, 20000) g;
  insert into heads (realm, next_account, hash) values (1, 20001, sha256(''));
  insert into journal (realm, key, seq, at_us, amount, to_balance, from_account, to_account, point, kind,
    encoding, hash) select 1, 1, g, g, 5, 5, 0, 1 + g % 1000, 1, 1, 1, sha256('')
    from generate_series(1, 20000) g;
  insert into details (realm, seq, salt, actor_id) select 1, g, '', 1 + g % 1000
    from generate_series(1, 20000) g;
  insert into holds (realm, seq, account, point, amount, expires_us, ended_seq)
    select 1, g, 1 + g % 1000, 1, 1, 1, case when g % 4 > 0 then g end from generate_series(1, 20000) g;
  insert into awards (realm, seq, account, point, amount, grant_us, ended_seq)
    select 1, g, 1 + g % 1000, 1, 1, 1, case when g % 4 > 0 then g end from generate_series(1, 20000) g;
  analyze`

before(async () => {
  database = await freshDatabase()
  await rowsOf(database.superuserUrl, manyRows)
  server = new pg.Client({ connectionString: database.serverUrl })
  await server.connect()
  await setUp(server)
})
after(async () => {
  await server?.end()
  await database?.drop()
})

/** The indexes that a statement uses, and their conditions. */
async function lookedInto({ text }: Statement, values: string): Promise<string> {
  await server.query(`prepare checked as ${text}`)
  try {
    const { rows } = await server.query(`explain (costs off) execute checked (${values})`)
    const lines = rows.map((row) => String(row['QUERY PLAN']))
    assert.ok(!lines.some((line) => line.includes('Seq Scan')), lines.join('\n'))
    return lines.filter((line) => /Scan (Backward )?using|Index Scan on|Index Cond/.test(line)).join('\n')
  } finally {
    await server.query('deallocate checked')
  }
}

describe('using an index only', () => {
  it('names are found by prefix, under row-level security', async () => {
    const plan = await lookedInto(listing.searchMembers, `1, 'name12', null, 0, 101`)
    for (const [index, column] of [
      ['members_username', 'username'],
      ['members_display_name', 'display_name'],
    ]) {
      assert.match(plan, new RegExp(`using ${index} `))
      assert.match(plan, new RegExp(`Index Cond: .*realm = .*lower\\(${column}\\)\\)::text <`))
    }
  })

  it('a part of a name is found by its pieces, in the ranges that it reads alone', async () => {
    // Only a superuser may load what shows the plans of statements within functions.
    const client = new pg.Client({ connectionString: database.superuserUrl })
    await client.connect()
    const plans: string[] = []
    client.on('notice', ({ message }) => plans.push(message ?? ''))
    await setUp(client)
    await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0;
      set auto_explain.log_nested_statements = on; set auto_explain.log_level = notice;
      set client_min_messages = notice; set exchequer.realms = '{1}';
      set role ${client.escapeIdentifier(new URL(database.serverUrl).username)}`)
    const { rows } = await client.query(parts.withName.text, [1, 'ame 12345', 0, 50])
    await client.end()
    assert.deepEqual(rows, [{ id: '12345', account: 12345 }])
    const reading = plans.filter((plan) => plan.includes('name_pieces('))
    assert.equal(reading.length, 3, 'ranges of accounts')
    for (const plan of reading) {
      assert.match(plan, /Bitmap Index Scan on members_pieces .*\n\s*Index Cond: \(pieces\(realm, /)
      assert.doesNotMatch(plan, /Seq Scan|members_pkey|members_id_unique/)
    }
  })

  it('ids are found by ranges and by a bounded scan, wallets by their start', async () => {
    const ranges = await lookedInto(parts.inRanges, `1, array[12, 120], array[12, 129], 101`)
    assert.match(ranges, /members_id_unique .*\n.*Index Cond: .*realm = .*id >= .*id <= /)
    const digits = await lookedInto(parts.withDigits, `1, 500, '77', 50000`)
    assert.match(digits, /Index Only Scan using members_id_unique .*\n.*Index Cond: .*realm = .*id > /)
    const wallets = await lookedInto(parts.inWallets, `1, '', '0x12', 1000, ''`)
    assert.match(wallets, /using wallets_start .*\n.*Index Cond: .*realm = .*match\)::text >= .*::text < /)
  })

  it('entries of a member are found, in every role of the member', async () => {
    const plan = await lookedInto(erasing.eraseDetails, '1, 7, 0, 5000')
    for (const index of [
      'journal_\\d\\d_from',
      'journal_\\d\\d_to',
      'journal_\\d\\d_from_held',
      'details_pkey',
    ])
      assert.match(plan, new RegExp(`(using|on) ${index} `), index)
    assert.match(await lookedInto(erasing.eraseActed, '1, 7, 5000'), /(using|on) details_actor /)
  })

  it('a page of open holds is read from where it begins', async () => {
    const holds = await lookedInto(holding.listOfRealm, '1, 10000, 51')
    assert.match(holds, /using holds_open_of_realm .*\n.*Index Cond: .*seq < /)
  })

  it('a page of pending awards is read from where it begins, and those that are due by time', async () => {
    const awards = await lookedInto(promising.listOfRealm, '1, 10000, 51')
    assert.match(awards, /using awards_pending_of_realm .*\n.*Index Cond: .*seq < /)
    const page = await lookedInto(telling.readPage, '1, array[7], 0, 20001, 51, true, true, null, 51')
    assert.match(page, /awards_of_member .*\n.*Index Cond: .*account = .*seq > /)
    assert.match(page, /from_held .*\n.*Index Cond: .*from_account = \('?-1073741824/)
    const before = await lookedInto(replaying.readPendingBefore, `1, array[-1073741831], array[1], 15000`)
    assert.match(before, /awards_of_member .*\n.*Index Cond: .*account = .*seq <= /)
  })

  it('members’ amounts are found by their balances, and by their own entries', async () => {
    const plan = await lookedInto(importing.readHad, `array[1, 1], array[7, 8], array[1, 1]`)
    for (const index of ['balances_pkey', 'journal_\\d\\d_to', 'journal_\\d\\d_reversed_once'])
      assert.match(plan, new RegExp(`(using|on) ${index} `), index)
    assert.match(plan, /journal_\d\d_to.*\n.*Index Cond: .*to_account = /)
  })

  it('what entries before a range left is found by the entries of each account', async () => {
    const own = await lookedInto(replaying.readBefore, `1, array[7, 8], array[1, 1], 15000`)
    for (const [index, column] of [
      ['journal_\\d\\d_from', 'from_account'],
      ['journal_\\d\\d_to', 'to_account'],
    ])
      assert.match(own, new RegExp(`${index} .*\\n.*Index Cond: .*${column} = .*seq <= `))
    const held = await lookedInto(replaying.readHeldBefore, `1, array[-7, -8], array[1, 1], 15000`)
    for (const index of ['journal_\\d\\d_from', 'journal_\\d\\d_from_held'])
      assert.match(held, new RegExp(`${index} .*\\n.*Index Cond: .*from_account = .*seq <= `))
    const reversed = await lookedInto(replaying.readReversed, `1, array[7, 8], 15000`)
    assert.match(reversed, /journal_\d\d_reversed_once .*\n.*Index Cond: .*link = /)
  })
})
