import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { evmWallet } from '../../../tests/support/fixture.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { asRealm } from '../../../tests/support/operator.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { scopes } from '../../src/keys/index.ts'

/** Merging members: who may, what moves, and what requests to the old id do. */
let realm: ManagedRealm
let closed: ManagedRealm
let key: string
const made = suite({}, async (suited) => {
  realm = await managed(suited, { unknownMembers: 'create' })
  closed = await managed(suited)
  key = (await realm.send('POST /keys', { scopes })).json.key
  await realm.send('POST /points', { id: 'gems', name: 'Gems' })
})
after(() => assertBooks(made.database))

const path = (name: string) => `/members/${encodeURIComponent(name)}`
const read = async (name: string) => (await realm.send(`GET ${path(name)}`)).json
const give = (name: string, tokens: number, more: object = {}) =>
  realm.send(`PATCH ${path(name)}/tokenBalance`, { tokens, ...more })
const put = (name: string, body: object = {}) => realm.send(`PUT ${path(name)}`, body)
const merge = (to: string, from: string, body: object = { force: true }) =>
  realm.send(`POST ${path(to)}/merges`, { from, ...body })
const rows = (text: string, values: unknown[] = []) => rowsOf(made.database.superuserUrl, text, values)
const raw = (line: string, body?: unknown, headers: Record<string, string> = {}) =>
  asRealm(made.app.url, { id: realm.id, key }, { line, body, headers })
const number = '(select realm from realms where id = $1)'

/** A 409 that no retry changes. */
function assertConflict({ status, json }: { status: number; json: { code?: string } }, code: string): void {
  assert.deepEqual([status, json.code], [409, code])
}

/** A merge that must succeed. */
async function merged(to: string, from: string) {
  const answer = await merge(to, from)
  assert.equal(answer.status, 201, answer.text)
  return answer.json
}

describe('a merge', () => {
  it('moves every point type, identities and wallets, and writes one entry for each point type', async () => {
    await give('100', 5)
    await give('101', 7)
    await give('101', 3, { realmPointId: 'gems' })
    await realm.send('PUT /members/101/identities/shop:101', { name: 'Neo' })
    await realm.send('POST /members/101/wallets', { address: evmWallet })
    const { points, ...rest } = await merged('100', '101')
    assert.deepEqual(rest, {
      number: rest.number,
      memberId: '100',
      mergedId: '101',
      identities: 1,
      wallets: 1,
      frozen: false,
      hidden: false,
    })
    assert.deepEqual(points, [
      { realmPointId: realm.pointId, tokens: 7, newBalance: 12 },
      { realmPointId: 'gems', tokens: 3, newBalance: 3 },
    ])
    const now = await read('100')
    assert.deepEqual([now.tokenBalance, now.balances.gems], [12, 3])
    assert.equal((await read('shop:101')).id, '100')
    assert.equal((await realm.send('GET /members/100/web3')).json.wallets?.length ?? 1, 1)
    const shown = await realm.send(`GET /merges/${rest.number}`)
    assert.deepEqual([shown.json.memberId, shown.json.mergedId, shown.json.undone], ['100', '101', false])
    assert.equal(shown.json.transactionIds.length, 2)
    for (const id of shown.json.transactionIds)
      assert.equal((await realm.send(`GET /entries/${id}`)).json.type, 'merge')
    const listed = await realm.send('GET /merges?memberId=100')
    assert.deepEqual(listed.json.data, [shown.json])
  })

  it('of members without points has no entry', async () => {
    await put('110')
    await put('111')
    const { points, number: empty } = await merged('110', '111')
    assert.deepEqual(points, [])
    assert.deepEqual((await realm.send(`GET /merges/${empty}`)).json.transactionIds, [])
    assert.equal((await read('111')).id, '110')
  })

  it('dry, changes nothing and returns what would happen', async () => {
    await give('120', 1)
    await give('121', 2)
    const dry = await realm.send('POST /members/120/merges?dryRun=true', { from: '121', force: true })
    assert.equal(dry.status, 200, dry.text)
    assert.deepEqual([dry.json.dryRun, dry.json.number, dry.json.points[0].newBalance], [true, undefined, 3])
    assert.deepEqual([(await read('120')).tokenBalance, (await read('121')).tokenBalance], [1, 2])
  })

  it('fills gaps of the profile, and keeps what the survivor has', async () => {
    await put('130', { username: 'ada', note: 'mine' })
    await put('131', { username: 'eve', displayName: 'Eve', metadata: { a: 1 }, note: 'theirs' })
    await merged('130', '131')
    const profile = (await realm.send('GET /members/130/profile')).json
    assert.deepEqual(
      [profile.username, profile.displayName, profile.metadata, profile.note],
      ['ada', 'Eve', { a: 1 }, 'mine'],
    )
  })

  it('freezes and hides the survivor if either was', async () => {
    await put('140')
    await put('141', { frozen: true, hidden: true })
    await merged('140', '141')
    const { frozen, hidden } = await read('140')
    assert.deepEqual([frozen, hidden], [true, true])
    assertProblem(await give('140', -1), 422, 'member_frozen')
  })

  it('ignores the limit of a point type, but not 2^53 - 1', async () => {
    await realm.send('POST /points', { id: 'few', name: 'Few', maxBalance: 10 })
    await give('150', 9, { realmPointId: 'few' })
    await give('151', 9, { realmPointId: 'few' })
    assert.equal((await merge('150', '151')).json.points[0].newBalance, 18)
    await give('152', Number.MAX_SAFE_INTEGER)
    await give('153', 1)
    assertProblem(await merge('152', '153'), 422, 'balance_limit')
    assert.equal((await read('153')).id, '153')
  })

  it('of an old id that was merged again points to the last survivor: there are no chains', async () => {
    for (const id of ['160', '161', '162']) await give(id, 1)
    await merged('161', '160')
    await merged('162', '161')
    for (const id of ['160', '161', '162'])
      assert.deepEqual([(await read(id)).id, (await read(id)).tokenBalance], ['162', 3])
  })
})

