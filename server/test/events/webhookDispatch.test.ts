import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { moreApps } from '../../../tests/support/apps.ts'
import { suite } from '../../../tests/support/suite.ts'
import { hooks, post, until } from './hooked.ts'

const allow = { WEBHOOK_ALLOW: '127.0.0.0/8' }
const anotherApp = moreApps()
const made = suite(allow)
const { hooked, rows } = hooks(made)

describe('deliveries', () => {
  it('of a backlog are all sent, none twice, for 2 ms of CPU time each with their receiver', async () => {
    const realm = await hooked()
    await realm.send(`PATCH /webhooks/${realm.webhookId}`, { state: 'disabled' })
    await post(realm, 6_000)
    const cpu = process.cpuUsage()
    await realm.send(`PATCH /webhooks/${realm.webhookId}`, { state: 'active', window: 16 })
    await realm.to.until(6_000, 30_000)
    const { user, system } = process.cpuUsage(cpu)
    await until(async () => (await realm.webhook())['seq'] === '6000')
    assert.deepEqual(
      [...realm.to.seqs].sort((a, b) => a - b),
      Array.from({ length: 6_000 }, (_, at) => at + 1),
    )
    // Not by the clock: other programs may be using this machine.
    const msEach = (user + system) / 1_000 / 6_000
    assert.ok(msEach < 2, `${msEach} ms each`)
    const { json } = await realm.send(`GET /webhooks/${realm.webhookId}/deliveries?limit=1000`)
    assert.equal(json.data.length, 1_000)
    assert.equal(
      (await rows('select count(*)::integer as n from deliveries where endpoint = $1', [realm.webhookId]))[0]
        ?.n,
      1_000,
    )
  })

  it('are never further apart than the window', async () => {
    const realm = await hooked({ window: 4 })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    realm.to.respond = async ({ event }, response) => {
      if (event.data.seq === '1') await held
      response.end()
    }
    await post(realm, 50)
    await realm.to.until(4)
    await sleep(300)
    assert.deepEqual(
      realm.to.seqs.toSorted((a, b) => a - b),
      [1, 2, 3, 4],
    )
    release()
    await realm.to.until(50)
  })

  it('do not wait for one that hangs while changes need the thread', async () => {
    const [realm, other] = [await hooked({ window: 4 }), await hooked()]
    realm.to.respond = async ({ event }, response) => {
      if (event.data.seq !== '1') response.end()
    }
    let isOver = false
    const load = (async () => {
      while (!isOver) {
        await post(other, 20)
        const untilMs = performance.now() + 40
        while (performance.now() < untilMs);
      }
    })()
    try {
      await sleep(300)
      await post(realm, 50)
      await realm.to.until(4)
    } finally {
      isOver = true
      await load
    }
  })

  it('are in order one after the other, if the webhook is ordered', async () => {
    const realm = await hooked({ ordered: true })
    let underWay = 0
    realm.to.respond = async (_, response) => {
      underWay += 1
      assert.equal(underWay, 1)
      await sleep(Math.random() * 4)
      underWay -= 1
      response.end()
    }
    await post(realm, 60)
    await realm.to.until(60)
    assert.deepEqual(
      realm.to.seqs,
      Array.from({ length: 60 }, (_, at) => at + 1),
    )
    const previous = realm.to.got.map(({ event }) => event.data.previous)
    assert.deepEqual(previous, [null, ...realm.to.seqs.slice(0, -1).map(String)])
  })

  it('are each by one process, however many there are', async () => {
    await anotherApp(made, allow)
    const realm = await hooked()
    for (let turn = 0; turn < 5; turn++) {
      await post(realm, 40)
      await sleep(300)
    }
    await realm.to.until(200)
    await sleep(500)
    assert.equal(realm.to.got.length, 200)
    assert.equal(new Set(realm.to.ids).size, 200)
  })
})
