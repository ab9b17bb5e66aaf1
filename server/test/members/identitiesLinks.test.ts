import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { evmWallet } from '../../../tests/support/fixture.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { asRealm } from '../../../tests/support/operator.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { scopes } from '../../src/keys/index.ts'

/** Links between members and identities, and what follows them: caches, retries, actors, erasure. */

const anotherApp = moreApps()
let open: ManagedRealm
let key: string
const made = suite({}, async (suited) => {
  open = await managed(suited, { unknownMembers: 'create' })
  key = (await open.send('POST /keys', { scopes })).json.key
})

const path = (name: string) => `/members/${encodeURIComponent(name)}`
const read = async (name: string) => (await open.send(`GET ${path(name)}`)).json
const adjust = (name: string, body: object) => open.send(`PATCH ${path(name)}/tokenBalance`, body)
const link = (member: string, name: string, body: object = {}) =>
  open.send(`PUT ${path(member)}/identities/${encodeURIComponent(name)}`, body)
const unlink = (member: string, name: string) =>
  open.send(`DELETE ${path(member)}/identities/${encodeURIComponent(name)}`)
const withKey = (line: string, idempotencyKey: string, body: unknown) =>
  asRealm(made.app.url, { id: open.id, key }, { line, body, headers: { 'idempotency-key': idempotencyKey } })
const rows = (text: string, values: unknown[] = []) => rowsOf(made.database.superuserUrl, text, values)
const realmNumber = '(select realm from realms where id = $1)'

describe('PUT and DELETE of an identity', () => {
  it('link, show, change and unlink; points stay with the member', async () => {
    await adjust('400', { tokens: 4 })
    const linked = await link('400', 'game:400', { name: 'Neo', pictureUrl: 'https://a.example/p.png' })
    assert.equal(linked.status, 201, linked.text)
    const { linkedAt, ...rest } = linked.json
    assert.ok(linkedAt)
    const shown = { identity: 'game:400', provider: 'game', subject: '400' }
    assert.deepEqual(rest, { ...shown, name: 'Neo', pictureUrl: 'https://a.example/p.png' })
    assert.deepEqual((await open.send('GET /members/400/identities/game:400')).json, linked.json)
    const changed = await link('game:400', 'game:400', { pictureUrl: null })
    assert.deepEqual([changed.status, changed.json.name, changed.json.pictureUrl], [200, 'Neo', null])
    assert.equal((await unlink('400', 'game:400')).status, 204)
    assertProblem(await unlink('400', 'game:400'), 404, 'identity_not_found')
    assertProblem(await open.send('GET /members/400/identities/game:400'), 404, 'identity_not_found')
    assertProblem(await open.send('GET /members/game:400'), 404, 'member_not_found')
    assert.equal((await read('400')).tokenBalance, 4)
  })

  it('an identity of another member is 409; a 17th is 422', async () => {
    await open.send('PUT /members/410', {})
    await open.send('PUT /members/411', {})
    await link('410', 'game:410')
    const taken = await link('411', 'game:410')
    assert.deepEqual([taken.status, taken.json.code], [409, 'already_exists'])
    assert.match(taken.json.detail, /game:410 belongs to member 410/)
    for (let n = 1; n < 16; n += 1) assert.equal((await link('410', `many:${n}`)).status, 201)
    assertProblem(await link('410', 'many:16'), 422, 'identity_limit')
    const pages = []
    for (let cursor = ''; ; ) {
      const { json } = await open.send(`GET /members/410/identities?limit=7${cursor}`)
      pages.push(json.data.length)
      if (json.nextCursor === null) break
      cursor = `&cursor=${json.nextCursor}`
    }
    assert.deepEqual(pages, [7, 7, 2])
  })

  it('a picture must be an https URL, and the member must exist', async () => {
    for (const pictureUrl of ['http://a.example/p', 'javascript:alert(1)', 'https://', 'p.png'])
      assertInvalid(await link('100', 'game:pic', { pictureUrl }), '/pictureUrl')
    assertProblem(await link('499', 'game:499'), 404, 'member_not_found')
  })

  it('needs members:write; a list needs members:read', async () => {
    const blind = await open.without('members:read')
    const mute = await open.without('members:write')
    assertProblem(await blind('GET /members/100/identities'), 403, 'insufficient_scope')
    assertProblem(await mute('PUT /members/100/identities/game:z', {}), 403, 'insufficient_scope')
    assertProblem(await mute('DELETE /members/100/identities/game:z'), 403, 'insufficient_scope')
  })
})

