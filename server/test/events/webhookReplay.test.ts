import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { adjust, hooks, until } from './hooked.ts'

const made = suite({ WEBHOOK_ALLOW: '127.0.0.0/8' })
const { hooked, rows, hurry } = hooks(made)

describe('a replay', () => {
  it('sends entries again with the same ids, marked, beside new events', async () => {
    const realm = await hooked()
    for (const tokens of [1, 2, 3]) await adjust(realm, tokens)
    await realm.to.until(3)
    const before = new Map(realm.to.got.map(({ id, event }) => [event.data.seq, id]))
    const asked = await realm.send(`POST /webhooks/${realm.webhookId}/replay`, { from: '1', to: '3' })
    assert.equal(asked.status, 200, asked.text)
    assert.deepEqual(asked.json.replay, { from: '1', to: '3', seq: '0' })
    const again = (await realm.to.until(5)).slice(3)
    for (const { id, headers, event } of again) {
      assert.equal(headers['webhook-replay'], 'true')
      assert.equal(id, before.get(event.data.seq))
      assert.equal(event.data.previous, null)
    }
    assert.deepEqual(new Set(again.map(({ event }) => event.data.seq)), new Set(['1', '2']))
    await until(async () => (await realm.webhook())['replay'] === null)
    assertProblem(
      await realm.send(`POST /webhooks/${realm.webhookId}/replay`, { from: '9', to: '12' }),
      400,
      'invalid_request',
    )
  })

  it('sends the notices after its entries too, as long as they are kept, and before them', async () => {
    const types = ['member.created', 'points.adjusted']
    const realm = await hooked({ types, ordered: true })
    const join = (id: number) => realm.send(`PUT /members/${id}`, {})
    await join(50)
    for (const id of [51, 52, 53]) {
      await adjust(realm, 1)
      await join(id)
    }
    const sent = await realm.to.until(7)
    const nOf = ({ event }: { event: { data: { n?: string } } }) => event.data.n
    const before = new Map(sent.map((got) => [nOf(got), got]))
    realm.to.got.length = 0
    await rows(`delete from notices where n = 3 and type = 'member.created'`)
    await realm.send(`POST /webhooks/${realm.webhookId}/replay`, { from: '2', to: '4' })
    await until(async () => (await realm.webhook())['replay'] === null)
    assert.deepEqual(
      realm.to.got.map(({ event: { data } }) => [data.n, data.seq, data.afterSeq, data.previous]),
      [
        ['4', undefined, '3', null],
        [undefined, '2', undefined, null],
        [undefined, '3', undefined, null],
      ],
    )
    const [notice] = realm.to.got
    assert.equal(notice?.headers['webhook-replay'], 'true')
    assert.equal(notice?.id, before.get('4')?.id)
    assert.equal(notice?.event.timestamp, before.get('4')?.event.timestamp)
    realm.to.got.length = 0
    realm.to.answer(500)
    await realm.send(`POST /webhooks/${realm.webhookId}/replay`, { from: '1', to: '2' })
    await realm.to.until(1)
    await until(async () => (await realm.webhook())['blockedEventId'] === before.get('1')?.id)
    const again = await realm.send(`POST /webhooks/${realm.webhookId}/replay`, { from: '1', to: '2' })
    assertProblem(again, 422, 'replay_running')
    await hurry()
    await until(async () => (await realm.webhook())['replay'] === null)
    assert.deepEqual(realm.to.got.map(nOf), ['1', '1', '2', undefined])
  })
})

describe('a secret', () => {
  it('is shown once, and while it is being replaced both sign', async () => {
    const realm = await hooked()
    assert.equal((await realm.webhook())['secret'], undefined)
    assert.match(realm.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const [stored] = await rows('select secret from endpoints order by created_at desc limit 1')
    assert.ok(!stored?.secret.includes(realm.secret.slice(6, 20)))
    const rotated = (await realm.send(`POST /webhooks/${realm.webhookId}/rotate-secret`, {})).json
    await adjust(realm, 1)
    const [got] = await realm.to.until(1)
    assert.ok(got)
    for (const secret of [realm.secret, rotated.secret]) new Webhook(secret).verify(got.body, got.headers)
    await rows(`update endpoints set old_secret_until = now()`)
    await sleep(1_200)
    await adjust(realm, 2)
    const [, next] = await realm.to.until(2)
    assert.ok(next)
    new Webhook(rotated.secret).verify(next.body, next.headers)
    assert.throws(() => new Webhook(realm.secret).verify(next.body, next.headers))
  })
})
