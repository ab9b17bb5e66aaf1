import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { managed } from '../../../tests/support/manager.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { adjust, hooks, until } from './hooked.ts'

const made = suite({ WEBHOOK_ALLOW: '127.0.0.0/8' })
const { listen, hooked, rows, hurry } = hooks(made)

describe('an event', () => {
  it('is sent at once, and its signature is valid by Standard Webhooks', async () => {
    const realm = await hooked()
    const startedMs = performance.now()
    await adjust(realm, 25)
    const [got] = await realm.to.until(1)
    assert.ok(performance.now() - startedMs < 1_500, 'it waited for the regular look')
    assert.ok(got)
    new Webhook(realm.secret).verify(got.body, got.headers)
    assert.throws(() => new Webhook(realm.secret).verify(`${got.body} `, got.headers))
    const [entry] = await rows(
      `select encode(j.hash, 'hex') as hash, s.realm_id from journal j join settings s on s.realm = j.realm
        where s.realm_id = $1 and j.seq = 1`,
      [got.event.data.realmId],
    )
    assert.equal(got.id, `evt_1_${entry?.hash.slice(0, 16)}`)
    assert.equal(got.event.type, 'points.adjusted')
    const { realmId, realmPointId, ...data } = got.event.data
    assert.equal(typeof realmPointId, 'string')
    assert.equal(realmId, entry?.realm_id)
    assert.deepEqual(data, {
      seq: '1',
      previous: null,
      transactionId: '1',
      tokens: 25,
      fromId: null,
      fromBalance: null,
      toId: '1',
      toBalance: 25,
      reverses: null,
      holdId: null,
      awardId: null,
      batchId: null,
    })
  })

  it('names the one before it in the selection, and has details only on request', async () => {
    const realm = await hooked({ types: ['points.transferred'], includeDetails: true })
    await adjust(realm, 100)
    const metadata = { order: 9_007_199_254_740_991 }
    await realm.send('PATCH /members/1/transfer', {
      recipientId: '2',
      tokens: 5,
      reason: 'a gift',
      metadata,
    })
    await adjust(realm, 1)
    await realm.send('PATCH /members/1/transfer', { recipientId: '2', tokens: 6 })
    const [first, second] = await realm.to.until(2)
    assert.deepEqual(
      [first?.event.data.seq, first?.event.data.previous, second?.event.data.previous],
      ['2', null, '2'],
    )
    assert.deepEqual([first?.event.data.reason, first?.event.data.metadata], ['a gift', metadata])
  })
})

