import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertBooks, rowsOf } from '../../tests/support/books.ts'
import { call } from '../../tests/support/call.ts'
import { makeRealm, type RealmAccess } from '../../tests/support/fixture.ts'
import {
  environment,
  operatorToken,
  type ServerProcess,
  startServerProcess,
} from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'

/** Awards that fall due at once, with two processes on one database. */

const count = 600
let database: TestDatabase
let servers: ServerProcess[] = []
let realm: RealmAccess

before(async () => {
  database = await freshDatabase()
  servers = await Promise.all([1, 2].map(() => startServerProcess(environment(database))))
  const baseUrl = servers[0]?.baseUrl ?? ''
  realm = await makeRealm({ baseUrl, token: operatorToken }, { unknownMembers: 'create' })
})
after(async () => {
  for (const server of servers) await server.stop()
  await database?.drop()
})

const send = (server: ServerProcess | undefined, path: string, body: object) =>
  call('POST', `${server?.baseUrl}/api/v4/realms/${realm.id}${path}`, { key: realm.key, body })

const counted = async (condition: string): Promise<number> =>
  Number((await rowsOf(database.superuserUrl, `select count(*) as count from ${condition}`))[0].count)

/** Awards of 1 point to ten members, all due at the same time. */
async function promise(dueInMs: number): Promise<void> {
  const grantAt = new Date(Date.now() + dueInMs).toISOString()
  const first = servers.find(({ child }) => child.exitCode === null && child.signalCode === null)
  for (let from = 0; from < count; from += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        send(first, `/members/${1 + (n % 10)}/awards`, { tokens: 1, grantAt }),
      ),
    )
    for (const { status, text } of answers) assert.equal(status, 201, text)
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 600; turn++) {
    if ((await counted('awards where ended_seq is null')) === 0) return
    await sleep(100)
  }
  assert.fail('awards are still pending')
}

/** Each award has one grant, and nothing else ended it. */
async function assertOnce(awards: number): Promise<void> {
  assert.equal(await counted('journal where kind = 12'), awards)
  assert.equal(await counted('journal where kind = 13'), awards)
  assert.equal(
    await counted('(select link from journal where kind = 13 group by link having count(*) > 1) d'),
    0,
  )
  const [{ pending }] = await rowsOf(
    database.superuserUrl,
    'select coalesce(sum(balance), 0)::integer as pending from balances where account < -1073741824',
  )
  assert.equal(pending, 0)
  await assertBooks(database)
}

describe('awards that are due', () => {
  it('are granted exactly once by two processes, although clients send grants too', async () => {
    await promise(3_000)
    const seqs = await rowsOf(database.superuserUrl, 'select seq from awards order by seq limit 40')
    await sleep(3_000)
    const answers = await Promise.all(
      seqs.map(({ seq }, n) => send(servers[n % 2], `/awards/${seq}/grant`, {})),
    )
    for (const { status, text } of answers) assert.ok(status === 200 || /award_ended/.test(text), text)
    await settled()
    await assertOnce(count)
  })

  it('are granted exactly once although the process that does it is killed', async () => {
    // The one that is left takes the lease, and keeps it when another starts.
    await servers.pop()?.stop()
    await sleep(2_500)
    servers.push(await startServerProcess(environment(database)))
    await promise(2_000)
    for (let turn = 0; turn < 400; turn++) {
      if ((await counted('journal where kind = 13')) > count + 20) break
      await sleep(5)
    }
    servers[0]?.child.kill('SIGKILL')
    await settled()
    await assertOnce(2 * count)
    servers.shift()
  })
})
