import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertBooks, rowsOf } from '../../tests/support/books.ts'
import { makeRealm } from '../../tests/support/fixture.ts'
import { Client } from '../../tests/support/load.ts'
import {
  environment,
  operatorToken,
  type ServerProcess,
  startServerProcess,
} from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'

let database: TestDatabase
before(async () => {
  database = await freshDatabase()
})
after(() => database?.drop())

const openRealm = (baseUrl: string) =>
  makeRealm({ baseUrl, token: operatorToken }, { unknownMembers: 'create' })

/** The exit code after SIGTERM; a server that does not exit in time is killed. */
async function stopped(server: ServerProcess, withinMs: number): Promise<number | null | string> {
  const late = setTimeout(() => server.child.kill('SIGKILL'), withinMs)
  const code = await server.stop()
  clearTimeout(late)
  return server.child.signalCode ?? code
}

async function pointsIn(realm: string): Promise<number> {
  const [row] = await rowsOf(
    database.superuserUrl,
    `select sum(b.balance)::integer as points from balances b join realms r on r.realm = b.realm
      where r.id = $1`,
    [realm],
  )
  return row.points
}

describe('a server that is asked to stop', () => {
  it('answers every request that was sent before, and exits with 0', async () => {
    const server = await startServerProcess(environment(database))
    const realm = await openRealm(server.baseUrl)
    const unanswered: string[] = []
    let done = 0
    const clients = Array.from({ length: 32 }, () => new Client(server.baseUrl, realm))
    const load = clients.map(async (client) => {
      for (;;) {
        try {
          const { status, json, last } = await client.write({ member: '1', tokens: 1 })
          if (status === 200) done += 1
          else unanswered.push(JSON.stringify(json))
          if (last) return
        } catch (error) {
          const { code } = error as { code?: string }
          // The port is closed: this request was never sent.
          if (code !== 'ECONNREFUSED') unanswered.push(String(error))
          return
        }
      }
    })
    // In the midst of the load, however slow this machine is.
    const endMs = performance.now() + 30_000
    while (done <= 100 && performance.now() < endMs) await sleep(20)
    assert.ok(done > 100, `${done} answers`)
    const code = await stopped(server, 8_000)
    await Promise.all(load)
    for (const client of clients) client.close()
    assert.equal(code, 0)
    assert.equal(await pointsIn(realm.id), done)
    await assertBooks(database)
    assert.deepEqual(unanswered, [])
  })

  it('exits with 0 too when its clients disconnect at the same time', async () => {
    const server = await startServerProcess(environment(database))
    const realm = await openRealm(server.baseUrl)
    const clients = Array.from({ length: 200 }, () => new Client(server.baseUrl, realm))
    let over = false
    const load = clients.map(async (client) => {
      while (!over) await client.write({ member: '1', tokens: 1 }).catch(() => sleep(5))
    })
    await sleep(1_000)
    over = true
    for (const client of clients) client.close()
    const code = await stopped(server, 8_000)
    await Promise.all(load)
    assert.equal(code, 0)
    await assertBooks(database)
  })
})