describe('who may merge', () => {
  it('two that have joined: only with force, and only with realm:admin', async () => {
    await give('200', 1)
    await give('201', 1)
    assertConflict(await merge('200', '201', {}), 'member_claimed')
    const send = await realm.without('realm:admin')
    assertProblem(
      await send('POST /members/200/merges', { from: '201', force: true }),
      403,
      'insufficient_scope',
    )
    assert.equal((await merge('200', '201')).status, 201)
  })

  it('one that was credited before it joined is merged by linking its identity', async () => {
    await give('twitch:ada', 8)
    const before = (await read('twitch:ada')).id
    await put('210', { username: 'ada' })
    const send = await realm.without('realm:admin')
    const linked = await send('PUT /members/210/identities/twitch:ada', { name: 'Ada' })
    assert.equal(linked.status, 201, linked.text)
    assert.equal(linked.json.name, 'Ada')
    assert.deepEqual([(await read('210')).tokenBalance, (await read(before)).id], [8, '210'])
    assert.equal((await send('PUT /members/210/identities/twitch:ada', {})).status, 200)
  })

  it('linking an e-mail address in a body does the same', async () => {
    await realm.send('POST /changes', { changes: [{ memberId: 'email:ada@example.org', tokens: 4 }] })
    await put('211')
    const linked = await realm.send('POST /members/211/identities', { identity: 'email:ada@example.org' })
    assert.equal(linked.status, 201, linked.text)
    assert.equal((await read('211')).tokenBalance, 4)
  })

  it('a profile, a wallet or a second identity claims a member: then linking is 409', async () => {
    await put('220')
    const claims: [name: string, claim: () => Promise<unknown>][] = [
      ['claim:put', () => put('claim:put', { note: 'here' })],
      ['claim:flags', () => put('claim:flags', { hidden: false })],
      ['claim:second', () => realm.send(`PUT ${path('claim:second')}/identities/more:x`, {})],
      [
        'claim:wallet',
        () =>
          realm.send(`POST ${path('claim:wallet')}/wallets`, {
            address: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
          }),
      ],
    ]
    for (const [name, claim] of claims) {
      await give(name, 1)
      await claim()
      assertConflict(await realm.send(`PUT /members/220/identities/${encodeURIComponent(name)}`, {}), 'already_exists')
    }
  })

  it('a frozen member only with realm:admin', async () => {
    await give('frozen:a', 1)
    await put('230', { frozen: true })
    const send = await realm.without('realm:admin')
    const body = { from: 'frozen:a' }
    assertProblem(await send('POST /members/230/merges', body), 403, 'insufficient_scope')
    assert.equal((await realm.send('POST /members/230/merges', body)).status, 201)
  })
})