describe('a failed delivery', () => {
  it('is parked and tried again with the same id, while the next events are sent', async () => {
    const realm = await hooked()
    realm.to.answer(500)
    await adjust(realm, 1)
    await realm.to.until(1)
    await adjust(realm, 2)
    await realm.to.until(2)
    assert.deepEqual(realm.to.seqs, [1, 2])
    await until(async () => (await realm.webhook())['parked'] === 1)
    await hurry()
    await realm.to.until(3)
    assert.equal(realm.to.ids[2], realm.to.ids[0])
    assert.equal(realm.to.got[2]?.body, realm.to.got[0]?.body)
    await until(async () => (await realm.webhook())['parked'] === 0)
    const { json } = await realm.send(`GET /webhooks/${realm.webhookId}/deliveries`)
    const shown = json.data.map((one: Record<string, unknown>) => [
      one['eventId'],
      one['status'],
      one['attempt'],
    ])
    const [first, second] = realm.to.ids
    assert.deepEqual(shown, [
      [first, 200, 2],
      [second, 200, 1],
      [first, 500, 1],
    ])
  })

  it('stops an ordered webhook until it succeeds, or is skipped', async () => {
    const realm = await hooked({ ordered: true })
    realm.to.answer(500, 500)
    for (const tokens of [1, 2, 3]) await adjust(realm, tokens)
    await realm.to.until(1)
    await until(async () => (await realm.webhook())['blockedEventId'] === realm.to.ids[0])
    await sleep(300)
    assert.deepEqual(realm.to.seqs, [1])
    await hurry()
    await realm.to.until(2)
    await until(async () => (await realm.webhook())['failures'] === 2)
    assert.equal((await realm.send(`POST /webhooks/${realm.webhookId}/skip`)).status, 200)
    await realm.to.until(4)
    assert.deepEqual(realm.to.seqs, [1, 1, 2, 3])
    assert.deepEqual(realm.to.got[2]?.event.data.previous, null)
    await until(async () => (await realm.webhook())['seq'] === '3')
    assertProblem(await realm.send(`POST /webhooks/${realm.webhookId}/skip`), 422, 'nothing_to_skip')
  })

  it('is one that was redirected: the other address gets nothing', async () => {
    const realm = await hooked()
    const other = await listen()
    realm.to.respond = (_, response) => void response.writeHead(307, { location: other.url }).end()
    await adjust(realm, 1)
    await until(async () => (await realm.webhook())['parked'] === 1)
    assert.equal(other.got.length, 0)
  })

  it('disables the webhook at once if it was 410, and the others get an event', async () => {
    const realm = await hooked({ types: ['points.adjusted'] })
    const other = await listen()
    const { json } = await realm.send('POST /webhooks', { url: other.url, types: ['endpoint.disabled'] })
    realm.to.answer(410)
    await adjust(realm, 1)
    await until(async () => (await realm.webhook())['state'] === 'disabled')
    const [notice] = await other.until(1)
    assert.ok(notice)
    assert.match(notice.id, /^evt_n1_[0-9a-f]{16}$/)
    new Webhook(json.secret).verify(notice.body, notice.headers)
    const { n, afterSeq, previous, webhookId, url, reason } = notice.event.data
    assert.deepEqual([n, afterSeq, previous, webhookId, url], ['1', '1', null, realm.webhookId, realm.to.url])
    assert.equal(reason, 'The receiver responded 410.')
    const { data } = (await realm.send('GET /audit')).json
    const disabled = data.filter((act: { action: string }) => act.action === 'webhook.disable')
    assert.deepEqual(
      disabled.map((act: { actor: string; subject: string }) => [act.actor, act.subject]),
      [['server', realm.webhookId]],
    )
    await adjust(realm, 2)
    await sleep(500)
    assert.equal(realm.to.got.length, 1)
    await realm.send(`PATCH /webhooks/${realm.webhookId}`, { state: 'active' })
    await hurry()
    await realm.to.until(3)
    assert.deepEqual(new Set(realm.to.seqs.slice(1)), new Set([1, 2]))
  })

  it('of an answer without end counts by its status: only 2 KiB of it are read', async () => {
    const realm = await hooked()
    let sent = 0
    realm.to.respond = (_, response) => {
      const piece = Buffer.alloc(65_536, 'x')
      const more = () => {
        while (!response.destroyed && sent < 1_000_000_000 && response.write(piece)) sent += piece.length
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    }
    await adjust(realm, 1)
    await until(async () => (await realm.webhook())['seq'] === '1')
    const { json } = await realm.send(`GET /webhooks/${realm.webhookId}/deliveries`)
    assert.deepEqual([json.data[0].status, json.data[0].answer.length], [200, 2048])
    assert.ok(sent < 50_000_000, `${sent} bytes were sent`)
  })
})

describe('a test event', () => {
  it('is sent at once, and its response is returned', async () => {
    const realm = await hooked({ types: ['points.transferred'] })
    realm.to.respond = (_, response) => void response.writeHead(418).end('short and stout')
    const { json } = await realm.send(`POST /webhooks/${realm.webhookId}/test`)
    const [got] = realm.to.got
    assert.ok(got)
    new Webhook(realm.secret).verify(got.body, got.headers)
    assert.equal(got.event.type, 'endpoint.test')
    assert.deepEqual([json.status, json.answer, json.eventId], [418, 'short and stout', got.id])
    assert.equal((await realm.webhook())['failures'], 0)
  })
})

const inOrder = (found: readonly unknown[][]) =>
  found.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))

describe('a threshold', () => {
  it('sends an event when a balance crosses it, either way, and a replay finds the same', async () => {
    const realm = await hooked()
    const { data } = (await realm.send('GET /points')).json
    const thresholds = [{ realmPointId: data[0].id, tokens: 10 }]
    await adjust(realm, 4)
    const changed = await realm.send(`PATCH /webhooks/${realm.webhookId}`, {
      types: ['balance.crossed'],
      thresholds,
    })
    assert.equal(changed.status, 200, changed.text)
    for (const tokens of [5, 1, 7, -8]) await adjust(realm, tokens)
    const of = ({ id, event }: { id: string; event: { data: Record<string, unknown> } }) => [
      id.replace(/_[0-9a-f]{16}_/, '_#_'),
      event.data['direction'],
      event.data['oldBalance'],
      event.data['newBalance'],
      event.data['memberId'],
    ]
    // The first entry may have been sent before the types were changed.
    await until(async () => (await realm.webhook())['seq'] === '5')
    const crossings = realm.to.got.filter(({ event }) => event.type === 'balance.crossed')
    const expected = [
      ['evt_3_#_1_to', 'up', 9, 10, '1'],
      ['evt_5_#_1_from', 'down', 17, 9, '1'],
    ]
    assert.deepEqual(inOrder(crossings.map(of)), expected)
    await realm.send(`PATCH /webhooks/${realm.webhookId}`, { thresholds: [] })
    await adjust(realm, 5)
    realm.to.got.length = 0
    await realm.send(`POST /webhooks/${realm.webhookId}/replay`, { from: '1', to: '99' })
    await realm.to.until(2)
    await until(async () => (await realm.webhook())['replay'] === null)
    assert.deepEqual(inOrder(realm.to.got.map(of)), expected)
  })
})

describe('400', () => {
  it('is the response for a URL that is not https, has credentials, or is not on the internet', async () => {
    const realm = await managed(made)
    const wrong = [
      'http://example.com/',
      'https://user:password@example.com/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'ftp://example.com/',
      'https://169.254.169.254/latest/meta-data',
      'nonsense',
    ]
    for (const url of wrong)
      assertProblem(await realm.send('POST /webhooks', { url }), 400, 'invalid_request')
  })
})

describe('404', () => {
  it('is the response for a webhook that does not exist', async () => {
    const realm = await managed(made)
    assertProblem(await realm.send('GET /webhooks/7'), 404, 'webhook_not_found')
  })
})
