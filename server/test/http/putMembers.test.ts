import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { assertBooks } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { asRealm } from '../../../tests/support/operator.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

const anotherApp = moreApps()
let realm: ManagedRealm
const made = suite({}, async (suited) => {
  realm = await managed(suited)
})
const put = (id: string, body: unknown) => realm.send(`PUT /members/${id}`, body)
const putMany = (members: unknown) => realm.send('POST /members', { members })
const read = async (id: string) => (await realm.send(`GET /members/${id}`)).json
const profile = (id: string) => realm.send(`GET /members/${id}/profile`)
const adjust = (id: string, tokens: number) => realm.send(`PATCH /members/${id}/tokenBalance`, { tokens })
const fullest = { m: 'x'.repeat(2048 - '{"m":""}'.length) }

describe('200', () => {
  it('a member is created with all fields, which the profile returns too', async () => {
    const said = { username: 'ada', displayName: 'Ada', note: 'Likes maps.', frozen: true, hidden: true }
    const { status, json, text } = await put('1', { ...said, metadata: { level: 3, tags: ['x'] } })
    assert.equal(status, 201, text)
    const { joinedAt, updatedAt, ...rest } = json
    assert.ok(joinedAt && updatedAt)
    assert.deepEqual(rest, {
      id: '1',
      realmId: realm.id,
      balances: { [realm.pointId]: 0 },
      tokenBalance: 0,
      held: {},
      ...said,
      metadata: { level: 3, tags: ['x'] },
    })
    assert.deepEqual((await profile('1')).json, json)
  })

  it('note and metadata are not in the member that everyone reads', async () => {
    await put('2', { note: 'secret', metadata: { a: 1 }, hidden: true })
    const member = await read('2')
    assert.equal('note' in member || 'metadata' in member, false)
    assert.deepEqual([member.frozen, member.hidden], [false, true])
  })

  it('omitted fields stay; an empty text and an empty object clear', async () => {
    await put('3', { username: 'cid', displayName: 'Cid', note: 'n', metadata: { a: 1 }, hidden: true })
    const left = (await put('3', {})).json
    assert.deepEqual(
      [left.username, left.displayName, left.note, left.metadata, left.hidden],
      ['cid', 'Cid', 'n', { a: 1 }, true],
    )
    const { json } = await put('3', { username: '', displayName: '', note: '', metadata: {}, hidden: false })
    assert.deepEqual(
      [json.username, json.displayName, json.note, json.metadata, json.hidden],
      [null, null, null, null, false],
    )
  })

  it('numbers in metadata lose nothing', async () => {
    const { key } = (await realm.send('POST /keys', { scopes: ['members:write'] })).json
    const raw = '{"metadata":{"id":12345678901234567890,"share":0.10}}'
    const answer = await call('PUT', `${made.app.url}/api/v4/realms/${realm.id}/members/4`, { key, raw })
    assert.match(answer.text, /"metadata":\{"id":12345678901234567890,"share":0\.10\}/)
  })

  it('many are created and changed at once, and the response has both counts', async () => {
    const first = await putMany([
      { id: '20', frozen: true, note: 'n' },
      { id: 21, metadata: fullest },
    ])
    assert.deepEqual(first.json, { created: 2, updated: 0 })
    const second = await putMany([{ id: '21', hidden: true }, { id: '22' }, { id: '22', username: 'last' }])
    assert.deepEqual(second.json, { created: 1, updated: 1 })
    assert.equal((await read('20')).frozen, true)
    assert.deepEqual((await profile('21')).json.metadata, fullest)
    assert.equal((await read('22')).username, 'last')
  })

  it('freezing takes effect at once though the member is cached, and so does unfreezing', async () => {
    await put('30', {})
    await adjust('30', 10)
    assert.equal((await adjust('30', -1)).status, 200)
    await put('30', { frozen: true })
    assertProblem(await adjust('30', -1), 422, 'member_frozen')
    const line = 'PATCH /members/30/transfer'
    assertProblem(await realm.send(line, { recipientId: '1', tokens: 1 }), 422, 'member_frozen')
    assert.equal((await adjust('30', 1)).json.newBalance, 10)
    await put('30', { note: 'still' })
    assertProblem(await adjust('30', -1), 422, 'member_frozen')
    await put('30', { frozen: false })
    assert.equal((await adjust('30', -1)).json.newBalance, 9)
  })

  it('freezing takes effect at once on another server too, which decides from memory', async () => {
    const { url } = await anotherApp(made)
    const line = 'PATCH /members/31/tokenBalance'
    const there = (tokens: number) => asRealm(url, realm, { line, body: { tokens } })
    await putMany([{ id: '31' }])
    for (let round = 0; round < 3; round++) {
      assert.equal((await there(5)).status, 200)
      assert.equal((await there(-1)).status, 200)
      await putMany([{ id: '31', frozen: true }, { id: '32' }])
      assertProblem(await there(-1), 422, 'member_frozen')
      await put('31', { frozen: false })
    }
    await assertBooks(made.database)
  })

  it('the audit log records freezing', async () => {
    await put('33', { frozen: true })
    await put('33', { frozen: true })
    await put('33', { frozen: false })
    const { json } = await realm.send('GET /audit')
    const acts = json.data.map((act: { action: string; subject: string }) => `${act.action} ${act.subject}`)
    assert.deepEqual(acts.slice(0, 5), [
      'member.thaw member 33',
      'member.put member 33',
      'member.put member 33',
      'member.freeze member 33',
      'member.put member 33',
    ])
  })

  it('an unseen member of an open realm has an empty profile', async () => {
    const open = await managed(made, { unknownMembers: 'create' })
    const { status, json } = await open.send('GET /members/5/profile')
    assert.equal(status, 200)
    assert.deepEqual([json.note, json.metadata, json.joinedAt], [null, null, null])
  })
})

