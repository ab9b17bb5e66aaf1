import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { moreApps } from '../../../tests/support/apps.ts'
import { drip } from '../../../tests/support/slow.ts'
import { suite } from '../../../tests/support/suite.ts'
import { head } from '../../../tests/support/wire.ts'

const appOf = moreApps()
const made = suite()
const get = head('GET /healthz', {})

/** How many of four connections are answered, when each keeps its own open. */
async function answered(url: string, from: readonly string[]): Promise<number> {
  const held = from.map(async (address, place) => {
    await sleep(place * 5)
    return drip(url, { head: get, from: address }, 500)
  })
  return (await Promise.all(held)).filter(({ received }) => received.startsWith('HTTP/1.1 200')).length
}

describe('connections', () => {
  it('are limited by MAX_CONNECTIONS', async () => {
    const { url } = await appOf(made, { MAX_CONNECTIONS: '3' })
    assert.equal(await answered(url, ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']), 3)
  })

  it('are limited by MAX_CONNECTIONS_PER_ADDRESS', async () => {
    const { url } = await appOf(made, { MAX_CONNECTIONS_PER_ADDRESS: '2' })
    assert.equal(await answered(url, ['127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.3']), 3)
  })

  it('have a high default limit, also from one address', async () => {
    assert.equal(await answered(made.app.url, Array<string>(64).fill('127.0.0.2')), 64)
  })
})
