import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { rowsOf } from '../../tests/support/books.ts'
import { freshDatabase, type TestDatabase, testConfig } from '../../tests/support/suite.ts'
import { type Nouns, openNouns } from '../src/app/services.ts'
import { Audit, record } from '../src/audit/index.ts'
import { Directory } from '../src/cells/index.ts'
import { type Database, openDatabase } from '../src/db/database.ts'
import { bindPresent, writeTransaction } from '../src/db/rowSecurity.ts'
import type { Queryable, Statement, Writable } from '../src/db/session.ts'
import { RefusalError } from '../src/errors.ts'
import { markWrong } from '../src/ledger/journal/verifiedStore.ts'
import { Watch } from '../src/observability/index.ts'
import { makeLog } from '../src/observability/log.ts'
import { tester } from './ledger/books.ts'
import { changeCommand } from './ledger/commands.ts'

/**
 * The fence: a write is committed before a realm's head is taken away, or refused. A pause takes the realm's
 * lock alone and deletes the head, as a move does.
 */

let database: TestDatabase
let plain: Database
let nouns: Nouns
type Gate = { readonly realm: number; readonly bound: () => void; readonly open: Promise<void> }
/** A transaction of this realm waits here once it is bound for a write. */
let gate: Gate | undefined
let close: () => Promise<void>

const bindings = ['wall_bind_for_write', 'wall_bind_present']

function gated(tx: Queryable): Writable {
  return {
    async query<Row>(statement: Statement, values?: readonly unknown[]) {
      const answer = await (tx as Writable).query<Row>(statement, values)
      if (gate && bindings.includes(statement.name) && values?.[0] === `{${gate.realm}}`) {
        gate.bound()
        await gate.open
      }
      return answer
    },
  }
}

before(async () => {
  database = await freshDatabase()
  plain = openDatabase(database.serverUrl)
  const db: Database = {
    ...plain,
    transaction: (work) => plain.transaction((tx) => work(gated(tx))),
  }
  const chains = 'eip155:1=http://127.0.0.1:1'
  const config = testConfig(database, {
    CHAINS: chains,
    STANDINGS_EVERY: '0',
    PUBLIC_URL: 'https://a.example',
  })
  const log = makeLog('silent')
  const watch = new Watch({ db, audit: new Audit(db), log, durability: config.durability })
  const directory = await Directory.open({ own: db, db })
  nouns = openNouns({ config, db, directory, log, watch })
  close = async () => {
    nouns.streams.close()
    for (const noun of [nouns.ledger, nouns.webhooks, nouns.holdings, nouns.standings]) await noun.close()
    directory.close()
    await watch.close()
    await plain.close()
  }
})
after(async () => {
  await close?.()
  await database?.drop()
})

type Realm = { readonly number: number; readonly id: string }

const wallet = `0x${'ab'.repeat(20)}`
const at = ({ number: realm }: Realm) => ({ realm, number: 1 })

/** A realm with a member of each use, a key, a webhook, a wallet, a challenge and a snapshot. */
async function makeRealm(): Promise<Realm> {
  const { number, id } = await nouns.realms.create({ point: { id: 'gold' } }, tester)
  await nouns.members.put(number, [{ id: '1' }, { id: '2' }, { id: '3' }], tester)
  await nouns.ledger.post(changeCommand(number, { member: '1', tokens: 5n }))
  await nouns.keys.issue(number, {}, tester)
  await nouns.webhooks.create(number, { url: 'https://a.example/' }, tester)
  // Nothing but the test writes.
  await nouns.webhooks.change({ realm: number, number: 1 }, { state: 'disabled' }, tester)
  await nouns.wallets.link({ realm: number, member: '1', address: wallet, chain: undefined }, tester)
  await nouns.holdings.put(number, { id: 'c', chain: 'eip155:1', standard: 'native' }, tester)
  await rowsOf(database.superuserUrl, 'update wallets set verified_at = now() where realm = $1', [number])
  return { number, id }
}

