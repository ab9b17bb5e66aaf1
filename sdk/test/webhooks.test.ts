import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, type WebhookFault } from '../src/webhooks.ts'

const newSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString('base64')}`
const secret = newSecret()
const id = 'evt_17_0123456789abcdef'
const data = { seq: '17', previous: '16', tokens: 5, reason: 'für €5 🎉 \u2028' }
const body = JSON.stringify({ type: 'points.adjusted', timestamp: '2026-01-31T12:00:00.000001Z', data })

type Sent = { readonly body?: string; readonly secrets?: readonly string[]; readonly ageSeconds?: number }

/** Headers signed by the reference implementation. */
function signed({ body: text = body, secrets = [secret], ageSeconds = 0 }: Sent = {}) {
  const at = new Date(Date.now() - ageSeconds * 1000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, at, text)).join(' '),
  }
}

describe('a webhook is accepted', () => {
  it('when Standard Webhooks signed it, and the event is returned with its id', async () => {
    for (const bytes of [24, 25, 26, 32, 64]) {
      const one = newSecret(bytes)
      const event = await verifyWebhook(signed({ secrets: [one] }), body, one)
      assert.deepEqual(event, { ...JSON.parse(body), id })
    }
    const unknown = '{"type":"unknown.created","timestamp":"2026-01-31T12:00:00Z","data":{}}'
    assert.equal((await verifyWebhook(signed({ body: unknown }), unknown, secret)).type, 'unknown.created')
  })

  it('and the type of a notice gives that of its data', async () => {
    const notice = '{"type":"key.expiring","timestamp":"2026-01-31T12:00:00Z","data":{"n":"4","keyId":"7"}}'
    const event = await verifyWebhook(signed({ body: notice }), notice, secret)
    const [keyId, n]: string[] = event.type === 'key.expiring' ? [event.data.keyId, event.data.n] : []
    assert.deepEqual([keyId, n], ['7', '4'])
  })

  it('as the specification’s example is, up to its body, which is not an event', async (test) => {
    test.mock.timers.enable({ apis: ['Date'], now: 1_614_265_330_000 })
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const known = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    await assert.rejects(verifyWebhook(headers, '{"test": 2432232314}', known), { code: 'invalid_body' })
  })

  it('with headers of any form, and a body of bytes', async () => {
    const headers = signed()
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
    for (const form of [new Headers(headers), upper, lists])
      for (const bytes of [body, Buffer.from(body), new TextEncoder().encode(body)])
        assert.equal((await verifyWebhook(form, bytes, secret)).id, id)
  })

  it('with one of several secrets and one of several signatures', async () => {
    const [old, other] = [newSecret(), newSecret()]
    await verifyWebhook(signed({ secrets: [old, secret] }), body, secret)
    await verifyWebhook(signed({ secrets: [old] }), body, [other, old])
    const headers = signed()
    headers['webhook-signature'] = `v1a,AAAA v2,BBBB v1,!!! v1, ${headers['webhook-signature']}`
    await verifyWebhook(headers, body, { secret: [secret] })
  })

  it('up to 5 minutes early or late, or as long as the caller says', async () => {
    for (const ageSeconds of [298, -298]) await verifyWebhook(signed({ ageSeconds }), body, secret)
    const options = { secret, toleranceSeconds: 900 }
    for (const ageSeconds of [800, -800]) await verifyWebhook(signed({ ageSeconds }), body, options)
  })
})

const isRejected = (promise: Promise<unknown>, code: WebhookFault, message = /./) =>
  assert.rejects(promise, { name: 'WebhookError', code, message })

describe('a webhook is rejected', () => {
  it('when any byte of its body was changed, or of its id or timestamp', async () => {
    const bytes = Buffer.from(body)
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await isRejected(verifyWebhook(signed(), changed, secret), 'wrong_signature', /secret.*body/)
    }
    const headers = signed()
    const later = String(Number(headers['webhook-timestamp']) + 1)
    for (const change of [{ 'webhook-id': `${id}0` }, { 'webhook-timestamp': later }])
      await isRejected(verifyWebhook({ ...headers, ...change }, body, secret), 'wrong_signature')
  })

  it('when it was signed with another secret, or not at all', async () => {
    await isRejected(verifyWebhook(signed({ secrets: [newSecret()] }), body, secret), 'wrong_signature')
    const [, right = ''] = signed()['webhook-signature'].split(',')
    for (const signature of ['v1,', `v2,${right}`, right, `v1,${right.slice(0, -4)}`, 'v1,AAAA', 'none'])
      await isRejected(
        verifyWebhook({ ...signed(), 'webhook-signature': signature }, body, secret),
        'wrong_signature',
      )
  })

  it('when it is too old or too new', async () => {
    await isRejected(verifyWebhook(signed({ ageSeconds: 303 }), body, secret), 'too_old', /30\d s ago/)
    await isRejected(verifyWebhook(signed({ ageSeconds: -303 }), body, secret), 'in_the_future', /30\d s in/)
    const strict = { secret, toleranceSeconds: 10 }
    await isRejected(verifyWebhook(signed({ ageSeconds: 15 }), body, strict), 'too_old')
    for (const text of ['', 'x', '1e9', '-1', '17 ', 'NaN', '9'.repeat(40)])
      await isRejected(
        verifyWebhook({ ...signed(), 'webhook-timestamp': text }, body, secret),
        text === '' ? 'missing_header' : 'invalid_timestamp',
      )
  })

  it('when a header is missing, and names it', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      await isRejected(
        verifyWebhook({ ...signed(), [name]: undefined }, body, secret),
        'missing_header',
        new RegExp(`${name} is missing`),
      )
  })

  it('when its body is not an event', async () => {
    for (const text of ['', 'null', '[]', '{"type":1}', '{"type"'])
      await isRejected(verifyWebhook(signed({ body: text }), text, secret), 'invalid_body')
  })
})

it('a secret that can’t be one, or a parsed body, is an error of the program', async () => {
  for (const wrong of ['', 'whsec_', 'secret', newSecret(23), undefined, [], [secret, ''], { secret: [] }])
    await assert.rejects(verifyWebhook(signed(), body, wrong as string), {
      name: 'TypeError',
      message: /secret/,
    })
  await assert.rejects(verifyWebhook(signed(), JSON.parse(body), secret), {
    name: 'TypeError',
    message: /body/,
  })
})

it('what we sign by the same rules, Standard Webhooks accepts', async () => {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` }
  assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
  assert.equal((await verifyWebhook(headers, body, secret)).id, id)
})
