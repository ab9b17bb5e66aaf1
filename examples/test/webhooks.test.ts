import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rich } from '../../tests/support/fixture.ts'
import { suite } from '../../tests/support/suite.ts'
import { type Order, reserve } from '../shop/shop.ts'
import { endAll, hooked, start, unreachable, until } from './program.ts'

const made = suite({ WEBHOOK_ALLOW: '127.0.0.0/8' })
const folder = mkdtempSync(join(tmpdir(), 'example-webhooks-'))
after(() => rmSync(folder, { recursive: true, force: true }))
endAll()

const orderOf = (id: string): Order => ({ id, buyerId: rich, item: 'a hat', price: 30 })
const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** The headers of a webhook with a signature of the wrong secret. */
const forged = {
  'webhook-id': 'evt_1_0123456789abcdef',
  'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
  'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
}

async function shop(name: string) {
  const settings = () => ({ types: ['hold.created'], includeDetails: true })
  const hook = await hooked(made, { tokens: 100, settings })
  const [file, inbox] = [join(folder, `${name}.txt`), join(folder, `shop-${name}.sqlite`)]
  const balance = async () => (await hook.client.member(rich).get()).tokenBalance
  return { ...hook, balance, file, env: { ...hook.env, DELIVERIES: file, INBOX: inbox } }
}

describe('the warehouse of the shop', () => {
  it('delivers and charges once for each order, though its webhook arrives twice', async () => {
    const { client, port, env, file, balance, replay } = await shop('twice')
    const { said } = await start('shop/warehouse.ts', { port, env })
    // A hold of another program is not an order.
    await client.member(rich).hold(5, { reference: 'not-an-order', reason: 'another program' })
    await reserve(client, orderOf('order-1'))
    await until(
      () => said.out.includes(': sold'),
      () => said.err,
    )
    await replay()
    await sleep(200)
    assert.equal(textOf(file), `order-1 a hat to ${rich}\n`)
    assert.equal(said.out.match(/: sold/g)?.length, 1, said.out)
    assert.equal(await balance(), 65)
    const { data } = await client.holds().page()
    assert.deepEqual(
      data.map(({ tokens }) => tokens),
      [5],
    )
  })

  it('responds before it works, and handles after a restart what it has stored', async () => {
    const { client, port, env, file, balance, deliveries } = await shop('restarted')
    const away = await unreachable()
    const first = await start('shop/warehouse.ts', { port, env: { ...env, URL: away } })
    await reserve(client, orderOf('order-2'))
    await until(
      async () => (await deliveries()).some(({ status }) => status === 204),
      () => first.said.err,
    )
    assert.equal(textOf(file), '')
    await first.kill()
    const second = await start('shop/warehouse.ts', { port, env })
    await until(
      () => second.said.out.includes(': sold'),
      () => second.said.err,
    )
    assert.equal(textOf(file), `order-2 a hat to ${rich}\n`)
    assert.equal((await deliveries()).length, 1)
    assert.equal(await balance(), 70)
  })

  it('responds 401 to a forged signature, and does nothing', async () => {
    const { port, env, file } = await shop('forged')
    const { url, said } = await start('shop/warehouse.ts', { port, env })
    const body = JSON.stringify({
      type: 'hold.created',
      timestamp: new Date().toISOString(),
      data: {
        holdId: '1',
        fromId: rich,
        tokens: 1,
        reason: 'a hat',
        reference: 'x',
        metadata: { shop: 'examples' },
      },
    })
    for (const headers of [forged, {}]) {
      const answer = await fetch(url, { method: 'POST', headers, body })
      assert.equal(answer.status, 401, await answer.text())
    }
    await sleep(200)
    assert.deepEqual([said.out, textOf(file)], ['', ''])
  })
})

async function bot(name: string, tokens: number) {
  const hook = await hooked(made, {
    tokens,
    settings: ({ pointId: realmPointId }) => {
      const thresholds = [100, 1_000].map((least) => ({ realmPointId, tokens: least }))
      return { types: ['balance.crossed'], thresholds }
    },
  })
  const inbox = join(folder, `bot-${name}.sqlite`)
  return { ...hook, env: { ...hook.env, ROLES: '100=regular,1000=veteran', INBOX: inbox } }
}

const linesOf = ({ out }: { readonly out: string }) => out.trimEnd().split('\n').filter(Boolean)

describe('the role keeper of the bot', () => {
  it('gives and takes a role once for each crossing, though its webhook arrives twice', async () => {
    const { client, port, env, replay } = await bot('roles', 40)
    const { said } = await start('bot/roleKeeper.ts', { port, env })
    const printed = (count: number) =>
      until(
        () => linesOf(said).length >= count,
        () => said.out + said.err,
      )
    await client.member(rich).adjust(60)
    await printed(1)
    await client.member(rich).adjust(5)
    await client.member(rich).adjust(-6)
    await printed(2)
    await client.member(rich).adjust(5_000)
    await printed(4)
    await replay()
    await sleep(200)
    const [gave, took, ...both] = linesOf(said)
    assert.deepEqual([gave, took], [`gave regular to ${rich}`, `took regular from ${rich}`])
    assert.deepEqual(both.sort(), [`gave regular to ${rich}`, `gave veteran to ${rich}`])
  })

  it('gives after a restart the role that it was about to give, as the balance is now', async () => {
    const { client, port, env, deliveries } = await bot('restarted', 10)
    const away = await unreachable()
    const first = await start('bot/roleKeeper.ts', { port, env: { ...env, URL: away } })
    await client.member(rich).adjust(90)
    await until(
      async () => (await deliveries()).some(({ status }) => status === 204),
      () => first.said.err,
    )
    await first.kill()
    const second = await start('bot/roleKeeper.ts', { port, env })
    await until(
      () => linesOf(second.said).length > 0,
      () => second.said.err,
    )
    assert.deepEqual(linesOf(second.said), [`gave regular to ${rich}`])
    assert.equal(first.said.out, '')
  })

  it('responds 401 to a forged signature, and does nothing', async () => {
    const { port, env } = await bot('forged', 10)
    const { url, said } = await start('bot/roleKeeper.ts', { port, env })
    const data = { memberId: rich, threshold: 100, direction: 'up' }
    const body = JSON.stringify({ type: 'balance.crossed', timestamp: new Date().toISOString(), data })
    const answer = await fetch(url, { method: 'POST', headers: forged, body })
    assert.equal(answer.status, 401, await answer.text())
    await sleep(200)
    assert.equal(said.out, '')
  })
})
