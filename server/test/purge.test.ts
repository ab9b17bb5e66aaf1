import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { rowsOf } from '../../tests/support/books.ts'
import { call } from '../../tests/support/call.ts'
import { award, makeRealm, operator, type RealmAccess } from '../../tests/support/fixture.ts'
import { operate } from '../../tests/support/operator.ts'
import { assertProblem } from '../../tests/support/problem.ts'
import {
  environment,
  operatorToken,
  runCommand,
  type ServerProcess,
  startServerProcess,
} from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'

/** The realm that is purged, one whose rows must stay, and one whose journal is verified afterwards. */
const many = 60_000
let database: TestDatabase
let server: ServerProcess
let guild: RealmAccess
let control: RealmAccess
let numbers: Map<string, number>
let head: string

const sql = (text: string, values: unknown[] = []) => rowsOf(database.superuserUrl, text, values)
const run = (line: string, extra: Record<string, string> = {}) =>
  runCommand(line.split(' '), environment(database, extra))
const numberOf = (id: string) => numbers.get(id) ?? 0

/** What records where realms are and were: a purge keeps it, with the purged realm's id. */
const kept = ['realms', 'moves', 'departed', 'arrivals']

/** Every other table with a realm, from the catalogue. */
async function scoped(): Promise<string[]> {
  const rows = await sql(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'exchequer'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attname = 'realm' and c.relname <> all ($1) order by 1`,
    [kept],
  )
  return rows.map(({ name }) => name)
}

const valueOfType: Readonly<Record<string, string>> = {
  integer: '1',
  smallint: '1',
  // As a time, far in the future: no worker has anything to do.
  bigint: '9000000000000000',
  numeric: '1',
  'double precision': '1',
  real: '1',
  text: `'a'`,
  'text[]': `'{}'`,
  boolean: 'false',
  bytea: 'sha256(random()::text::bytea)',
  jsonb: `'{}'`,
  uuid: 'gen_random_uuid()',
  date: 'current_date',
  'timestamp with time zone': 'now()',
}

/** A row of a realm in every table, whatever its rules: constraints and triggers are off. */
async function fill(realm: number): Promise<void> {
  const columns: { table: string; name: string; type: string }[] = await sql(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attnotnull
        and a.attidentity = '' and not a.atthasdef
      where c.relname = any ($1) and c.relnamespace = 'exchequer'::regnamespace`,
    [await scoped()],
  )
  for (const table of await scoped()) {
    const own = columns.filter((column) => column.table === table && column.name !== 'realm')
    const values = own.map(({ name, type }) =>
      name === 'state' ? `'ready'` : (valueOfType[type] ?? `the test has no value for ${type}`),
    )
    const names = ['realm', ...own.map(({ name }) => name)]
    await sql(`set session_replication_role = replica;
      insert into ${table} (${names.join()}) values (${[realm, ...values].join()}) on conflict do nothing`)
  }
}

/** Tables that have a row of the realm. */
async function tablesOf(realm: number): Promise<string[]> {
  const found: string[] = []
  for (const table of await scoped()) {
    const rows = await sql(`select from ${table} where realm = $1 limit 1`, [realm])
    if (rows.length > 0) found.push(table)
  }
  return found
}

const entriesOf = async (id: string): Promise<number> =>
  Number((await sql('select count(*) from journal where realm = $1', [numberOf(id)]))[0].count)

before(async () => {
  database = await freshDatabase()
  server = await startServerProcess(environment(database))
  const access = { baseUrl: server.baseUrl, token: operatorToken }
  guild = await makeRealm(access, { id: 'guild', unknownMembers: 'create' })
  control = await makeRealm(access, { id: 'control', unknownMembers: 'create' })
  await makeRealm(access, { id: 'filled' })
  await award(server.baseUrl, guild, { 7: 5, 8: 6 })
  await award(server.baseUrl, control, { 7: 5, 8: 6 })
  numbers = new Map((await sql('select id, realm from realms')).map(({ id, realm }) => [id, realm]))
  const checks = await sql(
    `select conrelid::regclass::text as table, conname as name from pg_constraint
      where contype = 'c' and coninhcount = 0 and connamespace = 'exchequer'::regnamespace`,
  )
  for (const { table, name } of checks) await sql(`alter table ${table} drop constraint ${name}`)
  for (const id of ['guild', 'filled']) await fill(numberOf(id))
  await sql(
    `insert into journal (realm, key, seq, at_us, amount, to_balance, from_account, to_account, point, kind,
        encoding, hash, request, fingerprint)
      select $1, 1, g, g, 5, 5, 0, g, 1, 1, 1, sha256(''), gen_random_uuid(), gen_random_uuid()
      from generate_series(101, 100 + $2::integer) g`,
    [numberOf('guild'), many],
  )
  const [row] = await sql(`select seq || ':' || encode(hash, 'hex') as head from heads where realm = $1`, [
    numberOf('guild'),
  ])
  head = row.head
})
after(async () => {
  await server?.stop()
  await database?.drop()
})