describe('a merge is rejected', () => {
  it('404 for an unknown member, and 422 for one and the same', async () => {
    await put('300')
    assertProblem(await merge('300', '309'), 404, 'member_not_found')
    assertProblem(await merge('309', '300'), 404, 'member_not_found')
    assertProblem(await merge('300', '300'), 422, 'same_member')
  })

  it('409 when either has held points', async () => {
    for (const id of ['310', '311']) await give(id, 5)
    const hold = await realm.send('POST /members/311/holds', { tokens: 2, expiresIn: 600 })
    assert.equal(hold.status, 201, hold.text)
    assertConflict(await merge('310', '311'), 'member_has_holds')
    assertConflict(await merge('311', '310'), 'member_has_holds')
    await realm.send(`POST /holds/${hold.json.holdId}/release`, {})
    assert.equal((await merge('310', '311')).status, 201)
  })

  it('409 for an old id, and 422 for one that already is that member', async () => {
    for (const id of ['320', '321', '322']) await put(id)
    await merged('320', '321')
    assertConflict(await merge('322', '321'), 'already_merged')
    assertProblem(await merge('320', '321'), 422, 'same_member')
  })

  it('422 for a 17th merged account, and for more than 16 identities', async () => {
    await put('330')
    for (let n = 0; n < 16; n += 1) {
      await put(`33${100 + n}`)
      assert.equal((await merge('330', `33${100 + n}`)).status, 201)
    }
    await put('331')
    assertProblem(await merge('330', '331'), 422, 'merge_limit')
    for (const id of ['332', '333'])
      for (let n = 0; n < 9; n += 1) await realm.send(`PUT /members/${id}/identities/full:${id}-${n}`, {})
    for (const id of ['332', '333']) await put(id)
    for (const id of ['332', '333'])
      for (let n = 0; n < 9; n += 1) await realm.send(`PUT /members/${id}/identities/full:${id}-${n}`, {})
    assertProblem(await merge('332', '333'), 422, 'identity_limit')
  })
})

