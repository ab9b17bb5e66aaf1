import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { managed } from '../../../tests/support/manager.ts'
import { adjust, hooks, post, until } from './hooked.ts'
import { Stoppable } from './stoppable.ts'

/** Webhooks of a server that is killed, and of one whose clock the test sets. */

const servers = new Stoppable()
const { made } = servers
const { listen, hooked, rows } = hooks(made)

describe('a process that is killed', () => {
  it('loses no event: another one sends what had no response, some of it twice', async () => {
    const realm = await hooked({ window: 4 })
    const first = servers.server
    realm.to.respond = async (_, response) => {
      if (realm.to.got.length === 60) first.child.kill('SIGKILL')
      await sleep(5)
      response.end()
    }
    await post(realm, 200)
    await until(async () => first.child.signalCode !== null)
    const sent = realm.to.got.length
    assert.ok(sent >= 60 && sent < 200, `${sent} were sent`)
    await servers.start()
    await until(async () => (await realm.webhook())['seq'] === '200', 20_000)
    assert.equal(new Set(realm.to.ids).size, 200)
    assert.ok(realm.to.got.length > 200 && realm.to.got.length < 300, `${realm.to.got.length} were sent`)
  })
})

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
    await servers.alone(
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
    await servers.alone(Date.now, async (_, db) => {
      await sleep(2_500)
      const before = db.asked()
      await sleep(6_000)
      const asked = db.asked() - before
      assert.ok(asked >= 2 && asked <= 4, `${asked} statements in 6 seconds`)
    })
  })
})
