import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { rowsOf } from '../../tests/support/books.ts'
import { type Answer, call } from '../../tests/support/call.ts'
import { type Fixture, makeFixture, managerKey, poor, rich } from '../../tests/support/fixture.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase, testConfig } from '../../tests/support/suite.ts'
import { type App, startApp } from '../src/app/index.ts'
import { openDatabase } from '../src/db/database.ts'
import { Presence } from '../src/realms/index.ts'

/** Outside, a realm that is not in this cell is 503 `wrong_cell`; inside, no worker touches its rows. */

let database: TestDatabase
let app: App
let fixture: Fixture
let admin: string
let hasOthers = true
const sql = (text: string, values: unknown[] = []) => rowsOf(database.superuserUrl, text, values)

before(async () => {
  database = await freshDatabase()
  app = await startApp(testConfig(database), { hasOtherCells: () => hasOthers })
  fixture = await makeFixture({ baseUrl: app.url, token: operatorToken })
  admin = await managerKey({ baseUrl: app.url, token: operatorToken }, fixture.realm.id)
})
after(async () => {
  await app?.close()
  await database?.drop()
})

const realmNumber = async (): Promise<number> =>
  (await sql('select realm from realms where id = $1', [fixture.realm.id]))[0].realm

/** Takes the head away for a while, and a second, so that what is remembered of it is too old. */
async function without(work: () => Promise<void>): Promise<void> {
  const realm = await realmNumber()
  const [head] = await sql('delete from heads where realm = $1 returning *', [realm])
  try {
    await sleep(1_100)
    await work()
  } finally {
    await sql(
      `insert into heads (realm, seq, hash, at_us, next_account, config_version)
        values ($1, $2, $3, $4, $5, $6)`,
      [realm, head.seq, head.hash, head.at_us, head.next_account, head.config_version + 1],
    )
  }
}

type Route = readonly [method: string, path: string, body?: object]
const at = () => `/api/v4/realms/${fixture.realm.id}`

/** Of each resource one that reads, and one that writes. */
const routes = (): Route[] => [
  ['GET', `${at()}`],
  ['GET', `${at()}/members`],
  ['GET', `${at()}/members/${rich}`],
  ['PATCH', `${at()}/members/${rich}/tokenBalance`, { tokens: 1 }],
  ['PUT', `${at()}/members/${rich}`, { username: 'x' }],
  ['DELETE', `${at()}/members/${poor}`],
  ['GET', `${at()}/members/${rich}/wallets`],
  ['POST', `${at()}/members/${rich}/wallets`, { address: `0x${'ab'.repeat(20)}` }],
  ['GET', `${at()}/members/${rich}/history`],
  ['GET', `${at()}/journal`],
  ['GET', `${at()}/leaderboard`],
  ['GET', `${at()}/statistics`],
  ['GET', `${at()}/holds`],
  ['GET', `${at()}/points`],
  ['POST', `${at()}/points`, { id: 'bronze' }],
  ['GET', `${at()}/keys`],
  ['POST', `${at()}/keys`, { name: 'x' }],
  ['GET', `${at()}/audit`],
  ['GET', `${at()}/webhooks`],
  ['POST', `${at()}/webhooks`, { url: 'https://a.example/' }],
  ['GET', `${at()}/snapshots`],
]

/** The same for an operator, whose token no realm has. */
const operatorRoutes = (): Route[] => [
  ['GET', `/operator/v1/realms/${fixture.realm.id}`],
  ['GET', `/operator/v1/realms/${fixture.realm.id}/keys`],
  ['PATCH', `/operator/v1/realms/${fixture.realm.id}`, { suspended: null }],
  ['POST', `/operator/v1/realms/${fixture.realm.id}/keys`, { name: 'x' }],
]

const send = ([method, path, body]: Route, key: string): Promise<Answer> =>
  call(method, `${app.url}${path}`, { key, ...(body ? { body } : {}) })

const brief = ({ status, json, headers }: Answer) => [status, json?.code, headers['retry-after']]
const refused = [503, 'wrong_cell', '1']

async function answers(all: readonly Route[], key: string): Promise<object> {
  const found = new Map<string, unknown>()
  for (const route of all) found.set(`${route[0]} ${route[1]}`, brief(await send(route, key)))
  return Object.fromEntries(found)
}

const allRefused = (all: readonly Route[]) =>
  Object.fromEntries(all.map(([method, path]) => [`${method} ${path}`, refused]))

describe('a realm without a head', () => {
  it('is 503 wrong_cell with Retry-After, for reads and writes of keys and operators', async () => {
    await answers(
      routes().filter(([method]) => method === 'GET'),
      admin,
    )
    await without(async () => {
      assert.deepEqual(await answers(routes(), admin), allRefused(routes()))
      assert.deepEqual(await answers(operatorRoutes(), operatorToken), allRefused(operatorRoutes()))
      const other = `${app.url}/api/v4/realms/${fixture.other.id}`
      assert.equal((await call('GET', other, { key: fixture.other.key })).status, 200)
    })
    assert.equal((await send(['GET', at()], admin)).status, 200)
  })

  it('is never 500, where only one cell is possible', async () => {
    hasOthers = false
    await without(async () => {
      const statuses = Object.entries(await answers(routes(), admin)).map(([route, [status]]) => [
        route,
        status < 300 || status === 503,
      ])
      assert.deepEqual(
        statuses.filter(([, isFine]) => !isFine),
        [],
      )
    })
    hasOthers = true
  })
})

