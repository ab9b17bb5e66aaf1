import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite, testConfig } from '../../../tests/support/suite.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { Checkpoints, checkpointKeysIn, createCheckpointKey } from '../../src/events/checkpoints/index.ts'
import { Webhooks } from '../../src/events/webhooks/index.ts'
import { Upkeep } from '../../src/events/webhooks/upkeep.ts'
import { History } from '../../src/ledger/index.ts'
import { Members } from '../../src/members/index.ts'
import { Configs } from '../../src/realms/index.ts'
import { adjust, type Hooked, hooks, until } from './hooked.ts'

/** What is done every few minutes, here every 100 ms, beside a server that delivers. */

const made = suite({ WEBHOOK_ALLOW: '127.0.0.0/8' })
const { hooked, rows } = hooks(made)
const signer = createCheckpointKey('points.example.com')?.signer ?? ''
let db: Database
let webhooks: Webhooks

before(async () => {
  db = openDatabase(made.database.serverUrl)
  const history = new History(db, new Members(db, new Configs()))
  const { keySecrets: secrets } = testConfig(made.database)
  const keys = checkpointKeysIn(signer)
  assert.ok('signer' in keys)
  // Entries are signed at once, and each time again.
  let nowMs = 0
  const clock = () => {
    nowMs += 60_000
    return nowMs
  }
  const checkpoints = new Checkpoints({ db, keys, behindMs: 0, nowMs: clock })
  const options = { db, history, checkpoints, secrets, allow: ['127.0.0.0/8'], agentName: 'test' }
  webhooks = new Webhooks({ ...options, onFault: assert.fail, changes: () => 0, upkeepEveryMs: 100 })
})
after(async () => {
  await webhooks?.close()
  await db?.close()
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const notices = async ({ id }: Hooked) =>
  (
    await rows(
      'select n from notices o join settings s on s.realm = o.realm where s.realm_id = $1 order by n',
      [id],
    )
  ).map(({ n }) => Number(n))

describe('a key that expires within 7 days', () => {
  it('is a notice, once for each time it is set to, unless it was created for 7 days or less', async () => {
    const realm = await hooked({ types: ['key.expiring'], ordered: true })
    const issue = async (days: number) =>
      (await realm.send('POST /keys', { name: 'bot', expiresAt: inDays(days) })).json
    const [old, brief, later] = [await issue(30), await issue(6), await issue(8)]
    const none = await realm.send('POST /keys', {})
    assert.equal(none.status, 201)
    // The old one was created long ago.
    const expiresAt = inDays(5)
    await realm.send(`PATCH /keys/${old.id}`, { expiresAt })
    await rows(`update keys set created_at = now() - interval '30 days' where expires_at = $1`, [expiresAt])
    const [got] = await realm.to.until(1)
    const { keyId, name, expiresAt: ends } = got?.event.data ?? {}
    assert.deepEqual([keyId, name, Date.parse(ends)], [old.id, 'bot', Date.parse(expiresAt)])
    await realm.send(`PATCH /keys/${old.id}`, { expiresAt: inDays(6) })
    await realm.to.until(2)
    await sleep(500)
    assert.deepEqual(
      realm.to.got.map(({ event }) => event.data.keyId),
      [old.id, old.id],
      `neither ${brief.id} nor ${later.id}`,
    )
  })

  it('is not marked if no webhook selects it', async () => {
    const realm = await hooked({ types: ['points.adjusted'] })
    const { json } = await realm.send('POST /keys', { expiresAt: inDays(6) })
    await rows(`update keys set created_at = now() - interval '30 days'
      where realm = (select realm from realms where id = '${realm.id}') and number = ${json.id}`)
    await sleep(500)
    const marked = await rows(
      `select k.number from keys k join realms r on r.realm = k.realm
        where r.id = $1 and k.expiry_noticed is not null`,
      [realm.id],
    )
    assert.deepEqual(marked, [])
    await realm.send(`PATCH /webhooks/${realm.webhookId}`, { types: ['key.expiring'] })
    const [got] = await realm.to.until(1)
    assert.equal(got?.event.data.keyId, json.id)
  })
})

describe('a checkpoint', () => {
  it('is a notice when there are new entries, with its note', async () => {
    const realm = await hooked({ types: ['checkpoint.signed'], ordered: true })
    await sleep(400)
    assert.deepEqual(await notices(realm), [], 'there is nothing to sign')
    await adjust(realm, 5)
    const [first] = await realm.to.until(1)
    const { checkpoint, n, afterSeq } = first?.event.data ?? {}
    assert.deepEqual([n, afterSeq, checkpoint.seq], ['1', '1', '1'])
    const { hash } = (await realm.send('GET /entries/1')).json
    assert.equal(checkpoint.hash, hash)
    assert.ok(
      checkpoint.note.startsWith(`points.example.com/realms/${realm.id}/journal\n1\n`),
      checkpoint.note,
    )
    await sleep(500)
    assert.equal(realm.to.got.length, 1, 'nothing is new')
    await adjust(realm, 5)
    const [, second] = await realm.to.until(2)
    assert.deepEqual([second?.event.data.checkpoint.seq, second?.event.data.previous], ['2', '1'])
  })
})

describe('notices', () => {
  const age = (realm: Hooked, interval: string) =>
    rows(
      `update notices o set at = now() - $2::interval from settings s
        where s.realm = o.realm and s.realm_id = $1`,
      [realm.id, interval],
    )

  it('are deleted an hour after every webhook sent them', async () => {
    const realm = await hooked({ types: ['member.created'] })
    await realm.send('PUT /members/5', {})
    await realm.to.until(1)
    const at = (await realm.webhook())['id']
    await until(async () => {
      const [track] = await rows(
        `select t.seq from tracks t join settings s on s.realm = t.realm
          where s.realm_id = $1 and t.endpoint = $2 and t.track = 'notices'`,
        [realm.id, at],
      )
      return Number(track?.seq) === 1
    })
    await age(realm, '59 minutes')
    await sleep(400)
    assert.deepEqual(await notices(realm), [1])
    await age(realm, '61 minutes')
    await until(async () => (await notices(realm)).length === 0)
  })

  it('are kept for a webhook that has not sent them, for 35 days', async () => {
    const realm = await hooked({ types: ['member.created'] })
    realm.to.respond = (_, response) => void response.writeHead(500).end()
    await realm.send('PUT /members/5', {})
    await until(async () => (await realm.webhook())['parked'] === 1)
    await realm.send(`PATCH /webhooks/${realm.webhookId}`, { state: 'disabled' })
    await realm.send('PUT /members/6', {})
    await age(realm, '34 days')
    await sleep(400)
    assert.deepEqual(await notices(realm), [1, 2])
    await age(realm, '36 days')
    await until(async () => (await notices(realm)).length === 0)
    realm.to.respond = (_, response) => void response.end()
    await rows('update parked set next_at = now()')
    await realm.send(`PATCH /webhooks/${realm.webhookId}`, { state: 'active' })
    await until(async () => (await realm.webhook())['parked'] === 0)
    assert.equal(realm.to.got.length, 1)
  })
})

describe('a task that fails', () => {
  it('does not stop the others', async () => {
    await webhooks.close()
    await rows(`update leases set until = now() where name = 'deliveries'`)
    const done: number[] = []
    const faults: unknown[] = []
    const tasks = [
      async () => {
        throw new Error('broken')
      },
      async (most: number) => {
        done.push(most)
        return done.length < 3 ? most : 0
      },
    ]
    const upkeep = new Upkeep(db, tasks, { onFault: (error) => faults.push(error) })
    await upkeep.run()
    await upkeep.close()
    assert.equal(done.length, 3)
    assert.match(String(faults), /broken/)
  })
})
