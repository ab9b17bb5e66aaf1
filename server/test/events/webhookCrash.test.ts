import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { managed } from '../../../tests/support/manager.ts'
import { environment, type ServerProcess, startServerProcess } from '../../../tests/support/process.ts'
import { freshDatabase, type Suite, testConfig } from '../../../tests/support/suite.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { Checkpoints } from '../../src/events/checkpoints/index.ts'
import { Webhooks } from '../../src/events/webhooks/index.ts'
import { History } from '../../src/ledger/index.ts'
import { Members } from '../../src/members/index.ts'
import { Configs } from '../../src/realms/index.ts'
import { adjust, hooks, post, until } from './hooked.ts'

/** Webhooks of a server that is killed, and of one whose clock the test sets. */

const made = {} as Suite
let server: ServerProcess

async function start(): Promise<void> {
  server = await startServerProcess(environment(made.database, { WEBHOOK_ALLOW: '127.0.0.0/8' }))
  made.app = { url: server.baseUrl } as Suite['app']
}

before(async () => {
  made.database = await freshDatabase()
  await start()
})
after(async () => {
  await server?.stop()
  await made.database?.drop()
})
const { listen, hooked, rows } = hooks(made)

describe('a process that is killed', () => {
  it('loses no event: another one sends what had no response, some of it twice', async () => {
    const realm = await hooked({ window: 4 })
    const first = server
    realm.to.respond = async (_, response) => {
      if (realm.to.got.length === 60) first.child.kill('SIGKILL')
      await sleep(5)
      response.end()
    }
    await post(realm, 200)
    await until(async () => first.child.signalCode !== null)
    const sent = realm.to.got.length
    assert.ok(sent >= 60 && sent < 200, `${sent} were sent`)
    await start()
    // Its lease, which no process extends, ends after 30 seconds.
    await rows(`update endpoints set leased_until = now()`)
    await until(async () => (await realm.webhook())['seq'] === '200', 20_000)
    assert.equal(new Set(realm.to.ids).size, 200)
    assert.ok(realm.to.got.length > 200 && realm.to.got.length < 300, `${realm.to.got.length} were sent`)
  })
})

/** Webhooks in this process, on the same database, while no server runs. */
async function alone(now: () => number, work: (webhooks: Webhooks, db: Counted) => Promise<void>) {
  await server.stop()
  const db = counted(openDatabase(made.database.serverUrl))
  const history = new History(db, new Members(db, new Configs()))
  const { keySecrets: secrets } = testConfig(made.database)
  const checkpoints = new Checkpoints({ db, keys: undefined })
  const options = { db, history, checkpoints, secrets, agentName: 'test', onFault: assert.fail, now }
  const webhooks = new Webhooks({ ...options, allow: ['127.0.0.0/8'] })
  try {
    await work(webhooks, db)
  } finally {
    await webhooks.close()
    await db.close()
    await start()
  }
}

type Counted = Database & { readonly asked: () => number }

/** Counts its statements; a transaction is one. */
function counted(db: Database): Counted {
  let count = 0
  const query: Database['query'] = (statement, values) => {
    count += 1
    return db.query(statement, values)
  }
  const within: Database['within'] = (realms) => {
    const own = db.within(realms)
    return {
      query: (statement, values) => {
        count += 1
        return own.query(statement, values)
      },
    }
  }
  const transaction: Database['transaction'] = (work) => {
    count += 1
    return db.transaction(work)
  }
  return { ...db, query, within, transaction, asked: () => count }
}

describe('a webhook that fails for days', () => {
  it('is disabled after five of them, with attempts by the schedule', async () => {
    const realm = await hooked({ ordered: true })
    realm.to.respond = (_, response) => void response.writeHead(500).end()
    await adjust(realm, 1)
    await until(async () => (await realm.webhook())['failures'] === 1)
    const found = await rows('select realm from endpoints order by created_at desc limit 1')
    const at = { realm: Number(found[0]?.realm), number: Number(realm.webhookId) }
    const startedMs = Date.now()
    let nowMs = startedMs
    await alone(
      () => nowMs,
      async (webhooks) => {
        const states: string[] = []
        for (let attempt = 1; attempt <= 40; attempt++) {
          await until(async () => (await webhooks.get(at)).failures === attempt)
          const { state, nextAttemptAt } = await webhooks.get(at)
          states.push(state)
          if (nextAttemptAt === null) break
          nowMs = Date.parse(nextAttemptAt)
        }
        assert.deepEqual(states.slice(0, 8), [...Array(7).fill('active'), 'waiting'])
        assert.equal(states.at(-1), 'disabled')
        const days = (nowMs - startedMs) / 86_400_000
        assert.ok(days >= 5 && days < 5.5, `${days} days`)
        assert.equal(realm.to.got.length, states.length)
      },
    )
  })
})

describe('100 idle webhooks', () => {
  it('cost less than one statement a second', async () => {
    const to = await listen()
    for (const realm of [await managed(made), await managed(made)])
      for (let turn = 0; turn < 50; turn++) await realm.send('POST /webhooks', { url: to.url })
    await alone(Date.now, async (_, db) => {
      await sleep(2_500)
      const before = db.asked()
      await sleep(6_000)
      const asked = db.asked() - before
      assert.ok(asked >= 2 && asked <= 4, `${asked} statements in 6 seconds`)
    })
  })
})
