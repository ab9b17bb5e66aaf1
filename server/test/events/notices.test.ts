import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { call } from '../../../tests/support/call.ts'
import type { ReceivedRequest } from '../../../tests/support/receiver.ts'
import { evmSigner } from '../../../tests/support/signers.ts'
import { suite } from '../../../tests/support/suite.ts'
import { type Hooked, hooks, until } from './hooked.ts'

/** Events that are not in the journal. The two members of a realm are older than its webhook. */

const made = suite({ WEBHOOK_ALLOW: '127.0.0.0/8' })
const { hooked, rows, hurry } = hooks(made)

const ofMembers = ['member.created', 'member.changed', 'member.removed', 'member.erased']
const ofWallets = ['wallet.linked', 'wallet.unlinked']
const chain = 'eip155:1'

/** Type and data, without what every notice has. */
function saidBy({ event }: ReceivedRequest) {
  const { realmId: _, n: __, previous: ___, afterSeq: ____, ...said } = event.data
  return [event.type, said]
}

const stored = ({ id }: Hooked) =>
  rows(
    `select o.type, o.account, o.data from notices o join settings s on s.realm = o.realm
      where s.realm_id = $1 order by o.n`,
    [id],
  )

async function done(sent: Promise<{ status: number; text: string; json: unknown }>): Promise<unknown> {
  const { status, text, json } = await sent
  assert.ok(status < 300, text)
  return json
}

describe('a member', () => {
  it('that is created, changed or removed is a notice, without names', async () => {
    const realm = await hooked({ types: ofMembers, ordered: true })
    await realm.send('PATCH /members/1/tokenBalance', { tokens: 3 })
    await done(realm.send('PUT /members/5', { username: 'zacharias', displayName: 'Zach' }))
    await done(realm.send('PUT /members/5', { displayName: 'Zacharias', frozen: true, note: 'zealous' }))
    await done(realm.send('PUT /members/5', { displayName: 'Zacharias', frozen: true }))
    await realm.to.until(2)
    await done(realm.send('DELETE /members/5'))
    const got = await realm.to.until(3)
    assert.deepEqual(got.map(saidBy), [
      ['member.created', { memberId: '5', frozen: false, hidden: false }],
      [
        'member.changed',
        { memberId: '5', changed: ['displayName', 'note', 'frozen'], frozen: true, hidden: false },
      ],
      ['member.removed', { memberId: '5' }],
    ])
    for (const { body, headers } of got) {
      assert.doesNotMatch(body, /z(ach|eal)/i)
      new Webhook(realm.secret).verify(body, headers)
    }
    const [first, second] = got.map(({ event }) => event.data)
    assert.deepEqual([first.n, first.previous, first.afterSeq, first.realmId], ['1', null, '1', realm.id])
    assert.deepEqual([second.n, second.previous], ['2', '1'])
    assert.match(got[0]?.id ?? '', /^evt_n1_[0-9a-f]{16}$/)
  })

  it('of a request with many has a notice each, in their order', async () => {
    const realm = await hooked({ types: ['member.created'], ordered: true })
    const members = Array.from({ length: 100 }, (_, at) => ({ id: String(1000 - at) }))
    await done(realm.send('POST /members', { members: [{ id: '1' }, ...members] }))
    const got = await realm.to.until(100)
    assert.deepEqual(
      got.map(({ event }) => [event.data.n, event.data.memberId]),
      members.map(({ id }, at) => [String(at + 1), id]),
    )
  })

  it('has no notice, and costs no row, if no webhook selects it', async () => {
    const realm = await hooked({ types: ['points.adjusted', 'member.removed'] })
    await done(realm.send('PUT /members/5', { hidden: true }))
    await done(realm.send('PUT /members/5', { hidden: false }))
    assert.deepEqual(await stored(realm), [])
    const heads = await rows(
      'select n from notice_heads h join settings s on s.realm = h.realm where s.realm_id = $1',
      [realm.id],
    )
    assert.deepEqual(heads, [])
  })

  it('is sent later if the webhook is disabled meanwhile', async () => {
    const realm = await hooked({ types: ofMembers })
    await done(realm.send(`PATCH /webhooks/${realm.webhookId}`, { state: 'disabled' }))
    await done(realm.send('PUT /members/5', {}))
    await rows(`update endpoints set disabled_at = now() - interval '36 days' where url = $1`, [realm.to.url])
    await done(realm.send('PUT /members/6', {}))
    await done(realm.send(`PATCH /webhooks/${realm.webhookId}`, { state: 'active' }))
    const [got] = await realm.to.until(1)
    assert.equal(got?.event.data.memberId, '5')
    assert.equal((await stored(realm)).length, 1, 'a notice is kept for 35 days')
  })
})

