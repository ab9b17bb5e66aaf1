import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { scopes } from '../../server/src/keys/scopes.ts'
import { rich } from '../../tests/support/fixture.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { Receiver } from '../../tests/support/receiver.ts'
import { suite } from '../../tests/support/suite.ts'
import { ExchequerError, Operator, Realm, type WebhookData } from '../src/index.ts'
import { verifyWebhook } from '../src/webhooks.ts'

let realm: Realm
let receiver: Receiver
suite({ WEBHOOK_ALLOW: '127.0.0.0/8' }, async ({ app: { url }, fixture }) => {
  receiver = await Receiver.start()
  const { keys } = new Operator({ url, token: operatorToken }).realm(fixture.realm.id)
  const { key } = await keys.issue({ name: 'manager', scopes: [...scopes] })
  realm = new Realm({ url, realm: fixture.realm.id, key })
})
after(() => receiver.close())

/** Reads a webhook until a condition holds. */
async function until(id: string, isSo: (webhook: WebhookData) => boolean): Promise<WebhookData> {
  for (const endMs = Date.now() + 10_000; ; await sleep(20)) {
    const webhook = await realm.webhooks.get(id)
    if (isSo(webhook)) return webhook
    assert.ok(Date.now() < endMs, JSON.stringify(webhook))
  }
}

describe('a webhook', () => {
  it('is created, tested, changed, replayed, gets another secret, and is removed', async () => {
    const { webhooks } = realm
    const { id, secret } = await webhooks.create({ url: receiver.url, types: ['points.adjusted'] })
    const tested = await webhooks.test(id)
    assert.deepEqual([tested.status, tested.error], [200, null])
    const [first] = await receiver.until(1)
    assert.ok(first)
    assert.equal((await verifyWebhook(first.headers, first.body, secret)).type, 'endpoint.test')

    const { transactionId } = await realm.member(rich).adjust(5)
    const [, sent] = await receiver.until(2)
    const { seq } = await until(id, ({ behind }) => behind === 0)
    assert.equal(seq, transactionId)
    const range = { from: seq, to: String(BigInt(seq) + 1n) }
    assert.equal((await webhooks.replay(id, range)).replay?.from, seq)
    const [, , again] = await receiver.until(3)
    assert.deepEqual([again?.id, again?.headers['webhook-replay']], [sent?.id, 'true'])

    const changed = await webhooks.change(id, { description: 'the shop', state: 'disabled' })
    assert.deepEqual([changed.description, changed.state], ['the shop', 'disabled'])
    const rotated = await webhooks.rotateSecret(id, { overlapSeconds: 0 })
    assert.notEqual(rotated.secret, secret)
    await webhooks.test(id)
    const last = (await receiver.until(4)).at(-1)
    assert.ok(last)
    await assert.rejects(verifyWebhook(last.headers, last.body, secret), { code: 'wrong_signature' })
    await verifyWebhook(last.headers, last.body, rotated.secret)

    const deliveries = await webhooks.deliveries(id).toArray({ max: 10 })
    assert.deepEqual(
      deliveries.map(({ type, replay, status }) => [type, replay, status]),
      [
        ['endpoint.test', false, 200],
        ['points.adjusted', true, 200],
        ['points.adjusted', false, 200],
        ['endpoint.test', false, 200],
      ],
    )
    await webhooks.remove(id)
    assert.deepEqual(await webhooks.list().toArray({ max: 10 }), [])
    await assert.rejects(webhooks.get(id), (error) => {
      assert.ok(error instanceof ExchequerError)
      return error.code === 'webhook_not_found'
    })
  })

  it('with an order skips the event that its receiver refuses', async () => {
    const { webhooks } = realm
    const { id } = await webhooks.create({ url: receiver.url, ordered: true })
    receiver.answer(500)
    const count = receiver.got.length
    await realm.member(rich).adjust(1)
    const { blockedEventId } = await until(id, (one) => one.blockedEventId !== null)
    assert.equal(blockedEventId, receiver.ids.at(count))
    assert.equal((await webhooks.skip(id)).blockedEventId, null)
    await realm.member(rich).adjust(2)
    await receiver.until(count + 2)
    await webhooks.remove(id)
  })
})