describe('a process that decides from memory', () => {
  it('sees at once that another has moved an identity to another member', async () => {
    const { url } = await anotherApp(made)
    const there = (tokens: number) =>
      asRealm(url, open, { line: `PATCH ${path('move:x')}/tokenBalance`, body: { tokens } })
    await adjust('500', { tokens: 1 })
    await adjust('501', { tokens: 1 })
    await link('500', 'move:x')
    for (const tokens of [10, 10, 10]) assert.equal((await there(tokens)).status, 200)
    assert.equal((await unlink('500', 'move:x')).status, 204)
    assert.equal((await link('501', 'move:x')).status, 201)
    assert.equal((await there(5)).json.newBalance, 6)
    assert.deepEqual([(await read('500')).tokenBalance, (await read('501')).tokenBalance], [31, 6])
    await assertBooks(made.database)
  })

  it('sees at once that its member was removed: the identity begins a new one', async () => {
    const { url } = await anotherApp(made)
    const there = (tokens: number) =>
      asRealm(url, open, { line: `PATCH ${path('gone:x')}/tokenBalance`, body: { tokens } })
    for (const tokens of [10, -4, -6]) assert.equal((await there(tokens)).status, 200)
    const before = (await read('gone:x')).id
    assert.equal((await open.send('DELETE /members/gone:x')).status, 204)
    assert.equal((await there(3)).json.newBalance, 3)
    assert.notEqual((await read('gone:x')).id, before)
  })
})

describe('Idempotency-Key', () => {
  const line = `PATCH ${path('idem:a')}/tokenBalance`

  it('covers the identity as it was sent: a retry is replayed even if another member has it', async () => {
    const first = await withKey(line, 'k1', { tokens: 5 })
    await open.send('PUT /members/600', {})
    const { id } = await read('idem:a')
    await unlink(id, 'idem:a')
    await link('600', 'idem:a')
    const again = await withKey(line, 'k1', { tokens: 5 })
    assert.deepEqual([again.status, again.json], [first.status, first.json])
    assert.equal((await read('600')).tokenBalance, 0)
    const byId = await withKey(`PATCH /members/${id}/tokenBalance`, 'k1', { tokens: 5 })
    assertProblem(byId, 422, 'idempotency_key_reused')
  })

  it('works for requests besides the journal, and they are forgotten with the member', async () => {
    await adjust('601', { tokens: 1 })
    await link('601', 'idem:b')
    const challenge = `POST ${path('idem:b')}/wallets/challenges`
    const first = await withKey(challenge, 'k2', { address: evmWallet })
    assert.ok(first.status < 300, first.text)
    assert.deepEqual((await withKey(challenge, 'k2', { address: evmWallet })).json, first.json)
    const text = `select member::text from requests where realm = ${realmNumber} and member is not null`
    assert.deepEqual(await rows(text, [open.id]), [{ member: '601' }])
  })
})

describe('actorId', () => {
  it('takes an identity that a member has, and stores its id', async () => {
    await adjust('700', { tokens: 1 })
    await link('700', 'mod:eve')
    const { transactionId } = (await adjust('701', { tokens: 2, actorId: 'mod:eve' })).json
    assert.equal((await open.send(`GET /entries/${transactionId}`)).json.actorId, '700')
    const filter = { actorId: 'mod:eve' }
    assert.equal((await open.send('POST /reversals?dryRun=true', { filter })).json.matched, 1)
  })

  it('is 400 when no member has it', async () => {
    assertInvalid(await adjust('701', { tokens: 2, actorId: 'mod:none' }), '/actorId')
    const changes = [
      { memberId: '701', tokens: 1 },
      { memberId: '701', tokens: 1, actorId: 'mod:none' },
    ]
    assertInvalid(await open.send('POST /changes', { changes }), '/changes/1/actorId')
  })
})

describe('If-Match', () => {
  it('is compared with the member of the identity', async () => {
    await adjust('etag:a', { tokens: 5 })
    const { headers } = await open.send('GET /members/etag:a')
    const send = () =>
      asRealm(made.app.url, open, {
        line: 'PATCH /members/etag:a/tokenBalance',
        body: { tokens: 1 },
        headers: { 'if-match': String(headers.etag) },
      })
    assert.equal((await send()).status, 200)
    assertProblem(await send(), 412, 'precondition_failed')
  })
})

describe('erasure', () => {
  it('deletes identities and what was remembered under them', async () => {
    await adjust('erase:"x"', { tokens: 1 })
    const refused = `PATCH ${path('erase:"x"')}/tokenBalance`
    assert.equal((await withKey(refused, 'k3', { tokens: -5 })).status, 422)
    await adjust('erase:"x"', { tokens: -1 })
    const { status, text } = await open.send(`POST ${path('erase:"x"')}/erasure`)
    assert.equal(status, 200, text)
    const left = `select subject from identities where realm = ${realmNumber} and provider = 'erase'
      union all select body from refusals where realm = ${realmNumber} and body like '%erase:%'
      union all select subject from audit where realm = ${realmNumber} and subject like '%"x"%'`
    assert.deepEqual(await rows(left, [open.id]), [])
    assertProblem(await open.send(`GET ${path('erase:"x"')}`), 404, 'member_not_found')
  })
})
