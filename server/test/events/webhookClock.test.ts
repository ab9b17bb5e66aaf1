import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Receiver } from '../../../tests/support/receiver.ts'
import { trimLogs } from '../../src/events/webhooks/logStore.ts'
import { Upkeep } from '../../src/events/webhooks/upkeep.ts'
import { adjust, type Hooked, hooks, post, until } from './hooked.ts'
import { Stoppable } from './stoppable.ts'

/** Webhooks whose clock the test sets: how long a log is kept, and when an event is tried again. */

const servers = new Stoppable()
const { listen, hooked, rows } = hooks(servers.made)
const by = { name: 'a test', address: null, requestId: null }
const second = 1_000
const day = 86_400 * second

/** As the modules name an endpoint. */
async function placeOf({ id, webhookId }: Hooked) {
  const [found] = await rows('select realm from settings where realm_id = $1', [id])
  return { realm: Number(found?.realm), number: Number(webhookId) }
}

describe('the log of deliveries', () => {
  it('keeps 1,000 of an endpoint, and none for longer than 7 days', async () => {
    const hook = await hooked()
    await hook.send(`PATCH /webhooks/${hook.webhookId}`, { state: 'disabled' })
    await post(hook, 1_200)
    const at = await placeOf(hook)
    const logged = async () => {
      const text = 'select n from deliveries where realm = $1 and endpoint = $2 order by n'
      return (await rows(text, [at.realm, at.number])).map(({ n }) => Number(n))
    }
    let agoMs = 7 * day + 60 * second
    await servers.alone(
      () => Date.now() - agoMs,
      async (webhooks, db) => {
        const listed = async () => (await webhooks.deliveries(at, { below: undefined, limit: 1_000 })).length
        await webhooks.change(at, { state: 'active' }, by)
        await hook.to.until(1_200, 30_000)
        await until(async () => (await logged()).at(-1) === 1_200)
        assert.deepEqual([(await logged()).length, (await logged())[0]], [1_000, 201])
        // They are too old to be shown before they are deleted.
        assert.equal(await listed(), 0)
        agoMs = 7 * day - 60 * second
        await webhooks.test(at, { realmId: hook.id, by })
        assert.deepEqual([(await logged()).length, await listed()], [1_000, 1])
        mock.timers.enable({ apis: ['setInterval'] })
        const onFault = (error: unknown) => assert.fail(String(error))
        const upkeep = new Upkeep(db, [(most) => trimLogs(db, most)], { onFault })
        mock.timers.tick(300 * second)
        mock.timers.reset()
        await until(async () => (await logged()).length === 1)
        await upkeep.close()
        assert.deepEqual([await logged(), await listed()], [[1_201], 1])
      },
    )
  })
})

describe('Retry-After', () => {
  const delays = {
    'a 429': { status: 429, header: () => '120', ordered: false, leastS: 120 },
    'a 429 of an ordered webhook': { status: 429, header: () => '120', ordered: true, leastS: 120 },
    'a 503 with a date': {
      status: 503,
      header: () => new Date(Date.now() + 600 * second).toUTCString(),
      ordered: false,
      leastS: 598,
    },
    'a 503 with two hours': { status: 503, header: () => '7200', ordered: false, leastS: 3_600 },
    'a 500, which has no such header': { status: 500, header: () => '7200', ordered: false, leastS: 5 },
  }

  it('of a 429 and 503 is respected, up to an hour', async () => {
    const hook = await hooked()
    const receivers = new Map<string, { readonly to: Receiver; readonly leastS: number }>()
    for (const [name, { status, header, ordered, leastS }] of Object.entries(delays)) {
      const to = await listen()
      to.respond = (_, response) => {
        const isFirst = to.got.length === 1
        response.writeHead(isFirst ? status : 200, isFirst ? { 'retry-after': header() } : {}).end()
      }
      assert.equal((await hook.send('POST /webhooks', { url: to.url, ordered })).status, 201)
      receivers.set(name, { to, leastS })
    }
    const sentMs = Date.now()
    await adjust(hook, 1)
    for (const { to } of receivers.values()) await to.until(1)
    await until(async () => {
      const { data } = (await hook.send('GET /webhooks')).json
      const failures = data.map((one: { failures: number }) => one.failures)
      return failures.filter((count: number) => count === 1).length === receivers.size
    })
    // Between two of these times every delivery that is due is made, and no other.
    const stepsS = [4, 20, 110, 140, 590, 620, 3_590, 3_620]
    let nowMs = sentMs
    await servers.alone(
      () => nowMs,
      async () => {
        for (const stepS of stepsS) {
          nowMs = sentMs + stepS * second
          const due = [...receivers.values()].filter(({ leastS }) => leastS < stepS)
          await until(async () => due.every(({ to }) => to.got.length === 2))
          // Longer than the time between two looks.
          await sleep(2_300)
          const got = [...receivers].map(([name, { to, leastS }]) => [name, leastS < stepS, to.got.length])
          assert.deepEqual(
            got,
            got.map(([name, isDue]) => [name, isDue, isDue ? 2 : 1]),
            `after ${stepS} s`,
          )
        }
      },
    )
  })
})
