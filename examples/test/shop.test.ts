import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Realm } from '@exchequer/sdk'
import { poor, rich } from '../../tests/support/fixture.ts'
import { suite } from '../../tests/support/suite.ts'
import { type Order, sell } from '../shop/shop.ts'

const made = suite()
const folder = mkdtempSync(join(tmpdir(), 'shop-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const open = () => {
  const { id, key } = made.fixture.realm
  return new Realm({ url: made.app.url, realm: id, key })
}
const balanceOf = async (id: string) => (await open().member(id).get()).tokenBalance
const orderOf = (id: string, buyerId = rich, price = 30): Order => ({ id, buyerId, item: 'a hat', price })

/** Sells in its own process, which is killed at this point, like by a power cut. */
async function sellAtCounter(order: Order, file: string, diesAt?: string): Promise<string> {
  const { id, key } = made.fixture.realm
  const counter = fileURLToPath(new URL('../shop/counter.ts', import.meta.url))
  const dying = `let count = 0; const send = fetch
    const at = (point) => { if (point === '${diesAt}') process.kill(process.pid, 'SIGKILL') }
    globalThis.fetch = async (...call) => {
      at('request ' + ++count)
      const answer = await send(...call)
      await answer.clone().text()
      at('answer ' + count)
      return answer
    }`
  const deadly = diesAt === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(dying)}`]
  const args = [order.id, order.buyerId, order.item, String(order.price)]
  const child = spawn(process.execPath, [...deadly, counter, ...args], {
    env: { URL: made.app.url, REALM: id, KEY: key, DELIVERIES: file },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  return signal ?? said.trim()
}

describe('the shop', () => {
  const points = {
    'answer 1': 'when it has reserved',
    'answer 2': 'just before it delivers',
    'request 3': 'when it has delivered',
    'answer 3': 'when it was paid and has not read the response',
  }
  for (const [diesAt, when] of Object.entries(points)) {
    it(`killed ${when}, recovers: one delivery, paid once`, async () => {
      const file = join(folder, diesAt)
      const order = orderOf(`killed-${diesAt.replace(' ', '-')}`)
      const before = await balanceOf(rich)
      assert.equal(await sellAtCounter(order, file, diesAt), 'SIGKILL')
      assert.equal(await sellAtCounter(order, file), 'sold')
      assert.equal(await sellAtCounter(order, file), 'sold')
      assert.equal(readFileSync(file, 'utf8'), `${order.id} a hat to ${rich}\n`)
      assert.equal(await balanceOf(rich), before - 30)
    })
  }

  it('releases the hold when it can’t deliver, and does not deliver later', async () => {
    const before = await balanceOf(rich)
    const order = orderOf('sold-out')
    const broken = { realm: open(), deliver: () => Promise.reject(new Error('sold out')) }
    assert.equal(await sell(broken, order), 'not delivered')
    assert.equal(await balanceOf(rich), before)
    let deliveries = 0
    const working = { realm: open(), deliver: async () => void deliveries++ }
    assert.equal(await sell(working, order), 'over')
    assert.equal(deliveries, 0)
    assert.equal(await balanceOf(rich), before)
  })

  it('delivers nothing to a member with too few points, even with concurrent purchases', async () => {
    const delivered: string[] = []
    const deliver = async ({ id }: Order) => void delivered.push(id)
    const had = await balanceOf(poor)
    const orders = ['a', 'b', 'c'].map((id) => orderOf(id, poor, had))
    const outcomes = await Promise.all(orders.map((order) => sell({ realm: open(), deliver }, order)))
    assert.deepEqual([...outcomes].sort(), ['sold', 'too few points', 'too few points'])
    assert.equal(delivered.length, 1)
    assert.equal(await balanceOf(poor), 0)
  })
})