describe('requests to the old id', () => {
  it('act on the survivor; answers have its id and Content-Location', async () => {
    await give('400', 10)
    await give('401', 5)
    await merged('400', '401')
    const shown = await raw('GET /members/401')
    assert.deepEqual([shown.json.id, shown.json.tokenBalance], ['400', 15])
    assert.equal(shown.headers['content-location'], `/api/v4/realms/${realm.id}/members/400`)
    const changed = await raw('PATCH /members/401/tokenBalance', { tokens: 2 })
    assert.equal(changed.json.newBalance, 17)
    assert.equal(changed.headers['content-location'], `/api/v4/realms/${realm.id}/members/400/tokenBalance`)
    const again = await raw('PATCH /members/401/tokenBalance', { tokens: 1 })
    assert.equal(again.headers['content-location'], `/api/v4/realms/${realm.id}/members/400/tokenBalance`)
    assert.equal((await raw('PATCH /members/400/tokenBalance', { tokens: 1 })).headers['content-location'], undefined)
    assert.equal((await put('401', { username: 'neo' })).json.id, '400')
    assert.equal((await read('400')).username, 'neo')
    const holds = await raw('GET /members/401/holds')
    assert.deepEqual(holds.json.data, [])
    for (const line of ['web3', 'identities', 'history', 'wallets', 'profile'])
      assert.equal((await raw(`GET /members/401/${line}`)).status, 200, line)
    const rank = await raw('GET /members/401/rank')
    if (rank.status === 200) assert.equal(rank.json.member.id, '400')
  })

  it('never create a member, also in a closed realm and by import of members', async () => {
    await closed.send('PUT /members/1', {})
    await closed.send('PUT /members/2', {})
    await closed.send('PATCH /members/2/tokenBalance', { tokens: 3 })
    assert.equal((await closed.send('POST /members/1/merges', { from: '2', force: true })).status, 201)
    assert.equal((await closed.send('PATCH /members/2/tokenBalance', { tokens: 1 })).json.newBalance, 4)
    assert.equal((await closed.send('POST /members', { members: [{ id: '2', note: 'x' }] })).json.created, 0)
    const { json } = await closed.send('GET /members')
    assert.deepEqual(json.data.map(({ id }: { id: string }) => id), ['1'])
  })

  it('If-None-Match: * is 412: the id is taken', async () => {
    await give('410', 1)
    await give('411', 1)
    await merged('410', '411')
    const created = await raw('PUT /members/411', {}, { 'if-none-match': '*' })
    assert.equal(created.status, 412, created.text)
  })

  it('the old id is an identity that can’t be unlinked', async () => {
    await give('420', 1)
    await give('421', 1)
    await merged('420', '421')
    const { json } = await realm.send('GET /members/420/identities')
    assert.deepEqual(json.data.map(({ identity }: { identity: string }) => identity), ['id:421'])
    assert.equal((await realm.send('DELETE /members/420/identities/id:421')).status, 400)
    assert.equal((await read('421')).id, '420')
  })

  it('a retry of the same bytes is the same request before and after the merge', async () => {
    await give('430', 1)
    await give('431', 1)
    const line = 'PATCH /members/431/tokenBalance'
    const headers = { 'idempotency-key': 'merge-1' }
    const first = await raw(line, { tokens: 5 }, headers)
    await merged('430', '431')
    const again = await raw(line, { tokens: 5 }, headers)
    assert.deepEqual([again.status, again.text], [200, first.text])
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal((await read('430')).tokenBalance, 7)
    const other = await raw('PATCH /members/430/tokenBalance', { tokens: 5 }, headers)
    assertProblem(other, 422, 'idempotency_key_reused')
  })

  it('a retried merge is the same merge', async () => {
    await give('440', 1)
    await give('441', 1)
    const headers = { 'idempotency-key': 'merge-2' }
    const body = { from: '441', force: true }
    const first = await raw('POST /members/440/merges', body, headers)
    const again = await raw('POST /members/440/merges', body, headers)
    assert.deepEqual([again.status, again.text], [201, first.text])
  })
})

describe('ETag and If-Match', () => {
  it('compare the account: an ETag of the merged id is 412', async () => {
    await give('500', 1)
    await give('501', 1)
    const old = (await raw('GET /members/501')).headers['etag'] as string
    assert.match(old, /^"\d+-\d+-[^"]+"$/)
    await merged('500', '501')
    const changed = await raw('PATCH /members/501/tokenBalance', { tokens: 1 }, { 'if-match': old })
    assertProblem(changed, 412, 'precondition_failed')
    const now = (await raw('GET /members/501')).headers['etag'] as string
    assert.equal((await raw('PATCH /members/501/tokenBalance', { tokens: 1 }, { 'if-match': now })).status, 200)
  })

  it('two members whose points were moved by one entry have different ETags', async () => {
    await give('510', 5)
    await realm.send('POST /changes', { changes: [{ memberId: '510', recipientId: '511', tokens: 1 }] })
    const tag = (await raw('GET /members/510')).headers['etag'] as string
    const changed = await raw('PATCH /members/511/tokenBalance', { tokens: 1 }, { 'if-match': tag })
    assertProblem(changed, 412, 'precondition_failed')
  })
})

