import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { asRealm, operate } from '../../../tests/support/operator.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { environment, type ServerProcess, startServerProcess } from '../../../tests/support/process.ts'
import { Receiver } from '../../../tests/support/receiver.ts'
import { suite } from '../../../tests/support/suite.ts'
import { scopes } from '../../src/keys/index.ts'

/** E-mail addresses as identities: only their keyed hashes leave the check of a request. */

let open: ManagedRealm
let closed: ManagedRealm
let key: string
let talkative: ServerProcess
let receiver: Receiver
after(async () => {
  await talkative?.stop()
  receiver?.close()
})
const made = suite({ WEBHOOK_ALLOW: '127.0.0.0/8' }, async (suited) => {
  receiver = await Receiver.start()
  open = await managed(suited, { unknownMembers: 'create' })
  closed = await managed(suited)
  key = (await open.send('POST /keys', { scopes })).json.key
  const hook = await open.send('POST /webhooks', { url: receiver.url, includeDetails: true })
  assert.equal(hook.status, 201, hook.text)
  talkative = await startServerProcess(environment(suited.database, { LOG_LEVEL: 'trace' }))
})

const rows = (text: string, values: unknown[] = []) => rowsOf(made.database.superuserUrl, text, values)
const keyOf = async (realm: ManagedRealm): Promise<Buffer | null> => {
  const text = 'select s.identity_key as key from settings s where s.realm_id = $1'
  return (await rows(text, [realm.id]))[0].key
}
const hashOf = async (address: string, realm = open): Promise<string> =>
  `email:${createHmac('sha256', (await keyOf(realm)) ?? '')
    .update(address)
    .digest('hex')}`
const give = (memberId: string, tokens = 5, at = open) =>
  at.send('POST /changes', { changes: [{ memberId, tokens }], atomic: true })
const link = (member: string, identity: string, more: object = {}) =>
  open.send(`POST /members/${member}/identities`, { identity, ...more })
const read = (name: string) => open.send(`GET /members/${encodeURIComponent(name)}`)

describe('an e-mail address in a body', () => {
  it('is an identity: trimmed, lower-cased, and stored as its HMAC with the key of the realm', async () => {
    for (const address of ['email:first@example.org', 'email: First@Example.ORG ', 'email:FIRST@example.org'])
      assert.equal((await give(address)).status, 200)
    const name = await hashOf('first@example.org')
    const { json } = await read(name)
    assert.equal(json.tokenBalance, 15)
    const { data } = (await open.send(`GET /members/${json.id}/identities`)).json
    assert.deepEqual(data, [
      {
        identity: name,
        provider: 'email',
        subject: name.slice('email:'.length),
        name: null,
        pictureUrl: null,
        linkedAt: data[0].linkedAt,
      },
    ])
    await assertBooks(made.database)
  })

  it('is accepted wherever a body has a member: batches, transfers, members, actors', async () => {
    const entries = [{ memberId: 'email:second@example.org', tokens: 20 }]
    const batch = await open.send('PATCH /members/tokenBalance', { entries })
    assert.equal(batch.json.balances[0].memberId, await hashOf('second@example.org'))
    const name = encodeURIComponent(await hashOf('second@example.org'))
    const gift = { recipientId: 'email:third@example.org', tokens: 8 }
    assert.equal((await open.send(`PATCH /members/${name}/transfer`, gift)).json.recipientBalance, 8)
    const changes = [
      { memberId: 'email:second@example.org', recipientId: 'email:third@example.org', tokens: 2 },
    ]
    assert.equal((await open.send('POST /changes', { changes })).json.data[0].newBalance, 10)
    const members = [{ id: 'email:second@example.org', username: 'second' }]
    assert.deepEqual((await open.send('POST /members', { members })).json, { created: 0, updated: 1 })
    const { id } = (await read(await hashOf('second@example.org'))).json
    const acted = await open.send(`PATCH /members/${name}/tokenBalance`, {
      tokens: 1,
      actorId: 'email:Second@example.org',
    })
    assert.equal((await open.send(`GET /entries/${acted.json.transactionId}`)).json.actorId, id)
    const filter = { actorId: 'email:second@example.org' }
    assert.equal((await open.send('POST /reversals?dryRun=true', { filter })).json.matched, 1)
    const same = { recipientId: 'email:second@example.org', tokens: 1 }
    assertProblem(await open.send(`PATCH /members/${id}/transfer`, same), 422, 'same_member')
  })

  it('of another realm is another hash', async () => {
    await closed.send('PUT /members/1', {})
    const linked = await closed.send('POST /members/1/identities', { identity: 'email:first@example.org' })
    assert.equal(linked.json.identity, await hashOf('first@example.org', closed))
    assert.notEqual(linked.json.identity, await hashOf('first@example.org'))
  })

  it('is covered by an Idempotency-Key as its hash: its spelling does not matter', async () => {
    const send = (memberId: string) =>
      asRealm(
        made.app.url,
        { id: open.id, key },
        {
          line: 'POST /changes',
          body: { changes: [{ memberId, tokens: 3 }], atomic: true },
          headers: { 'idempotency-key': 'email-1' },
        },
      )
    const first = await send('email:retry@example.org')
    assert.equal((await send('email:Retry@Example.org')).text, first.text)
    assert.equal((await send(await hashOf('retry@example.org'))).text, first.text)
    assert.equal((await read(await hashOf('retry@example.org'))).json.tokenBalance, 3)
    assertProblem(await send('email:other@example.org'), 422, 'idempotency_key_reused')
  })

  const malformed = ['email:', 'email:ada', 'email:@b', 'email:a@', 'email:a@b@c', 'email:a b@c', 'Email:a@b']
  for (const name of [...malformed, `email:${'a'.repeat(250)}@b.org`, `email:${'A'.repeat(64)}`]) {
    it(`${JSON.stringify(name.slice(0, 20))} is 400, and the error does not repeat it`, async () => {
      const answer = await give(name)
      assertInvalid(answer, '/changes/0/memberId')
      assert.match(answer.json.errors[0].detail, /; got a malformed e-mail address\.$/)
    })
  }
})

