import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { type Database, openDatabase } from '../src/db/database.ts'
import type { Queryable, Session, Statement, Writable } from '../src/db/session.ts'
import { forgetAnswers, takeLeases } from '../src/events/webhooks/index.ts'
import { problem } from '../src/http/problem.ts'
import { Standings } from '../src/leaderboards/index.ts'
import { History, Ledger } from '../src/ledger/index.ts'
import { verify } from '../src/ledger/journal/verify.ts'
import { Members } from '../src/members/index.ts'
import { Configs, Points, Realms } from '../src/realms/index.ts'
import { MemberRemoval } from '../src/removal/index.ts'
import { Wallets } from '../src/wallets/index.ts'
import { tester } from './ledger/books.ts'
import { changeCommand } from './ledger/commands.ts'

/** Row-level security protects realms even when every statement lacks its realm condition. */

function forget(statement: Statement): Statement {
  const { text } = statement
  const equal = /(?:\w+\.)?\brealm (?:=|is not distinct from) (?:(\$1)(?:::integer)?|\w+\.realm)\b/g
  // An unused parameter has no type.
  const forgotten = text.replace(equal, (_, given) => (given ? '$1::integer is not null' : 'true'))
  return { ...statement, text: forgotten }
}

/** What it runs is what it would run otherwise: it may write where that may. */
const forgetfulQuery = (db: Queryable): Writable => ({
  query: (statement, values) => (db as Writable).query(forget(statement), values),
})

function forgetfulSession(session: Session): Session {
  const query = session.query.bind(session)
  const within = session.within.bind(session)
  session.query = (statement, values) => query(forget(statement), values) as never
  session.within = (realms) => forgetfulQuery(within(realms))
  const writing = session.writing.bind(session)
  session.writing = (realms) => forgetfulQuery(writing(realms))
  return session
}

const forgetful = (db: Database): Database => ({
  ...db,
  ...forgetfulQuery(db),
  within: (realms) => forgetfulQuery(db.within(realms)),
  writing: (realms) => forgetfulQuery(db.writing(realms)),
  transaction: (work) => db.transaction((tx) => work(forgetfulQuery(tx))),
  open: async (settings) => forgetfulSession(await db.open(settings)),
})

function serverOn(db: Database) {
  const configs = new Configs()
  const members = new Members(db, configs)
  const faults: unknown[] = []
  const onFault = (error: unknown) => void faults.push(error)
  const ledger = new Ledger({ db, configs, render: problem, laneCount: 1, deadlineMs: 5_000, onFault })
  const wallets = new Wallets({ db, configs, members })
  const standings = new Standings({ db, configs, everyMs: 0, onFault })
  return {
    db,
    members,
    wallets,
    standings,
    history: new History(db, members),
    faults,
    realms: new Realms(db),
    points: new Points(db),
    removal: new MemberRemoval(db, { takeLeases, forgetAnswers }),
    add: (realm: number, member: string, tokens: bigint) =>
      ledger.post(changeCommand(realm, { member, tokens, idempotencyKey: randomUUID() })),
    async close() {
      await ledger.close()
      await standings.close()
      await db.close()
    },
  }
}

type Server = ReturnType<typeof serverOn>

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
let database: TestDatabase
let right: Server
let first = 0
let second = 0

/** Two realms with the same member ids and nothing else in common. */
before(async () => {
  database = await freshDatabase()
  right = serverOn(openDatabase(database.serverUrl))
  first = (await right.realms.create({ id: 'first', point: { id: 'gold' } }, tester)).number
  second = (await right.realms.create({ id: 'second', point: { id: 'silver' } }, tester)).number
  await right.members.put(
    first,
    [
      { id: '1', username: 'ann' },
      { id: '2', username: 'bob' },
    ],
    tester,
  )
  await right.members.put(
    second,
    [
      { id: '2', username: 'cid' },
      { id: '1', username: 'dan' },
    ],
    tester,
  )
  await right.wallets.link({ realm: first, member: '1', address }, tester)
  await right.wallets.link({ realm: second, member: '2', address }, tester)
  for (const tokens of [5n, 6n]) await right.add(first, '1', tokens)
  for (const tokens of [70n, 80n, 90n]) await right.add(second, '1', tokens)
})
after(async () => {
  await right?.close()
  await database?.drop()
})

