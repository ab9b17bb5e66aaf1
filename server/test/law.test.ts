import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { type Statement, setUp } from '../src/db/session.ts'

/** The rule of the schema: the realm leads every table, every unique constraint and every statement. */

/** Found before any realm is known; exempt by name. */
const directory = new Set([
  'realms',
  'keys',
  'key_secrets',
  'operator_tokens',
  'people',
  'roles',
  'sessions',
  'session_keys',
  'invitations',
  'migrations',
  'leases',
  'cells',
  'key_places',
  'this_cell',
])
/**
 * Read across realms by transaction, by functions of the owner: its one index leads with the transaction, as
 * a second one would be written with every row. docs/decisions/0035-the-operator-feed.md
 */
const acrossRealms = new Set(['changes'])
const sources = globSync(fileURLToPath(new URL('../src/**/*.ts', import.meta.url)))

let database: TestDatabase
let client: pg.Client
/** Plans are those of the server's role: for others, row-level security does not apply. */
let server: pg.Client

before(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  await setUp(client)
  server = new pg.Client({ connectionString: database.serverUrl })
  await server.connect()
  await setUp(server)
  // Planned for a null realm, an entry is in no partition: all of them are to be seen.
  for (const one of [client, server]) await one.query('set enable_partition_pruning = off')
})
after(async () => {
  await client.end()
  await server.end()
  await database.drop()
})

type Unique = {
  readonly table: string
  readonly index: string
  readonly first: string
  readonly primary: boolean
}

async function uniques(): Promise<Unique[]> {
  const { rows } =
    await client.query<Unique>(`select t.relname as table, c.relname as index, a.attname as first,
      i.indisprimary as primary from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_class t on t.oid = i.indrelid join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where i.indisunique and t.relnamespace = 'exchequer'::regnamespace`)
  return rows
}

