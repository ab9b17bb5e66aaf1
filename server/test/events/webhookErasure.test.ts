import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from '../../../tests/support/suite.ts'
import { type Hooked, hooks, until } from './hooked.ts'

const made = suite({ WEBHOOK_ALLOW: '127.0.0.0/8' })
const { hooked, rows } = hooks(made)

const id = '770011770011'
const reason = 'erase-me'
const isTrace = (text: string): boolean => text.includes(id) || text.includes(reason)

const change = ({ send }: Hooked, tokens: number) =>
  send(`PATCH /members/${id}/tokenBalance`, { tokens, reason, metadata: { reason } })

/** Without notices: `member.erased` has the id, for its receivers. */
const types = ['points.adjusted', 'balance.crossed']

async function erase({ send }: Hooked): Promise<void> {
  const { status, text } = await send(`POST /members/${id}/erasure`)
  assert.equal(status, 200, text)
}

/** Everything that is stored about webhooks, as text. */
async function stored(): Promise<string[]> {
  const tables = ['endpoints', 'tracks', 'parked', 'deliveries', 'thresholds', 'notices']
  const found: string[] = []
  for (const table of tables) {
    const read = await rows(`select t::text as row from ${table} t`)
    found.push(...read.map(({ row }) => `${table}: ${row}`))
  }
  return found
}

describe('after an erasure', () => {
  it('a replay has no member and no details, and the log keeps nothing of them', async () => {
    const realm = await hooked({ includeDetails: true, types })
    await realm.send('POST /members', { members: [{ id }] })
    const thresholds = [{ realmPointId: realm.pointId, tokens: 10 }]
    await realm.send(`PATCH /webhooks/${realm.webhookId}`, { thresholds })
    // Some receivers respond with what they got.
    realm.to.respond = ({ body }, response) => void response.writeHead(200).end(body)
    for (const tokens of [25, -25]) assert.equal((await change(realm, tokens)).status, 200)
    const before = await realm.to.until(4)
    assert.ok(before.every(({ body }) => isTrace(body)))
    await until(async () => (await realm.webhook())['seq'] === '2')
    assert.ok((await stored()).some(isTrace), 'the responses are not in the log')
    await erase(realm)
    assert.deepEqual((await stored()).filter(isTrace), [])
    await realm.send(`POST /webhooks/${realm.webhookId}/replay`, { from: '1', to: '3' })
    const again = (await realm.to.until(8)).slice(4)
    await until(async () => (await realm.webhook())['replay'] === null)
    assert.deepEqual(new Set(again.map((one) => one.id)), new Set(before.map((one) => one.id)))
    for (const { event, body } of again) {
      assert.ok(!isTrace(body), body)
      const { memberId, toId, fromId, reason: why, metadata } = event.data
      if (event.type === 'balance.crossed') assert.equal(memberId, null)
      else assert.deepEqual([fromId, toId, why, metadata], [null, null, null, null])
    }
    assert.deepEqual((await stored()).filter(isTrace), [])
  })

  it('events that were already read are sent without the member', async () => {
    const realm = await hooked({ includeDetails: true, ordered: true, types })
    await realm.send('POST /members', { members: [{ id }] })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    realm.to.respond = async (_, response) => {
      await released
      response.end()
    }
    const list = Array.from({ length: 20 }, (_, place) => ({
      memberId: id,
      tokens: place % 2 ? -1 : 1,
      reason,
    }))
    assert.equal((await realm.send('POST /changes', { changes: list })).status, 200)
    const [first] = await realm.to.until(1)
    assert.ok(isTrace(first?.body ?? ''))
    await erase(realm)
    await sleep(4_000)
    release()
    await until(async () => (await realm.webhook())['seq'] === '20')
    const late = realm.to.got.slice(1).filter(({ body }) => isTrace(body))
    assert.deepEqual(
      late.map(({ event }) => event.data.seq),
      [],
    )
    assert.deepEqual((await stored()).filter(isTrace), [])
  })
})