describe('400', () => {
  const faulty: readonly (readonly [string, unknown])[] = [
    ['username', 'n'.repeat(101)],
    ['displayName', 5],
    ['note', 'n'.repeat(2001)],
    ['note', '\0'],
    ['metadata', []],
    ['metadata', 'x'],
    ['metadata', { m: `${fullest.m}x` }],
    ['frozen', 'yes'],
    ['hidden', 1],
  ]
  it('a value beyond its limits is rejected with its location, and no member is created', async () => {
    for (const [field, value] of faulty) {
      assertInvalid(await put('40', { [field]: value }), `/${field}`)
      assertInvalid(await putMany([{ id: '41' }, { id: '40', [field]: value }]), `/members/1/${field}`)
    }
    for (const id of ['40', '41']) assert.equal((await read(id)).code, 'member_not_found')
  })

  it('a list that is empty, too long or without ids is rejected', async () => {
    assertInvalid(await putMany([]), '/members')
    assertInvalid(await putMany(Array.from({ length: 1001 }, (_, id) => ({ id: id + 1 }))), '/members')
    assertInvalid(await putMany([{}]), '/members/0/id')
    assertInvalid(await put('0', {}), 'path:memberID')
  })
})

describe('403', () => {
  it('members:write is needed to write, and with members:read to read a profile', async () => {
    const send = await realm.without('members:write')
    assertProblem(await send('PUT /members/1', {}), 403, 'insufficient_scope')
    assertProblem(await send('POST /members', { members: [{ id: 1 }] }), 403, 'insufficient_scope')
    assertProblem(await send('GET /members/1/profile'), 403, 'insufficient_scope')
    assert.equal((await send('GET /members/1')).status, 200)
    const writer = await realm.without('members:read')
    assertProblem(await writer('GET /members/1/profile'), 403, 'insufficient_scope')
  })
})

describe('404', () => {
  it('an unknown member has no profile', async () => {
    assertProblem(await profile('404'), 404, 'member_not_found')
  })
})