async function lawlessTables(): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relkind in ('r', 'p') and relnamespace = 'exchequer'::regnamespace`,
  )
  const led = (await uniques()).filter((unique) => unique.first === 'realm')
  const scoped = tables.map((table) => table.name).filter((name) => !directory.has(name))
  const owned = scoped.filter((name) => !acrossRealms.has(name))
  return owned.filter((name) => !led.some((unique) => unique.primary && unique.table === name))
}

async function lawlessUniques(): Promise<string[]> {
  const all = (await uniques()).filter((unique) => !directory.has(unique.table))
  return all.filter((unique) => unique.first !== 'realm').map((unique) => unique.index)
}

type Plan = { readonly Plans?: readonly Plan[]; readonly [key: string]: unknown }

/** The table that a node reads; for a partition, the table that it is a part of. */
function tableOf({ 'Relation Name': table }: Plan): string {
  return typeof table === 'string' ? table.replace(/^journal_\d\d$/, 'journal') : ''
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)]
}

async function planOf(statement: Statement): Promise<Plan[]> {
  const planner = (await ownerStatements()).has(statement.name) ? client : server
  await planner.query(`prepare checked as ${statement.text}`)
  try {
    const { rows } = await planner.query<{ count: number }>(
      `select cardinality(parameter_types) as count from pg_prepared_statements where name = 'checked'`,
    )
    const nulls = Array.from({ length: rows[0]?.count ?? 0 }, () => 'null').join(', ')
    const explain = `explain (verbose, costs off, format json) execute checked${nulls ? `(${nulls})` : ''}`
    const { rows: explained } = await planner.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(explain)
    const plan = explained[0]?.['QUERY PLAN'][0]?.Plan
    assert.ok(plan)
    return nodes(plan)
  } finally {
    await planner.query('deallocate checked')
  }
}

const conditions = [
  'TID Cond',
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Join Filter',
  'Hash Cond',
  'Merge Cond',
]

/** Tables that the statement reads or changes without a realm condition. */
async function lawlessReads(statement: Statement): Promise<string[]> {
  const plan = await planOf(statement)
  const said = plan.flatMap((node) => conditions.map((name) => JSON.stringify(node[name] ?? ''))).join(' ')
  return plan.flatMap((node) => {
    const table = tableOf(node)
    if (table === '' || directory.has(table) || node['Operation'] === 'Insert') return []
    const alias = String(node['Alias'])
    return new RegExp(`\\b${alias}\\.realm (=|IS DISTINCT FROM) |= ${alias}\\.realm\\b`).test(said)
      ? []
      : [`${statement.name}: ${alias}`]
  })
}

/** A few rows in each table: when all plans cost the same, the planner's choice is arbitrary. */
const smallTables = `
  insert into heads (realm, hash) select g, sha256('') from generate_series(1, 3) g;
  insert into settings (realm, realm_id, name, default_point) select g, g, g, 1 from generate_series(1, 3) g;
  insert into points (realm, number, id, name) select g, 1, 'p' || g, g from generate_series(1, 3) g;
  insert into members (realm, account, id) select 1, g, g from generate_series(1, 9) g;
  insert into balances select 1, g, 1, 5, g, g from generate_series(1, 9) g;
  insert into journal (realm, key, seq, at_us, amount, to_balance, from_account, to_account, point, kind,
    encoding, hash, request, fingerprint)
    select 1, 1, g, g, 5, 5, 0, g, 1, 1, 1, sha256(''), gen_random_uuid(), gen_random_uuid()
    from generate_series(1, 9) g;
  insert into lapse_rules (realm, point, number, from_seq, base_day, time_zone)
    select 1, g, 1, 1, 1, 'UTC' from generate_series(1, 9) g;
  insert into lapse_sweeps (realm, point) select 1, g from generate_series(1, 9) g;
  insert into identities (realm, provider, subject, account) select 1, 'a', g, g from generate_series(1, 9) g;
  insert into details (realm, seq, salt) select 1, g, '' from generate_series(1, 9) g;
  insert into refusals select 1, gen_random_uuid(), gen_random_uuid(), 'p1', 422, '', now()
    from generate_series(1, 9) g;
  insert into wallets (realm, match, account, address, chain)
    select 1, g, g, g, 'x' from generate_series(1, 9) g;
  insert into holds select 1, g, g, 1, 5, g, null from generate_series(1, 9) g;
  insert into awards (realm, seq, account, point, amount) select 1, g, g, 1, 5 from generate_series(1, 9) g;
  insert into standings (realm, seq, time_zone) select g, 9, 'UTC' from generate_series(1, 3) g;
  insert into gains select 1, 1, 1, 1, g, 5, g from generate_series(1, 9) g;
  insert into daily select 1, 1, g, 1, 1, 5, g from generate_series(1, 9) g;
  insert into supply select 1, 1, g, 5, 5, g from generate_series(1, 9) g;
  insert into activity select 1, 1, g, 5 from generate_series(1, 9) g;
  insert into active_days select 1, 1, g, 5, 5 from generate_series(1, 9) g;
  insert into departures select 1, g from generate_series(1, 9) g;
  insert into challenges select 1, repeat(g::text, 32), g, g, 'x', now(), now() from generate_series(1, 9) g;
  insert into page_links (realm, hash, account, expires_at)
    select 1, sha256(g::text::bytea), g, now() from generate_series(1, 9) g;
  insert into wallet_acts (realm, account, act, address, chain, actor)
    select 1, g, 'linked', 'a', 'x', 'b' from generate_series(1, 9) g;
  insert into collections (realm, number, id, name, chain, standard)
    select 1, g, g, g, 'x', 'native' from generate_series(1, 9) g;
  insert into readings (realm, chain) select 1, g from generate_series(1, 9) g;
  insert into holdings select 1, g, 1, g from generate_series(1, 9) g;
  insert into endpoint_heads select g, 9, 9 from generate_series(1, 3) g;
  insert into endpoints (realm, number, url, ordered, include_details, parallel, secret)
    select 1, g, 'a', false, false, 8, 'a' from generate_series(1, 9) g;
  insert into tracks (realm, endpoint, track, seq, from_seq) select 1, g, 'live', 1, 1
    from generate_series(1, 9) g;
  insert into parked select 1, g, 'live', 'a', 1, null, 1, now() from generate_series(1, 9) g;
  insert into deliveries select 1, g, 1, 'a', 'b', false, now(), 1, 200, 5 from generate_series(1, 9) g;
  insert into thresholds select 1, g, g, 1, 5, 1 from generate_series(1, 9) g;
  insert into notice_heads select g, 1 from generate_series(1, 3) g;
  insert into notices select 1, g, 'a', 1, 'b', null, '{}' from generate_series(1, 9) g;
  insert into changes (realm, from_seq, to_seq) select 1, g, g from generate_series(1, 9) g;
  insert into verified (realm, seq, hash, slice, entry, account)
    select g, 9, sha256(''), 0, 0, 0 from generate_series(1, 3) g;
  insert into verified_shards select 1, 9, g, now() from generate_series(1, 9) g;
  insert into departed (realm, place, to_cell, seq, hash, head)
    select g, 2, 1, 9, sha256(''), '{}' from generate_series(1, 3) g;
  insert into arrivals (realm, place, from_cell, state)
    select 1, g, 0, 'cancelled' from generate_series(1, 9) g;
  insert into move_marks (realm, mark) select 1, gen_random_uuid() from generate_series(1, 9) g;
  insert into moving select g, 2, 9 from generate_series(1, 3) g;
  analyze`

/**
 * Statements whose cost would grow with a realm: a scan without the realm in its index, or rows compared one
 * by one.
 */
async function badPlans(): Promise<string[]> {
  const bad: string[] = []
  for (const statement of (await everyStatement()).filter(plannable)) {
    for (const node of await planOf(statement)) {
      const text = (name: string) => JSON.stringify(node[name] ?? '').slice(1, -1)
      const table = tableOf(node)
      const scans = text('Node Type').endsWith('Scan') && table !== '' && !directory.has(table)
      const found = text('TID Cond') || text('Index Cond')
      if (scans && !/\b(realm|ctid)\b/.test(found)) bad.push(`${statement.name} scans ${table}`)
      const through = !/ctid| AND /.test(found)
      if (scans && through && grows.has(table) && !ends.has(statement.name))
        bad.push(`${statement.name} goes through ${table}`)
      if (text('Join Filter') !== '') bad.push(`${statement.name} joins by ${text('Join Filter')}`)
    }
  }
  return bad
}

/** Tables that grow with a realm: a condition on the realm alone is not enough for these. */
const grows = new Set(['journal', 'details', 'members', 'balances'])
/** These take one row from the end of an index. */
const ends = new Set(['journal_read_head', 'move_last_entry'])

async function statementsNamed(name: 'statements' | 'ownerStatements'): Promise<Statement[]> {
  const files = sources.filter((file) => readFileSync(file, 'utf8').includes(`export const ${name} = `))
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(file).href)))
  return modules.flatMap((module) => Object.values(module[name] as Record<string, Statement>))
}

/** Those of operator commands that the server's role may not run. */
async function ownerStatements(): Promise<Set<string>> {
  return new Set((await statementsNamed('ownerStatements')).map(({ name }) => name))
}

async function everyStatement(): Promise<Statement[]> {
  return [...(await statementsNamed('statements')), ...(await statementsNamed('ownerStatements'))]
}

const plannable = (statement: Statement) => /^\s*(select|insert|update|delete|with)\b/.test(statement.text)

describe('tables', () => {
  it('lead with the realm in their primary key', async () => assert.deepEqual(await lawlessTables(), []))
  it('lead with the realm in every unique constraint', async () =>
    assert.deepEqual(await lawlessUniques(), []))
  it('are caught when they do not', async () => {
    await client.query('create table stray (id bigint primary key, realm integer unique)')
    assert.deepEqual(await lawlessTables(), ['stray'])
    assert.deepEqual(await lawlessUniques(), ['stray_pkey'])
    await client.query('drop table stray')
  })
})

describe('statements', () => {
  it('have a realm condition for every row they touch', async () => {
    const statements = (await everyStatement()).filter(plannable)
    assert.ok(statements.length > 35, `only ${statements.length} statements were found`)
    const lawless = []
    for (const statement of statements) lawless.push(...(await lawlessReads(statement)))
    assert.deepEqual(lawless, [])
  })
  it('are caught when they do not', async () => {
    const caught = [
      'select * from members where id = $1',
      'update balances set balance = 0 where account = $1',
      'delete from wallets where match = $1',
      'select * from bound_journal j join details d on d.seq = j.seq where j.realm = $1',
    ]
    for (const text of caught) assert.notDeepEqual(await lawlessReads({ name: 'planted', text }), [], text)
  })
  it('find rows by key, planned on empty tables', async () => assert.deepEqual(await badPlans(), []))
  it('find rows by key, planned on small tables', async () => {
    await client.query(smallTables)
    assert.deepEqual(await badPlans(), [])
  })
  it('have unique names', async () => {
    const names = (await everyStatement()).map((statement) => statement.name)
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    )
  })
  it('are only in stores', () => {
    const sql = /`\s*(select\s|insert into\s|update\s\w+\sset\s|delete from\s|with \w+ as)/
    const strays = sources.filter(
      (file) => !/\/(db|dev)\/|[sS]tore\.ts$/.test(file) && sql.test(readFileSync(file, 'utf8')),
    )
    assert.deepEqual(strays, [])
  })
})