describe('after a merge', () => {
  it('a reversal of an older entry acts on the survivor', async () => {
    const { transactionId } = (await give('601', 5)).json
    await give('600', 1)
    await merged('600', '601')
    const reversed = await realm.send(`POST /entries/${transactionId}/reverse`, {})
    assert.equal(reversed.status, 200, reversed.text)
    assert.deepEqual(reversed.json.balances, [{ memberId: '600', newBalance: 1 }])
  })

  it('a transfer between the two is not reversible: same_member', async () => {
    await give('610', 5)
    const change = { memberId: '610', recipientId: '611', tokens: 2 }
    const { transactionId } = (await realm.send('POST /changes', { changes: [change] })).json.data[0]
    await merged('610', '611')
    const reversed = await realm.send(`POST /entries/${transactionId}/reverse`, {})
    assertProblem(reversed, 422, 'not_reversible')
    assert.equal(reversed.json.reason, 'same_member')
  })

  it('a merge entry is not reversible, and undoing many skips it', async () => {
    await give('620', 5)
    await give('621', 5)
    const { number: merge620 } = await merged('620', '621')
    const [seq] = (await realm.send(`GET /merges/${merge620}`)).json.transactionIds
    assertProblem(await realm.send(`POST /entries/${seq}/reverse`, {}), 422, 'not_reversible')
    const undone = await realm.send('POST /reversals?dryRun=true', { filter: { memberId: '620' } })
    if (undone.status === 200) assert.ok(!JSON.stringify(undone.json).includes(`"${seq}"`))
  })

  it('the history has the entries of both, with mergedFrom and that account’s own balance', async () => {
    await give('630', 1, { reason: 'a' })
    await give('631', 2, { reason: 'b' })
    await give('631', 3, { reason: 'c' })
    await merged('630', '631')
    await give('631', 4, { reason: 'd' })
    const { json } = await realm.send('GET /members/630/history')
    const seen = json.data.map((one: Record<string, unknown>) => [
      one['type'],
      one['tokens'],
      one['newBalance'],
      one['mergedFrom'],
    ])
    assert.deepEqual(seen, [
      ['adjust', 4, 10, null],
      ['merge', 5, 6, null],
      ['adjust', 3, 5, '631'],
      ['adjust', 2, 2, '631'],
      ['adjust', 1, 1, null],
    ])
    const page = await realm.send('GET /members/630/history?limit=2')
    const next = await realm.send(`GET /members/630/history?limit=3&cursor=${page.json.nextCursor}`)
    assert.deepEqual([...page.json.data, ...next.json.data], json.data)
    const at = json.data[3].createdAt ?? json.data[3].at
    if (at) assert.equal((await realm.send(`GET /members/630?at=${at}`)).json.tokenBalance, 1)
  })

  it('entries of the merged account name the survivor', async () => {
    const { transactionId } = (await give('641', 5)).json
    await put('640')
    await merged('640', '641')
    const { json } = await realm.send(`GET /entries/${transactionId}`)
    assert.equal(json.toId ?? json.to?.id ?? json.recipientId, '640')
    const feed = (await realm.send(`GET /journal?cursor=${BigInt(transactionId) - 1n}&limit=1`)).json.data[0]
    assert.equal(feed.toId, '640')
  })

  it('daily limits count what either transferred today', async () => {
    await realm.send('POST /points', { id: 'daily', name: 'Daily', maxPerDay: 10 })
    await put('652')
    for (const id of ['650', '651']) await give(id, 50, { realmPointId: 'daily' })
    const transfer = (from: string, tokens: number) =>
      realm.send(`PATCH ${path(from)}/transfer`, { recipientId: '652', tokens, realmPointId: 'daily' })
    assert.equal((await transfer('650', 4)).status, 200)
    assert.equal((await transfer('651', 4)).status, 200)
    await merged('650', '651')
    assertProblem(await transfer('650', 3), 422, 'daily_limit')
    assert.equal((await transfer('651', 2)).status, 200)
  })

  it('the merged member’s row is gone, and its open challenges too', async () => {
    await put('660')
    await put('661')
    await realm.send('POST /members/661/wallets/challenges', { address: evmWallet })
    const count = () =>
      rows(`select count(*)::integer as count from challenges where realm = ${number}`, [realm.id])
    const [before] = await count()
    await merged('660', '661')
    const [now] = await count()
    assert.equal(now.count, before.count - 1)
    const left = await rows(`select id::text from members where realm = ${number} and id = 661`, [realm.id])
    assert.deepEqual(left, [])
  })
})
