import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { adjust, hooks, post, until } from './hooked.ts'
import { Stoppable } from './stoppable.ts'

/** Which process delivers, when one is killed, stopped or slow. */

const servers = new Stoppable()
const { hooked, rows, hurry } = hooks(servers.made)
const leaseMs = 5_000
/** The time between two looks for endpoints with something to send, and what a slow machine needs. */
const lookMs = 2_000 + 4_000

/** A second process, which ends with the test. */
async function anotherProcess(test: TestContext) {
  const process = await servers.another()
  test.after(async () => {
    process.child.kill('SIGKILL')
    await until(async () => process.child.signalCode !== null)
  })
  return process
}

const leftMs = async (): Promise<number> => {
  const [row] = await rows(`select extract(epoch from max(leased_until) - now())::float8 * 1000 as left
    from endpoints where lease is not null`)
  return Number(row?.left ?? 0)
}

describe('an endpoint', () => {
  it('is delivered by another process within seconds after its own was killed', async (test) => {
    const realm = await hooked()
    await anotherProcess(test)
    realm.to.respond = () => {}
    await adjust(realm, 1)
    await realm.to.until(1)
    servers.server.child.kill('SIGKILL')
    const killedMs = performance.now()
    const left = await leftMs()
    assert.ok(left > 0 && left <= leaseMs, `its lease ends in ${left} ms`)
    realm.to.respond = (_, response) => void response.end()
    await realm.to.until(2, leaseMs + lookMs)
    test.diagnostic(`delivered ${Math.round(performance.now() - killedMs)} ms after the kill`)
    await servers.start()
  })

  it('is released at once by a process that stops, though a receiver does not respond', async (test) => {
    const realm = await hooked()
    realm.to.answer(500)
    await adjust(realm, 1)
    await until(async () => (await realm.webhook())['parked'] === 1)
    realm.to.respond = () => {}
    await hurry()
    await realm.to.until(2)
    const startedMs = performance.now()
    await servers.server.stop()
    const tookMs = performance.now() - startedMs
    test.diagnostic(`stopped within ${Math.round(tookMs)} ms`)
    assert.ok(tookMs < 6_000, `it took ${tookMs} ms`)
    assert.equal(await leftMs(), 0)
    realm.to.respond = (_, response) => void response.end()
    await servers.start()
    await realm.to.until(3, lookMs)
  })

  it('stays with its process while a delivery takes longer than the lease', async (test) => {
    const realm = await hooked({ ordered: true })
    await anotherProcess(test)
    realm.to.respond = async (_, response) => {
      await sleep(leaseMs + 3_500)
      response.end()
    }
    await adjust(realm, 1)
    await until(async () => (await realm.webhook())['seq'] === '1', 20_000)
    assert.equal(realm.to.got.length, 1)
  })

  it('is left to others by a process that was stopped for longer than its lease', async (test) => {
    const realm = await hooked({ ordered: true })
    const first = servers.server.child
    test.after(() => first.kill('SIGCONT'))
    // A process that continues can use its connection.
    realm.to.keepAliveMs = 60_000
    realm.to.respond = async (_, response) => {
      await sleep(15)
      response.end()
    }
    // The first process is busy with them until the second one has started.
    await post(realm, 2_000)
    await realm.to.until(1)
    await anotherProcess(test)
    first.kill('SIGSTOP')
    const stopped = realm.to.got.length
    assert.ok(stopped < 1_500, `${stopped} were sent`)
    await realm.to.until(stopped + 60, leaseMs + lookMs)
    first.kill('SIGCONT')
    const continued = realm.to.got.length
    await realm.to.until(continued + 100)
    const highest = Math.max(...realm.to.seqs.slice(0, continued))
    // One may have been on its way to the socket when the process was stopped.
    const late = realm.to.seqs.slice(continued).filter((seq) => seq <= highest)
    assert.ok(late.length <= 1, `the first process went on with ${late.join()}`)
    await realm.send(`DELETE /webhooks/${realm.webhookId}`)
  })
})