describe('a purge', () => {
  it('is rejected for a realm that is not suspended, or does not exist', async () => {
    const active = await run('realm purge guild --confirm guild')
    assert.deepEqual(
      [active.code, active.err.trim()],
      [1, 'Realm guild is not suspended. Suspend it first, and export it.'],
    )
    const unknown = await run('realm purge nowhere --confirm nowhere')
    assert.deepEqual([unknown.code, unknown.err.trim()], [1, 'There is no realm nowhere.'])
  })

  it('needs the role that owns the schema', async () => {
    const { code, err } = await run('realm purge guild --confirm guild', {
      DATABASE_OWNER_URL: database.serverUrl,
    })
    assert.deepEqual([code, /only the role that owns the schema can/.test(err)], [1, true], err)
  })

  it('shows what it would delete, and deletes nothing until the realm’s id is confirmed', async () => {
    const body = { suspended: { reason: 'The customer has left.' } }
    await operator({ baseUrl: server.baseUrl, token: operatorToken }, 'PATCH', {
      path: '/realms/guild',
      body,
    })
    for (const line of ['realm purge guild', 'realm purge guild --confirm control']) {
      const { code, out, err } = await run(line)
      assert.equal(code, 1)
      assert.ok(out.startsWith(`guild: last entry ${head}\nrows to delete: `), out)
      assert.match(out, new RegExp(`\\bjournal ${many + 3}\\b.*\\bsettings 1\\b`))
      assert.match(err, /^Nothing was deleted\./)
    }
    assert.deepEqual(await tablesOf(numberOf('guild')), await scoped())
    assert.equal((await call('GET', `${url()}/members/7`, { key: guild.key })).status, 200)
  })

  it('can be killed, and is resumed by the same command', async () => {
    const child = start('realm purge guild --confirm guild')
    for (const untilMs = Date.now() + 30_000; (await entriesOf('guild')) > many - 5_000; await sleep(5))
      assert.ok(Date.now() < untilMs, 'nothing was deleted')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const left = await entriesOf('guild')
    assert.ok(left > 0 && left < many, `${left} entries are left`)
    await assertGone()
    await aMinuteLater()
    const { code, out, err } = await run('realm purge guild --confirm guild')
    assert.equal(code, 0, err)
    assert.match(out, /An earlier purge was interrupted, and goes on\./)
    assert.match(out, new RegExp(`^guild: purged, \\d+ rows deleted, last ${head}$`, 'm'))
  })

  it('leaves no row in any table with a realm, and those of other realms untouched', async () => {
    assert.deepEqual(await tablesOf(numberOf('guild')), [])
    assert.deepEqual(await tablesOf(numberOf('filled')), await scoped())
    const { code, out } = await run('verify --realm control')
    assert.deepEqual([code, /^control: ok 2:[0-9a-f]{64}$/m.test(out)], [0, true], out)
    await award(server.baseUrl, control, { 7: 1 })
    await assertGone()
  })

  it('is recorded in the installation’s audit log, with the last entry', async () => {
    const acts = await sql(
      `select action, subject from audit where realm = 0 and action like 'realm.purge%' order by at`,
    )
    const subject = `realm guild, last ${head}`
    assert.deepEqual(acts, [
      { action: 'realm.purge', subject },
      { action: 'realm.purged', subject },
    ])
    const again = await run('realm purge guild --confirm guild')
    assert.deepEqual([again.code, again.err.startsWith('Realm guild was purged at 20')], [1, true], again.err)
  })

  it('causes no error on a running server', () => {
    assert.deepEqual(
      server.said.filter((line) => /"level":[56]0/.test(line)),
      [],
    )
  })
})

describe('the journal and the audit log', () => {
  const owner = (text: string) =>
    rowsOf(database.ownerUrl, text).then(
      () => 'done',
      (error: Error) => error.message,
    )

  it('can’t be deleted from by any other way than a recorded purge', async () => {
    const realm = numberOf('filled')
    assert.equal(
      await owner(`delete from journal where realm = ${realm}`),
      'the journal is append-only: delete refused',
    )
    assert.equal(
      await owner(`delete from audit where realm = ${realm}`),
      'the audit log is append-only: delete refused',
    )
    const forged = `select set_config('exchequer.purges', '${realm}', false); delete from journal`
    assert.match(await owner(forged), /append-only/)
    assert.match(await owner(`select purge_piece(${realm}, 'journal', 10, null)`), /is not being purged/)
    assert.match(
      await owner(`select purge_piece(${numberOf('guild')}, 'journal', 10, null)`),
      /is not being purged/,
    )
  })

  it('can’t be purged by the server’s role', async () => {
    const asServer = rowsOf(database.serverUrl, `select purge_piece(1, 'journal', 10, null)`)
    await assert.rejects(asServer, /permission denied for function purge_piece/)
  })
})

const url = () => `${server.baseUrl}/api/v4/realms/${guild.id}`

/** To its clients, to operators and to visitors the realm does not exist, and its id stays taken. */
async function assertGone(): Promise<void> {
  const read = await call('GET', `${url()}/members/7`, { key: guild.key })
  assertProblem(read, 401, 'unauthorized')
  const body = { tokens: 5 }
  assertProblem(
    await call('PATCH', `${url()}/members/7/tokenBalance`, { key: guild.key, body }),
    401,
    'unauthorized',
  )
  assertProblem(await operate(server.baseUrl, 'GET /realms/guild'), 404, 'realm_not_found')
  assertProblem(await operate(server.baseUrl, 'POST /realms/guild/keys', {}), 404, 'realm_not_found')
  const created = await operate(server.baseUrl, 'POST /realms', { id: 'guild' })
  const taken = "Realm guild was purged. Its id can't be used again; choose another one."
  assert.deepEqual([created.status, created.json.detail], [409, taken])
  const { data } = (await operate(server.baseUrl, 'GET /realms')).json
  assert.ok(data.every(({ id }: { id: string }) => id !== 'guild'))
  assert.equal((await call('GET', `${server.baseUrl}/boards/guild`)).status, 404)
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

const start = (line: string): ChildProcess =>
  spawn(process.execPath, [main, ...line.split(' ')], { env: environment(database), stdio: 'ignore' })

/** A purge ends a minute after it began, when no request from before can still write. */
const aMinuteLater = () =>
  sql(`update realms set purge_began_at = purge_began_at - interval '1 minute' where id = 'guild'`)
