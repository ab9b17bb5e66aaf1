import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertBooks, rowsOf } from '../../tests/support/books.ts'
import { award, makeRealm, type RealmAccess } from '../../tests/support/fixture.ts'
import { Client, type SentRequest } from '../../tests/support/load.ts'
import { manage } from '../../tests/support/operator.ts'
import {
  environment,
  operatorToken,
  type ServerProcess,
  startServerProcess,
} from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'

/** One limited key, used on two processes at once, beside a key without limits. */
const atOnce = 500
const tokens = 3
const maxPerDay = 400
const fits = Math.floor(maxPerDay / tokens)
const members = ['1', '2', '3', '4', '5']
const seeded = 1_000_000

let database: TestDatabase
const servers: ServerProcess[] = []
before(async () => {
  database = await freshDatabase()
  servers.push(...(await Promise.all([1, 2].map(() => startServerProcess(environment(database))))))
})
after(async () => {
  for (const server of servers) await server.stop()
  await database?.drop()
})

const first = (): string => servers[0]?.baseUrl ?? ''

async function seededRealm(): Promise<RealmAccess> {
  const realm = await makeRealm({ baseUrl: first(), token: operatorToken })
  const list = members.map((id) => ({ id }))
  await manage(first(), `POST /realms/${realm.id}/members`, { members: list })
  await award(first(), realm, Object.fromEntries(members.map((id) => [id, seeded])))
  return realm
}

async function limitedKey(realm: RealmAccess, limits: object): Promise<{ id: string; key: string }> {
  const { status, json } = await manage(first(), `POST /realms/${realm.id}/keys`, limits)
  assert.equal(status, 201)
  return json
}

const memberAt = (index: number): string => members[index % members.length] ?? ''

/** Sends as many requests at once, each on a connection of its own, to both processes in turn. */
async function sendAtOnce(realm: RealmAccess, count: number): Promise<SentRequest[]> {
  const clients = Array.from(
    { length: count },
    (_, index) => new Client(servers[index % servers.length]?.baseUrl ?? '', realm),
  )
  const answers = await Promise.all(
    clients.map((client, index) => {
      const member = memberAt(index)
      if (index % 3 === 0) return client.write({ member, tokens, recipientId: memberAt(index + 1) })
      return client.write({ member, tokens: index % 3 === 1 ? tokens : -tokens })
    }),
  )
  for (const client of clients) client.close()
  return answers
}

describe('two processes and a key with a limit per day', () => {
  it(`of ${atOnce} changes at once exactly those are made that fit, while another key writes`, async () => {
    const realm = await seededRealm()
    const { id, key } = await limitedKey(realm, { maxPerDay })
    const [answers, others] = await Promise.all([
      sendAtOnce({ ...realm, key }, atOnce),
      sendAtOnce(realm, 100),
    ])
    const counts: Record<string, number> = {}
    for (const { status, json } of answers) {
      const name = status === 200 ? 'done' : `${status} ${json.code}`
      counts[name] = (counts[name] ?? 0) + 1
    }
    const [row] = await rowsOf(
      database.superuserUrl,
      `select (select sum(amount) from journal where key = $1) as entries,
        (select sum(moved) from key_days where key = $1) as moved`,
      [Number(id)],
    )
    assert.deepEqual([Number(row.entries), Number(row.moved)], [fits * tokens, fits * tokens])
    assert.deepEqual(counts, { done: fits, '422 key_limit': atOnce - fits })
    assert.ok(others.every(({ status }) => status === 200))
    await assertBooks(database)
  })

  it('a key without one writes nothing about it', async () => {
    const realm = await seededRealm()
    const { id, key } = await limitedKey(realm, { maxPerChange: tokens })
    const answers = await sendAtOnce({ ...realm, key }, 20)
    assert.ok(answers.every(({ status }) => status === 200))
    const rows = await rowsOf(
      database.superuserUrl,
      'select * from key_days d join realms r using (realm) where r.id = $1 and d.key = $2',
      [realm.id, Number(id)],
    )
    assert.equal(rows.length, 0)
  })
})
