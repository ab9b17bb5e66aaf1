import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { rowsOf } from '../../../tests/support/books.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { Receiver } from './receiver.ts'

const made = suite({ WEBHOOK_ALLOW: '127.0.0.0/8' })
const receivers: Receiver[] = []

afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close()
})

async function listen(): Promise<Receiver> {
  const receiver = await Receiver.start()
  receivers.push(receiver)
  return receiver
}

type Hooked = ManagedRealm & {
  readonly to: Receiver
  readonly id: string
  readonly secret: string
  readonly webhook: () => Promise<Record<string, unknown>>
}

/** A realm with two members and a webhook. */
async function hooked(settings: object = {}): Promise<Hooked> {
  const realm = await managed(made)
  await realm.send('POST /members', { members: [{ id: 1 }, { id: 2 }] })
  const to = await listen()
  const { status, json, text } = await realm.send('POST /webhooks', { url: to.url, ...settings })
  assert.equal(status, 201, text)
  const webhook = async () => (await realm.send(`GET /webhooks/${json.id}`)).json
  return { ...realm, to, id: json.id, secret: json.secret, webhook }
}

const adjust = ({ send }: ManagedRealm, tokens: number, member = 1) =>
  send(`PATCH /members/${member}/tokenBalance`, { tokens })

async function until(check: () => Promise<boolean>, withinMs = 10_000): Promise<void> {
  for (const endMs = performance.now() + withinMs; performance.now() < endMs; await sleep(20))
    if (await check()) return
  assert.fail('it did not happen in time')
}

const rows = (text: string, values: unknown[] = []) => rowsOf(made.database.superuserUrl, text, values)

/** Makes whatever is scheduled for later due now. */
const hurry = () =>
  rows(`update parked set next_at = now(); update endpoints set next_at = now() where next_at is not null`)

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
      [realm.id === '' ? '' : got.event.data.realmId],
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
      batchId: null,
    })
  })

  it('names the one before it in the selection, and has details only on request', async () => {
    const realm = await hooked({ types: ['points.transferred'], includeDetails: true })
    await adjust(realm, 100)
    const metadata = { order: 9_007_199_254_740_991 }
    await realm.send('PATCH /members/1/transfer', {
      toMemberId: '2',
      tokens: 5,
      reason: 'a gift',
      metadata,
    })
    await adjust(realm, 1)
    await realm.send('PATCH /members/1/transfer', { toMemberId: '2', tokens: 6 })
    const [first, second] = await realm.to.until(2)
    assert.deepEqual(
      [first?.event.data.seq, first?.event.data.previous, second?.event.data.previous],
      ['2', null, '2'],
    )
    assert.deepEqual([first?.event.data.reason, first?.event.data.metadata], ['a gift', metadata])
  })
})

describe('404', () => {
  it('is the response for a webhook that does not exist', async () => {
    const realm = await managed(made)
    assertProblem(await realm.send('GET /webhooks/7'), 404, 'webhook_not_found')
  })
})
