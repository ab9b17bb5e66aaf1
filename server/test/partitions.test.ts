import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { rowsOf } from '../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { type Statement, setUp } from '../src/db/session.ts'

/** The journal has 16 partitions by realm; a statement about a realm reads one of them. */
let database: TestDatabase
let server: pg.Client

const realm = 7
const rows = `
  insert into heads (realm, seq, hash) select g, 9, sha256('') from generate_series(1, 60) g;
  insert into settings (realm, realm_id, name, default_point) select g, g, g, 1 from generate_series(1, 60) g;
  insert into points (realm, number, id, name) select g, 1, 'p', g from generate_series(1, 60) g;
  insert into members (realm, account, id) select g, a, a
    from generate_series(1, 60) g, generate_series(1, 9) a;
  insert into balances select g, a, 1, 5, a, a from generate_series(1, 60) g, generate_series(1, 9) a;
  insert into journal (realm, key, seq, at_us, amount, to_balance, from_account, to_account, point, kind,
    encoding, hash) select g, 1, a, a, 5, 5, 0, a, 1, 1, 1, sha256('')
    from generate_series(1, 60) g, generate_series(1, 9) a;
  insert into details (realm, seq, salt) select g, a, ''
    from generate_series(1, 60) g, generate_series(1, 9) a;
  insert into holds select g, 1, 1, 1, 5, 1, null from generate_series(1, 60) g;
  analyze`

before(async () => {
  database = await freshDatabase()
  await rowsOf(database.superuserUrl, rows)
  server = new pg.Client({ connectionString: database.serverUrl })
  await server.connect()
  await setUp(server, { idle_in_transaction_session_timeout: '0' })
})
after(async () => {
  await server?.end()
  await database?.drop()
})

const isReader = ({ text }: Statement) => text.includes('bound_journal')

async function readers(): Promise<Statement[]> {
  const files = globSync(fileURLToPath(new URL('../src/**/*.ts', import.meta.url)))
  const stores = files.filter((file) => /export const statements = /.test(readFileSync(file, 'utf8')))
  const modules = await Promise.all(stores.map((file) => import(pathToFileURL(file).href)))
  return modules.flatMap(({ statements }) => Object.values<Statement>(statements).filter(isReader))
}

/** A value of each type that statements take: a number is the realm's, or that of an entry that exists. */
const values: Readonly<Record<string, string>> = {
  integer: String(realm),
  bigint: String(realm),
  smallint: '1',
  boolean: 'true',
  text: `'UTC'`,
  bytea: `sha256('')`,
  uuid: `'00000000-0000-0000-0000-000000000001'`,
  'timestamp with time zone': 'now()',
  'integer[]': `'{${realm}}'`,
  'bigint[]': `'{${realm}}'`,
  'smallint[]': `'{1}'`,
  'text[]': `'{UTC}'`,
  'uuid[]': `'{00000000-0000-0000-0000-000000000001}'`,
  'bytea[]': `array[sha256('')]`,
}

type Plan = { readonly Plans?: readonly Plan[]; readonly [key: string]: unknown }
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

/** The partitions that a statement about one realm reads, as the server's role. */
async function partitionsRead(statement: Statement): Promise<string[]> {
  await server.query(`begin; select set_config('exchequer.realms', '{${realm}}', true)`)
  try {
    await server.query(`prepare checked as ${statement.text}`)
    const { rows: types } = await server.query<{ type: string }>(
      `select unnest(parameter_types)::text as type from pg_prepared_statements where name = 'checked'`,
    )
    const given = types.map(({ type }) => values[type] ?? assert.fail(`no value of type ${type}`)).join(', ')
    const execute = `explain (analyze, format json) execute checked${given ? `(${given})` : ''}`
    const { rows: explained } = await server.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(execute)
    const all = nodes(explained[0]?.['QUERY PLAN'][0]?.Plan ?? assert.fail('no plan'))
    const read = all.filter((node) => Number(node['Actual Loops']) > 0).map((node) => node['Relation Name'])
    return [...new Set(read.map(String).filter((name) => name.startsWith('journal_')))]
  } finally {
    await server.query('rollback')
    await server.query('deallocate all')
    await setUp(server, { idle_in_transaction_session_timeout: '0' })
  }
}

describe('a statement about a realm', () => {
  it('reads the partition of the realm, and no other', async () => {
    const [{ name }] = await rowsOf(
      database.superuserUrl,
      'select distinct tableoid::regclass::text as name from journal where realm = $1',
      [realm],
    )
    const found = await readers()
    assert.ok(found.length > 20, `only ${found.length} statements were found`)
    const strays: string[] = []
    let reading = 0
    for (const statement of found) {
      const read = await partitionsRead(statement)
      reading += read.length
      if (read.some((partition) => partition !== name)) strays.push(`${statement.name}: ${read.join()}`)
    }
    assert.deepEqual(strays, [])
    assert.ok(reading > 15, `only ${reading} statements read an entry`)
  })

  it('is caught by this test when it reads all of them', async () => {
    const text = 'select count(*) from bound_journal where realm + 0 = $1::integer'
    assert.equal((await partitionsRead({ name: 'planted', text })).length, 16)
  })
})

describe('a batch', () => {
  it('of one realm locks one partition', async () => {
    const session = new pg.Client({ connectionString: database.ownerUrl })
    await session.connect()
    try {
      await session.query('begin')
      await session.query(
        `insert into exchequer.journal (realm, key, seq, at_us, amount, to_balance, from_account, to_account,
          point, kind, encoding, hash) select $1, 1, 10 + g, 1, 5, 5, 0, 1, 1, 1, 1, sha256('')
          from generate_series(1, 100) g`,
        [realm],
      )
      const { rows: locked } = await session.query(
        `select count(*)::integer as count from pg_locks l join pg_class c on c.oid = l.relation
          where l.pid = pg_backend_pid() and c.relispartition and c.relkind = 'r'`,
      )
      assert.equal(locked[0].count, 1)
    } finally {
      await session.end()
    }
  })
})

describe('every partition', () => {
  it('is vacuumed early and frozen at once', async () => {
    const found = await rowsOf(
      database.superuserUrl,
      `select c.relname as name, c.reloptions as options from pg_partition_tree('journal') t
        join pg_class c on c.oid = t.relid where t.isleaf order by 1`,
    )
    const options = ['autovacuum_vacuum_insert_scale_factor=0.02', 'autovacuum_freeze_min_age=0']
    const names = Array.from({ length: 16 }, (_, index) => `journal_${String(index).padStart(2, '0')}`)
    assert.deepEqual(
      found,
      names.map((name) => ({ name, options })),
    )
  })

  it('has every index of the journal, valid and with its name', async () => {
    const indexes = await rowsOf(
      database.superuserUrl,
      `select t.relname as table, c.relname as index, p.relname as whole, x.indisvalid as valid
        from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
        join pg_index x on x.indexrelid = c.oid join pg_class t on t.oid = x.indrelid
        where p.relkind = 'I'`,
    )
    assert.equal(indexes.length, 16 * 6)
    for (const { table, index, whole, valid } of indexes) {
      assert.equal(index, whole.replace('journal', table))
      assert.ok(valid, index)
    }
  })
})
