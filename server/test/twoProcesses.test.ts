import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertBooks, rowsOf } from '../../tests/support/books.ts'
import { award, makeRealm, type RealmAccess } from '../../tests/support/fixture.ts'
import { Client } from '../../tests/support/load.ts'
import { manage } from '../../tests/support/operator.ts'
import {
  environment,
  operatorToken,
  type ServerProcess,
  startServerProcess,
} from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'

const runMs = 20_000
const clientsEach = 32
const members = Array.from({ length: 20 }, (_, index) => String(1_000 + index))
const seeded = 1_000_000

let database: TestDatabase
const servers: ServerProcess[] = []
before(async () => {
  database = await freshDatabase()
})
after(async () => {
  for (const server of servers) await server.stop()
  await database?.drop()
})

const pick = () => members[Math.floor(Math.random() * members.length)] ?? ''

/** From the responses: every change of a balance, and every seq. */
class ResponseLog {
  readonly changes = new Map<string, number>()
  readonly numbers: number[] = []
  readonly errors: string[] = []

  add(member: string, by: number): void {
    this.changes.set(member, (this.changes.get(member) ?? 0) + by)
  }
}

/** Writes continuously until the time is over: two thirds adjusts, one third transfers. */
async function work(client: Client, log: ResponseLog, endMs: number): Promise<void> {
  while (Date.now() < endMs) {
    const member = pick()
    const tokens = 1 + Math.floor(Math.random() * 9)
    const kind = Math.floor(Math.random() * 3)
    const recipientId = pick()
    const transfers = kind === 0 && recipientId !== member
    const by = kind === 1 ? tokens : -tokens
    const write = transfers ? { member, tokens, recipientId } : { member, tokens: by }
    try {
      const { status, json } = await client.write(write)
      if (status !== 200) log.errors.push(JSON.stringify(json))
      else {
        log.add(member, transfers ? -tokens : by)
        if (transfers) log.add(recipientId, tokens)
        log.numbers.push(Number(json.transactionId))
      }
    } catch (error) {
      log.errors.push(String(error))
    }
  }
}

async function startBoth(): Promise<RealmAccess> {
  servers.push(...(await Promise.all([1, 2].map(() => startServerProcess(environment(database))))))
  const [first] = servers
  const baseUrl = first?.baseUrl ?? ''
  const realm = await makeRealm({ baseUrl, token: operatorToken })
  const list = members.map((id) => ({ id }))
  assert.equal((await manage(baseUrl, `POST /realms/${realm.id}/members`, { members: list })).status, 200)
  await award(baseUrl, realm, Object.fromEntries(members.map((member) => [member, seeded])))
  return realm
}

describe('two processes on one database', () => {
  it('write the same members concurrently without losing, doubling or misnumbering an entry', async () => {
    const realm = await startBoth()
    const log = new ResponseLog()
    const clients = servers.flatMap(({ baseUrl }) =>
      Array.from({ length: clientsEach }, () => new Client(baseUrl, realm)),
    )
    const endMs = Date.now() + runMs
    await Promise.all(clients.map((client) => work(client, log, endMs)))
    for (const client of clients) client.close()
    const perSecond = Math.round((log.numbers.length * 1_000) / runMs)
    console.log(`two processes, ${clients.length} connections, one realm: ${perSecond} writes/s`)

    assert.deepEqual([...new Set(log.errors)].slice(0, 3), [])
    const stored = await rowsOf(
      database.superuserUrl,
      'select m.id, b.balance from balances b join members m using (realm, account) order by m.id',
    )
    assert.deepEqual(
      stored.map(({ id, balance }) => [id, Number(balance)]),
      members.map((member) => [member, seeded + (log.changes.get(member) ?? 0)]),
    )
    log.numbers.sort((a, b) => a - b)
    const firstAfterSeeding = members.length + 1
    const misnumbered = log.numbers.findIndex((number, index) => number !== firstAfterSeeding + index)
    assert.equal(misnumbered, -1, `entry ${firstAfterSeeding + misnumbered} was answered never or twice`)
    await assertBooks(database)
  })

  it('stop without an error', async () => {
    for (const server of servers.splice(0)) assert.equal(await server.stop(), 0)
  })
})