describe('POST …/identities', () => {
  it('links an address, shows its hash, and links any other identity', async () => {
    await open.send('PUT /members/20', {})
    const linked = await link('20', 'email:Ada@example.org', { name: 'Ada' })
    const name = await hashOf('ada@example.org')
    assert.deepEqual([linked.status, linked.json.identity, linked.json.name], [201, name, 'Ada'])
    const path = `/api/v4/realms/${open.id}/members/20/identities/${encodeURIComponent(name)}`
    assert.equal(linked.headers['location'], path)
    assert.deepEqual((await call('GET', made.app.url + path, { key })).json, linked.json)
    const again = await link('20', 'email:ada@example.org', { name: null })
    assert.deepEqual([again.status, again.json.name], [200, null])
    assert.equal((await link('20', 'shop:20')).status, 201)
    assert.equal((await give('email:ada@example.org')).status, 200)
    assert.equal((await read('20')).json.tokenBalance, 5)
    assert.equal((await call('DELETE', made.app.url + path, { key })).status, 204)
    assertProblem(await read(name), 404, 'member_not_found')
  })

  it('of another member is 409, a number is 400, and it needs members:write', async () => {
    await open.send('PUT /members/21', {})
    await open.send('PUT /members/22', {})
    await link('21', 'email:taken@example.org')
    const taken = await link('22', 'email:taken@example.org')
    assert.deepEqual([taken.status, taken.json.code], [409, 'already_exists'])
    assertInvalid(await link('22', '300'), '/identity')
    assertProblem(await link('29', 'email:free@example.org'), 404, 'member_not_found')
    const mute = await open.without('members:write')
    const sent = { identity: 'email:free@example.org' }
    assertProblem(await mute('POST /members/22/identities', sent), 403, 'insufficient_scope')
  })
})

describe('an e-mail address in a URL', () => {
  const address = 'email:url@example.org'
  const refused = [
    `GET /members/${address}`,
    `GET /members/${encodeURIComponent(address)}`,
    `GET /members/${address}/history`,
    `PUT /members/${address}`,
    `PATCH /members/${address}/tokenBalance`,
    `PUT /members/1/identities/${address}`,
    `DELETE /members/1/identities/${address}`,
    `GET /members?id=${address}`,
    `GET /members?search=${address}`,
    `GET /leaderboard?exclude=1,${address}`,
    `GET /leaderboard/${address}`,
  ]
  for (const line of refused) {
    it(`${line} is 400 with the reason, which does not repeat it`, async () => {
      const answer = await open.send(line, line.startsWith('PATCH') ? { tokens: 1 } : undefined)
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.text, /An e-mail address must not be in a URL, as URLs are logged/)
      assert.doesNotMatch(answer.text, /url@example|url%40example/)
    })
  }
})

describe('the key of a realm', () => {
  it('has 32 bytes from the beginning, and differs from any other', async () => {
    const [one, other] = [await keyOf(open), await keyOf(closed)]
    assert.deepEqual([one?.length, other?.length], [32, 32])
    assert.notDeepEqual(one, other)
  })

  it('of a realm from an earlier release is created with its first address, once', async () => {
    const old = await managed(made, { unknownMembers: 'create' })
    await rows('update settings set identity_key = null where realm_id = $1', [old.id])
    const names = Array.from({ length: 6 }, (_, index) => `email:${index}@example.org`)
    const answers = await Promise.all(names.map((name) => give(name, 1, old)))
    for (const { status, text } of answers) assert.equal(status, 200, text)
    assert.equal((await keyOf(old))?.length, 32)
    for (const name of names) assert.equal((await give(name, 1, old)).status, 200)
    assert.equal((await old.send('GET /members')).json.data.length, names.length)
  })
})