const snapshot = ({ number: realm }: Realm, claimable: boolean) =>
  nouns.snapshots.take(
    { realm, id: 's', point: undefined, chain: 'eip155:1', claimable, seq: undefined, dry: false },
    { key: 1, requestId: 'r', by: tester },
  )
const request = ({ number: realm }: Realm) => {
  return { realm, request: randomUUID(), fingerprint: randomUUID(), member: null }
}

type Write = (realm: Realm) => Promise<unknown>

/** Each in one transaction, or in several of which the first is held open. */
const transactions: Readonly<Record<string, Write>> = {
  'members are put': ({ number }) => nouns.members.put(number, [{ id: '9' }], tester),
  'a member is removed': ({ number: realm }) => nouns.removal.remove({ realm, id: '2' }, tester),
  'a member is erased': ({ number: realm }) => nouns.removal.erase({ realm, id: '3' }, tester),
  'a wallet is linked': ({ number: realm }) =>
    nouns.wallets.link({ realm, member: '2', address: `0x${'cd'.repeat(20)}`, chain: undefined }, tester),
  'a wallet is unlinked': ({ number: realm }) =>
    nouns.wallets.unlink({ realm, member: '1', address: wallet, chain: undefined }, tester),
  'a challenge is issued': ({ number: realm }) =>
    nouns.proofs.challenge({ realm, member: '1', address: wallet }),
  'a page link is made': ({ number: realm }) =>
    nouns.pageLinks.make({ realm, member: '1', returnUrl: undefined }, tester),
  'a collection is put': ({ number }) =>
    nouns.holdings.put(number, { id: 'd', chain: 'eip155:1', standard: 'native' }, tester),
  'a collection is removed': ({ number }) => nouns.holdings.remove(number, 'c', tester),
  'a snapshot is taken': (realm) => snapshot(realm, false),
  'a key is issued': ({ number }) => nouns.keys.issue(number, {}, tester),
  'a key is changed': ({ number: realm }) => nouns.keys.change({ realm, id: '1' }, { name: 'x' }, tester),
  'a key is rotated': ({ number: realm }) =>
    nouns.keys.rotate({ realm, id: '1' }, { overlapSeconds: 0 }, tester),
  'a key is revoked': ({ number: realm }) => nouns.keys.revoke({ realm, id: '1' }, tester),
  'settings are changed': ({ id }) => nouns.realms.change(id, { name: 'x', rateLimit: 'off' }, tester),
  'a point type is added': ({ number }) => nouns.points.add(number, { id: 'silver' }, tester),
  'a point type is changed': ({ number: realm }) =>
    nouns.points.change({ realm, id: 'gold' }, { name: 'x' }, tester),
  'a webhook is created': ({ number }) =>
    nouns.webhooks.create(number, { url: 'https://b.example/' }, tester),
  'a webhook is changed': (realm) => nouns.webhooks.change(at(realm), { description: 'x' }, tester),
  'a secret is rotated': (realm) => nouns.webhooks.rotate(at(realm), 0, tester),
  'a webhook is deleted': (realm) => nouns.webhooks.remove(at(realm), tester),
  'leaderboards are built again': ({ number }) => nouns.standings.rebuild(number),
  'an act is recorded': ({ number: realm }) =>
    plain.transaction((tx) => record(gated(tx), tester, { realm, action: 'a', subject: 'b' })),
  'a verdict is stored': ({ number: realm }) =>
    writeTransaction({ transaction: (work) => plain.transaction((tx) => work(gated(tx))) }, [realm], (tx) =>
      markWrong(tx, realm),
    ),
}

/** One statement behind its binding, or a transaction of a lane. */
const statements: Readonly<Record<string, Write>> = {
  'points are changed': ({ number }) => nouns.ledger.post(changeCommand(number, { member: '1', tokens: 1n })),
  'points are claimed': (realm) => snapshot(realm, true),
  'a request is claimed': (realm) => nouns.requests.claim(request(realm)),
  'an import is announced': ({ number: realm }) => {
    const wanted = { realm, key: 1, by: tester, requestId: 'r', name: 'x', format: 'csv' } as const
    return nouns.imports
      .check(() => ['id\n'], wanted)
      .then((checked) => nouns.imports.apply(() => ['id\n'], { ...wanted, checked }))
  },
}