/** Everything that the modules return about a realm. */
async function readAll({ db, members, wallets, realms, history, standings }: Server, realm: number) {
  const asked = { point: undefined, from: undefined, to: undefined, exclude: ['2'] } as const
  const page = { after: undefined, limit: 10 }
  const all = { point: undefined, fromUs: 1n, toUs: 2n ** 60n, before: undefined, direction: undefined }
  const feed = await history.feed(realm, { after: 0n, limit: 9 })
  return {
    realm: await realms.get(realm === first ? 'first' : 'second'),
    members: await Promise.all(['1', '2'].map((id) => members.get(realm, id))),
    listed: await members.page(realm, { search: undefined, after: undefined, limit: 10 }),
    found: await members.page(realm, { search: 'd', after: undefined, limit: 10 }),
    profiles: await Promise.all(['1', '2'].map((id) => members.profile(realm, id))),
    owners: await wallets.ownersOf(realm, [address]),
    wallets: await wallets.of(realm, '2'),
    history: await Promise.all(['1', '2'].map((member) => history.page(realm, { ...all, member, limit: 9 }))),
    entry: await history.entry(realm, 1n),
    later: await history.memberAt(realm, '1', 2n ** 60n),
    before: await history.memberAt(realm, '1', 1n),
    feed: { ...feed, pieces: await Array.fromAsync(feed.pieces) },
    verdict: await verify(db, { realm }),
    statistics: await standings.statistics(realm, {}),
    kept: await standings.check(realm),
    top: await standings.top(realm, { ...asked, period: 'all' }, page),
    week: await standings.top(realm, { ...asked, period: 'week' }, page),
  }
}

/** Every row of a realm, read without row-level security. */
async function rowsIn(realm: number): Promise<string> {
  const tables = 'heads settings points members balances journal details refusals wallets'.split(' ')
  tables.push('standings', 'gains', 'daily', 'supply', 'activity', 'active_days', 'departures')
  const each = tables.map((table) =>
    rowsOf(
      database.superuserUrl,
      `select to_jsonb(t)::text as row from ${table} t where realm = $1 order by 1`,
      [realm],
    ),
  )
  return JSON.stringify(await Promise.all(each))
}

describe('a server whose statements lack all realm conditions', () => {
  it('really lacks them', () => {
    const conditions = 'a.realm = $1 and a.realm is not distinct from b.realm'
    const text = `select 1 from a join b on b.realm = a.realm where ${conditions}`
    const without = 'select 1 from a join b on true where $1::integer is not null and true'
    assert.equal(forget({ name: '', text }).text, without)
  })

  it('reads the same rows as before', async () => {
    const server = serverOn(forgetful(openDatabase(database.serverUrl)))
    try {
      for (const realm of [first, second])
        assert.deepEqual(await readAll(server, realm), await readAll(right, realm))
    } finally {
      await server.close()
    }
  })

  it('changes nothing of another realm', async () => {
    const untouched = await rowsIn(first)
    const server = serverOn(forgetful(openDatabase(database.serverUrl)))
    try {
      for (const tokens of [1n, 2n, -1n, -500n]) await server.add(second, '1', tokens)
      await server.members.put(second, [{ id: '2', username: 'eve' }, { id: '3' }], tester)
      await server.realms.addPoint('second', { id: 'copper' }, tester)
      await server.realms.change('second', { name: 'Second', defaultPoint: 'copper' }, tester)
      await server.points.change({ realm: second, id: 'copper' }, { maxBalance: 1_000n }, tester)
      await server.members.put(second, [{ id: '4', note: 'n', frozen: true }], tester)
      await server.removal.remove({ realm: second, id: '3' }, tester)
      await server.removal.erase({ realm: second, id: '4' }, tester)
      await server.wallets.unlink({ realm: second, member: '2', address }, tester)
      const { members, verdict } = await readAll(right, second)
      assert.deepEqual(server.faults, [])
      assert.ok(verdict.ok)
      assert.deepEqual(
        members.map(({ username, balances }) => [username, ...balances.map(([, balance]) => balance)]),
        [
          ['dan', 0n, 242n],
          ['eve', 0n, 0n],
        ],
      )
    } finally {
      await server.close()
    }
    assert.equal(await rowsIn(first), untouched)
  })

  it('mixes up realms without row-level security', async () => {
    const server = serverOn(forgetful(openDatabase(database.ownerUrl)))
    try {
      assert.deepEqual(await right.wallets.ownersOf(second, [address]), [null])
      assert.deepEqual(await server.wallets.ownersOf(second, [address]), ['1'])
    } finally {
      await server.close()
    }
  })
})