describe('a realm that leaves when a change of it is durable', () => {
  /** Takes the head away with the commit that changes one of these rows. */
  const leaveWith = (table: string) =>
    sql(`create function exchequer.leave() returns trigger language plpgsql security definer as $$ begin
        delete from exchequer.heads where realm = new.realm;
        return null;
      end $$;
      create constraint trigger leave after insert or update on exchequer.${table}
        deferrable initially deferred for each row execute function exchequer.leave()`)

  it('is never said to be unchanged', async () => {
    const realm = await realmNumber()
    const [head] = await sql('select * from heads where realm = $1', [realm])
    await leaveWith('members')
    try {
      const late = await send(['PUT', `${at()}/members/${rich}`, { username: 'late' }], admin)
      assert.deepEqual([late.status, late.json.code], [503, 'outcome_unknown'])
      assert.match(late.json.detail, /^The change was made/)
      const [member] = await sql('select username from members where realm = $1 and id = $2', [realm, rich])
      assert.equal(member.username, 'late')
      // This one has not begun.
      await sleep(1_100)
      const early = await send(['PUT', `${at()}/members/${rich}`, { username: 'early' }], admin)
      assert.deepEqual([early.status, early.json.code], [503, 'wrong_cell'])
    } finally {
      await sql('drop function exchequer.leave cascade')
      await sql(
        `insert into heads (realm, seq, hash, at_us, next_account, config_version)
          values ($1, $2, $3, $4, $5, $6)`,
        [realm, head.seq, head.hash, head.at_us, head.next_account, head.config_version + 1],
      )
    }
  })
})

it('a presence is asked for once a second, by many at once, and not at all in one cell', async () => {
  const db = openDatabase(database.serverUrl)
  const [realm, gone] = [await realmNumber(), 99_999]
  let asked = 0
  let isOn = false
  const drops: number[] = []
  const presence = new Presence({
    db: {
      within: (realms) => {
        asked += 1
        return db.within(realms)
      },
    },
    hasOthers: () => isOn,
    onGone: (number) => void drops.push(number),
  })
  assert.equal(presence.check(gone), undefined)
  isOn = true
  await Promise.all(Array.from({ length: 50 }, async () => presence.check(realm)))
  assert.equal(asked, 1)
  assert.equal(presence.check(realm), undefined)
  const both = await Promise.allSettled([presence.check(gone), presence.check(realm)])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  assert.deepEqual(drops, [gone])
  await sleep(1_100)
  await presence.check(realm)
  assert.equal(asked, 3)
  await db.close()
})

it('work of all realms leaves out those without a head', async () => {
  const [here, gone] = [900_001, 900_002]
  // Without a server, which would do the work.
  const own = await freshDatabase()
  const rows = (text: string) => rowsOf(own.superuserUrl, text)
  await rows(`insert into heads (realm, seq, hash) values (${here}, 9, sha256(''));
    insert into realms (realm, id) overriding system value
      select g, 'r' || g from unnest(array[${here}, ${gone}]) g;
    insert into settings (realm, realm_id, name, default_point, public_board)
      select g, g, g, 1, true from unnest(array[${here}, ${gone}]) g;
    insert into holds (realm, seq, account, point, amount, expires_us)
      select g, 1, 1, 1, 1, 1 from unnest(array[${here}, ${gone}]) g;
    insert into awards (realm, seq, account, point, amount, grant_us)
      select g, 1, 1, 1, 1, 1 from unnest(array[${here}, ${gone}]) g;
    insert into readings (realm, chain) select g, 'x' from unnest(array[${here}, ${gone}]) g;
    insert into endpoints (realm, number, url, ordered, include_details, parallel, secret, next_at)
      select g, 1, 'a', false, false, 8, 'a', null from unnest(array[${here}, ${gone}]) g;
    insert into parked select g, 1, 'live', 'a', 1, null, 1, now() - interval '1 hour'
      from unnest(array[${here}, ${gone}]) g;
    insert into keys (realm, number, secret_id, hash, name, prefix, last_four, expires_at, created_at)
      select g, 1, 's', sha256(g::text::bytea), 'k', 'p', 'l', now() + interval '1 day',
        now() - interval '30 days'
      from unnest(array[${here}, ${gone}]) g`)
  const found = async (text: string) => (await rows(text)).map((row) => Object.values(row)[0])
  assert.deepEqual(await found('select realm from due_holds(10)'), [here])
  assert.deepEqual(await found('select realm from due_awards(10)'), [here])
  assert.deepEqual(await found(`select realm from due_readings('{x}', 10)`), [here])
  assert.deepEqual(await found('select realm from due_endpoints(now(), 10)'), [here])
  assert.deepEqual(await found('select realm from expiring_keys(10)'), [here])
  assert.deepEqual(await found('select number from unsigned_realms(0, 10)'), [here])
  assert.deepEqual(await found('select id from public_boards(10)'), [`r${here}`])
  await own.drop()
})

it('a member is not erased while a move copies the realm, and is when the move has ended', async () => {
  const mover = new pg.Client({ connectionString: database.superuserUrl })
  await mover.connect()
  const erase = (): Promise<Answer> => send(['POST', `${at()}/members/5/erasure`], admin)
  try {
    assert.equal((await send(['PUT', `${at()}/members/5`, {}], admin)).status, 201)
    await mover.query('select pg_advisory_lock(1163415380, $1)', [await realmNumber()])
    assert.deepEqual(brief(await erase()), [503, 'unavailable', '60'])
    assert.equal((await send(['GET', `${at()}/members/5`], admin)).status, 200)
    await mover.query('select pg_advisory_unlock_all()')
    assert.equal((await erase()).status, 200)
  } finally {
    await mover.end()
  }
})