/** Everything that is stored of a realm, but the head and where it went. */
async function dumpOf(realm: number): Promise<string> {
  const tables = await rowsOf(
    database.superuserUrl,
    `select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'realm'
      where c.relnamespace = 'exchequer'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname not in ('heads', 'departed') order by 1`,
  )
  const all = tables.map(
    ({ name }) => `select '${name}' as kept, to_jsonb(t) - 'tree' as row from ${name} t where realm = $1`,
  )
  const rows = await rowsOf(
    database.superuserUrl,
    `select * from (${all.join(' union all ')}) f order by f.kept, f.row::text`,
    [realm],
  )
  return rows.map(({ kept, row }) => `${kept} ${JSON.stringify(row)}`).join('\n')
}

/** A session that pauses a realm as a move does. */
async function mover(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  await client.query(`set search_path = exchequer; set lock_timeout = '2s'`)
  return client
}

async function lockAlone(client: pg.Client, realm: number): Promise<void> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock(1163415379, $1)', [realm])
}

async function takeHead(client: pg.Client, realm: number): Promise<void> {
  await client.query(
    `insert into departed (realm, place, to_cell, seq, hash, head)
      select realm, 2, 1, seq, hash, '{}' from heads where realm = $1 for update`,
    [realm],
  )
  await client.query('delete from heads where realm = $1', [realm])
}

const codeOf = (write: Promise<unknown>): Promise<unknown> =>
  write.then(
    () => 'done',
    (error: unknown) => (error instanceof RefusalError ? error.refusal.code : error),
  )

describe('a write that is open across a pause', () => {
  for (const [name, write] of Object.entries(transactions)) {
    it(`ends before it: ${name}`, async () => {
      const realm = await makeRealm()
      const { promise: bound, resolve: isBound } = Promise.withResolvers<void>()
      const { promise: open, resolve: go } = Promise.withResolvers<void>()
      gate = { realm: realm.number, bound: isBound, open }
      const client = await mover()
      try {
        const written = codeOf(write(realm))
        assert.equal(await Promise.race([bound, written]), undefined, 'it ended before it was held')
        await client.query(`set lock_timeout = '100ms'`)
        await assert.rejects(lockAlone(client, realm.number), { code: '55P03' })
        gate = undefined
        go()
        assert.equal(await written, 'done')
      } finally {
        gate = undefined
        go()
        await client.end()
      }
    })
  }
})

describe('a write that begins during a pause', () => {
  for (const [name, write] of Object.entries({ ...transactions, ...statements })) {
    it(`waits for it, is refused, and leaves nothing: ${name}`, async () => {
      const realm = await makeRealm()
      const client = await mover()
      try {
        await lockAlone(client, realm.number)
        await takeHead(client, realm.number)
        const before = await dumpOf(realm.number)
        let hasEnded = false
        const written = codeOf(write(realm)).finally(() => {
          hasEnded = true
        })
        await sleep(100)
        assert.equal(hasEnded, false, 'it did not wait')
        await client.query('commit')
        assert.equal(await written, 'wrong_cell')
        assert.equal(await dumpOf(realm.number), before)
      } finally {
        await client.end()
      }
    })
  }
})

it('work on many realms at once goes on without one that has gone', async () => {
  const [here, gone] = [await makeRealm(), await makeRealm()]
  const client = await mover()
  await lockAlone(client, gone.number)
  await takeHead(client, gone.number)
  await client.query('commit')
  await client.end()
  const { realms } = await plain.transaction((tx) => bindPresent(tx, [gone.number, here.number, 0]))
  assert.deepEqual(realms, [0, here.number])
})