describe('a notice', () => {
  it('has the same id and body after a failure, and ordered webhooks send it before the next', async () => {
    const realm = await hooked({ types: ['member.created'], ordered: true })
    realm.to.answer(500)
    for (const id of [5, 6, 7]) await done(realm.send(`PUT /members/${id}`, {}))
    await realm.to.until(1)
    await until(async () => (await realm.webhook())['blockedEventId'] === realm.to.ids[0])
    await hurry()
    const got = await realm.to.until(4)
    assert.deepEqual(
      got.map(({ event }) => event.data.n),
      ['1', '1', '2', '3'],
    )
    assert.deepEqual([got[1]?.id, got[1]?.body], [got[0]?.id, got[0]?.body])
  })

  it('that was deleted is not the one that a skip leaves out', async () => {
    const realm = await hooked({ types: ['member.created'], ordered: true })
    realm.to.answer(500)
    for (const id of [5, 6]) await done(realm.send(`PUT /members/${id}`, {}))
    await realm.to.until(1)
    await until(async () => (await realm.webhook())['blockedEventId'] === realm.to.ids[0])
    await rows(
      'delete from notices o using settings s where s.realm = o.realm and s.realm_id = $1 and o.n = 1',
      [realm.id],
    )
    await done(realm.send(`POST /webhooks/${realm.webhookId}/skip`))
    const [, second] = await realm.to.until(2)
    assert.equal(second?.event.data.memberId, '6')
  })

  it('is parked by others, and tried again with the same id', async () => {
    const realm = await hooked({ types: ['member.created'] })
    realm.to.answer(500)
    await done(realm.send('PUT /members/5', {}))
    await realm.to.until(1)
    await until(async () => (await realm.webhook())['parked'] === 1)
    await hurry()
    const got = await realm.to.until(2)
    assert.deepEqual([got[1]?.id, got[1]?.body], [got[0]?.id, got[0]?.body])
    await until(async () => (await realm.webhook())['parked'] === 0)
  })
})

describe('an erasure', () => {
  it('leaves no id, name or wallet in notices, except for the id in its own', async () => {
    const realm = await hooked({ types: [...ofMembers, ...ofWallets], ordered: true })
    realm.to.respond = (_, response) => void response.writeHead(500).end()
    const id = '7712345678'
    const { address } = evmSigner()
    await done(realm.send(`PUT /members/${id}`, { username: 'zacharias' }))
    await done(realm.send(`DELETE /members/${id}`))
    await done(realm.send(`PUT /members/${id}`, { username: 'zacharias', hidden: true }))
    await done(realm.send(`PUT /members/${id}`, { displayName: 'zacharias' }))
    await done(realm.send(`POST /members/${id}/wallets`, { address, chain }))
    await done(realm.send(`DELETE /members/${id}/wallets/${address}`))
    await done(realm.send('PUT /members/9', {}))
    const secrets = new RegExp(`${id}|zacharias|${address}`, 'i')
    assert.match(JSON.stringify(await stored(realm)), secrets)
    await done(realm.send(`POST /members/${id}/erasure`))
    const kept = await stored(realm)
    assert.equal(kept.length, 8)
    assert.deepEqual(
      kept.filter((row) => secrets.test(JSON.stringify(row))).map(({ type, data }) => [type, data]),
      [['member.erased', `{"memberId":"${id}"}`]],
    )
    await realm.to.until(1)
    await until(async () => (await realm.webhook())['failures'] === realm.to.got.length)
    realm.to.got.length = 0
    realm.to.answer()
    await hurry()
    const got = await realm.to.until(8)
    assert.deepEqual(got.map(saidBy), [
      ['member.created', { memberId: null, frozen: false, hidden: false }],
      ['member.removed', { memberId: null }],
      ['member.created', { memberId: null }],
      ['member.changed', { memberId: null }],
      ['wallet.linked', { memberId: null }],
      ['wallet.unlinked', { memberId: null }],
      ['member.created', { memberId: '9', frozen: false, hidden: false }],
      ['member.erased', { memberId: id }],
    ])
  })
})