const address = 'nowhere@example.org'

describe('an address is nowhere', () => {
  const said: string[] = []
  const send = async (line: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await asRealm(talkative.baseUrl, { id: open.id, key }, { line, body, headers })
    said.push(answer.text, JSON.stringify(answer.headers))
    return answer
  }
  const name = `email:${address}`
  const change = (tokens: number) => ({ changes: [{ memberId: name, tokens }], atomic: true })

  it('in responses, errors and streams', async () => {
    await send('PUT /members/30', {})
    assert.equal((await send('POST /members/30/identities', { identity: name })).status, 201)
    const taken = await send('POST /members/21/identities', { identity: name })
    assert.match(taken.json.detail, /The identity email:[0-9a-f]{64} belongs to member 30/)
    assert.equal((await send('POST /changes', change(5))).status, 200)
    const kept = { 'idempotency-key': 'email-2' }
    assertProblem(await send('POST /changes', change(-50), kept), 422, 'changes_refused')
    await send('POST /members', { members: [{ id: name, frozen: true }] }, { 'idempotency-key': 'email-3' })
    assertProblem(await send('POST /changes', change(-1)), 422, 'changes_refused')
    await send('POST /members', { members: [{ id: name, frozen: false }] })
    const moved = { memberId: '21', recipientId: name, tokens: 5, actorId: 'email:unknown@example.org' }
    assertInvalid(await send('POST /changes', { changes: [moved] }), '/changes/0/actorId')
    for (const line of [
      'GET /journal',
      'GET /members/30/history',
      'GET /members/30/identities',
      'GET /audit',
    ])
      assert.equal((await send(line)).status, 200)
    for (const file of ['members.csv', 'balances.csv', 'entries.csv', 'realm.ndjson'])
      assert.equal((await send(`GET /export/${file}`)).status, 200)
    assert.match((await send('GET /journal/stream?cursor=0')).text, /data:/)
    assert.equal((await send(`GET /members/${name}`)).status, 400)
    assert.equal((await send(`POST /members/${name}/nowhere`)).status, 404)
    const refused = await closed.send('POST /changes', change(5))
    said.push(refused.text)
    assert.match(refused.text, /The realm has no member email:[0-9a-f]{64}/)
    const imported = await call('POST', `${talkative.baseUrl}/api/v4/realms/${open.id}/import?name=email`, {
      key,
      raw: `id,balance\n${name},7\n${name},8\nemail:nowhere@example.org@,5\n`,
      headers: { 'content-type': 'text/csv' },
    })
    assert.equal(imported.json.errors.length, 3, imported.text)
    said.push(imported.text)
    assert.doesNotMatch(said.join('\n'), /(nowhere|unknown)(@|%40)example/i)
  })

  it('in the log', async () => {
    assert.ok(talkative.said.length > 20)
    assert.doesNotMatch(talkative.said.join('\n'), /example\.org/)
  })

  it('in webhooks', async () => {
    const adjusted = ({ body }: { body: string }) => body.includes('"points.adjusted"')
    for (let tries = 0; tries < 200 && !receiver.got.some(adjusted); tries++)
      await new Promise((done) => setTimeout(done, 25))
    assert.ok(receiver.got.some(adjusted))
    assert.doesNotMatch(receiver.got.map(({ body }) => body).join('\n'), /example\.org/)
  })

  it('in any table; nor is the key in any response', async () => {
    const tables = await rows(`select c.relname as name from pg_class c
      where c.relnamespace = 'exchequer'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`)
    const query = tables.map(
      ({ name: table }) => `select '${table}' as name from ${table} t
      where t::text ~* 'example\\.org'`,
    )
    assert.ok(tables.length > 30)
    assert.deepEqual(await rows(query.join(' union all ')), [])
    const hex = (await keyOf(open))?.toString('hex') ?? ''
    // The export of a whole realm, which needs realm:admin, is the one that has it.
    const withKey = said.filter((text) => text.includes(hex))
    assert.deepEqual(
      withKey.map((text) => text.slice(0, 27)),
      ['{"format":"exchequer-realm"'],
    )
    const realms = await operate(made.app.url, `GET /realms/${open.id}`)
    assert.doesNotMatch(realms.text + (await open.send('GET ')).text, /identity_?key/i)
  })
})