describe('a wallet', () => {
  it('that is linked, lost to the member who proves it, or unlinked is a notice', async () => {
    const realm = await hooked({ types: ofWallets, ordered: true })
    const { address, sign } = evmSigner()
    await done(realm.send('POST /members/1/wallets', { address, chain }))
    await done(realm.send('POST /members/1/wallets', { address, chain }))
    const challenge = await realm.send('POST /members/2/wallets/challenges', { address, chain })
    const { message } = challenge.json
    await done(realm.send('POST /members/2/wallets', { address, message, signature: sign(message) }))
    await done(realm.send(`DELETE /members/2/wallets/${address}`))
    const got = await realm.to.until(4)
    // A signature proves an address of every EVM chain.
    const proved = { address, chain: 'eip155' }
    assert.deepEqual(got.map(saidBy), [
      ['wallet.linked', { memberId: '1', address, chain, verified: false }],
      ['wallet.unlinked', { memberId: '1', ...proved }],
      ['wallet.linked', { memberId: '2', ...proved, verified: true }],
      ['wallet.unlinked', { memberId: '2', ...proved }],
    ])
  })
})

describe('an import', () => {
  it('is one notice, however many members and wallets it has', async () => {
    const types = ['members.imported', ...ofMembers, ...ofWallets]
    const realm = await hooked({ types, ordered: true })
    const { json } = await realm.send('POST /keys', { scopes: ['realm:admin', 'points:write'] })
    const url = `${made.app.url}/api/v4/realms/${realm.id}/import?name=old%20bot`
    const raw = `id,username,wallet,balance\n1,ann,,7\n31,ben,${evmSigner().address},5\n32,cy,,\n`
    const headers = { 'content-type': 'text/csv' }
    const dry = await call('POST', `${url}&dryRun=true`, { key: json.key, raw, headers })
    assert.equal(dry.status, 200, dry.text)
    await done(call('POST', url, { key: json.key, raw, headers }))
    await realm.to.until(1)
    await done(realm.send('PUT /members/32', { hidden: true }))
    const got = await realm.to.until(2)
    assert.deepEqual(got.map(saidBy), [
      [
        'members.imported',
        {
          name: 'old bot',
          rows: 3,
          members: { created: 2, updated: 1 },
          wallets: { linked: 1 },
          openings: { made: 2, alreadyThere: 0, onTop: 0 },
        },
      ],
      ['member.changed', { memberId: '32', changed: ['hidden'], frozen: false, hidden: true }],
    ])
    assert.equal(got[0]?.event.data.afterSeq, '2')
  })
})

describe('a key', () => {
  it('that is created, replaced or revoked is a notice, without its text', async () => {
    const realm = await hooked({ types: ['key.created', 'key.revoked'], ordered: true })
    const name = { name: 'bot', scopes: ['members:read'] }
    const { json: key } = await realm.send('POST /keys', name)
    const { json: second } = await realm.send(`POST /keys/${key.id}/rotate`, { overlapSeconds: 0 })
    const { json: third } = await realm.send(`POST /keys/${second.id}/rotate`, { overlapSeconds: 60 })
    await done(realm.send(`DELETE /keys/${third.id}`))
    const got = await realm.to.until(5)
    const created = { ...name, expiresAt: null }
    assert.deepEqual(got.map(saidBy), [
      ['key.created', { ...created, keyId: key.id, replaces: null }],
      ['key.created', { ...created, keyId: second.id, replaces: key.id }],
      ['key.revoked', { keyId: key.id, name: 'bot', expiresAt: null }],
      ['key.created', { ...created, keyId: third.id, replaces: second.id }],
      ['key.revoked', { keyId: third.id, name: 'bot', expiresAt: null }],
    ])
    for (const { body } of got) assert.doesNotMatch(body, /exq_/)
  })
})

describe('a member who joins with the first points', () => {
  it('has the event of that entry, and no notice', async () => {
    const realm = await hooked()
    await done(realm.send('PATCH ', { unknownMembers: 'create' }))
    await done(realm.send('PATCH /members/44/tokenBalance', { tokens: 5 }))
    const [got] = await realm.to.until(1)
    assert.deepEqual([got?.event.type, got?.event.data.toId], ['points.adjusted', '44'])
    await sleep(300)
    assert.deepEqual(await stored(realm), [])
  })
})
