import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evmWallet } from '../../../tests/support/fixture.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { assertConflict, mergingSuite } from './merging.ts'

/** Merging members: what moves, who may, and what is rejected. */
const { path, send, merge, realm, read, give, put, merged } = mergingSuite()

describe('a merge', () => {
  it('moves every point type, identities and wallets, and writes one entry for each point type', async () => {
    await give('100', 5)
    await give('101', 7)
    await give('101', 3, { realmPointId: 'gems' })
    await send('PUT /members/101/identities/shop:101', { name: 'Neo' })
    await send('POST /members/101/wallets', { address: evmWallet })
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
      { realmPointId: realm().pointId, tokens: 7, newBalance: 12 },
      { realmPointId: 'gems', tokens: 3, newBalance: 3 },
    ])
    const now = await read('100')
    assert.deepEqual([now.tokenBalance, now.balances.gems], [12, 3])
    assert.equal((await read('shop:101')).id, '100')
    assert.equal((await send('GET /members/100/web3')).json.wallets?.length ?? 1, 1)
    const shown = await send(`GET /merges/${rest.number}`)
    assert.deepEqual([shown.json.memberId, shown.json.mergedId, shown.json.undone], ['100', '101', false])
    assert.equal(shown.json.transactionIds.length, 2)
    for (const id of shown.json.transactionIds)
      assert.equal((await send(`GET /entries/${id}`)).json.type, 'merge')
    const listed = await send('GET /merges?memberId=100')
    assert.deepEqual(listed.json.data, [shown.json])
  })

  it('of members without points has no entry', async () => {
    await put('110')
    await put('111')
    const { points, number: empty } = await merged('110', '111')
    assert.deepEqual(points, [])
    assert.deepEqual((await send(`GET /merges/${empty}`)).json.transactionIds, [])
    assert.equal((await read('111')).id, '110')
  })

  it('dry, changes nothing and returns what would happen', async () => {
    await give('120', 1)
    await give('121', 2)
    const dry = await send('POST /members/120/merges?dryRun=true', { from: '121', force: true })
    assert.equal(dry.status, 200, dry.text)
    assert.deepEqual([dry.json.dryRun, dry.json.number, dry.json.points[0].newBalance], [true, undefined, 3])
    assert.deepEqual([(await read('120')).tokenBalance, (await read('121')).tokenBalance], [1, 2])
  })

  it('fills gaps of the profile, and keeps what the survivor has', async () => {
    await put('130', { username: 'ada', note: 'mine' })
    await put('131', { username: 'eve', displayName: 'Eve', metadata: { a: 1 }, note: 'theirs' })
    await merged('130', '131')
    const profile = (await send('GET /members/130/profile')).json
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
    await send('POST /points', { id: 'few', name: 'Few', maxBalance: 10 })
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
    const lesser = await realm().without('realm:admin')
    assertProblem(
      await lesser('POST /members/200/merges', { from: '201', force: true }),
      403,
      'insufficient_scope',
    )
    assert.equal((await merge('200', '201')).status, 201)
  })

  it('one that was credited before it joined is merged by linking its identity', async () => {
    await give('twitch:ada', 8)
    const before = (await read('twitch:ada')).id
    await put('210', { username: 'ada' })
    const lesser = await realm().without('realm:admin')
    const linked = await lesser('PUT /members/210/identities/twitch:ada', { name: 'Ada' })
    assert.equal(linked.status, 201, linked.text)
    assert.equal(linked.json.name, 'Ada')
    assert.deepEqual([(await read('210')).tokenBalance, (await read(before)).id], [8, '210'])
    assert.equal((await lesser('PUT /members/210/identities/twitch:ada', {})).status, 200)
  })

  it('linking an e-mail address in a body does the same', async () => {
    await send('POST /changes', { changes: [{ memberId: 'email:ada@example.org', tokens: 4 }] })
    await put('211')
    const linked = await send('POST /members/211/identities', { identity: 'email:ada@example.org' })
    assert.equal(linked.status, 201, linked.text)
    assert.equal((await read('211')).tokenBalance, 4)
  })

  it('a profile, a wallet or a second identity claims a member: then linking is 409', async () => {
    await put('220')
    const claims: [name: string, claim: () => Promise<unknown>][] = [
      ['claim:put', () => put('claim:put', { note: 'here' })],
      ['claim:flags', () => put('claim:flags', { hidden: false })],
      ['claim:second', () => send(`PUT ${path('claim:second')}/identities/more:x`, {})],
      [
        'claim:wallet',
        () =>
          send(`POST ${path('claim:wallet')}/wallets`, {
            address: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
          }),
      ],
    ]
    for (const [name, claim] of claims) {
      await give(name, 1)
      await claim()
      assertConflict(
        await send(`PUT /members/220/identities/${encodeURIComponent(name)}`, {}),
        'already_exists',
      )
    }
  })

  it('a frozen member only with realm:admin', async () => {
    await give('frozen:a', 1)
    await put('230', { frozen: true })
    const lesser = await realm().without('realm:admin')
    const body = { from: 'frozen:a' }
    assertProblem(await lesser('POST /members/230/merges', body), 403, 'insufficient_scope')
    assert.equal((await send('POST /members/230/merges', body)).status, 201)
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
    const hold = await send('POST /members/311/holds', { tokens: 2, expiresIn: 600 })
    assert.equal(hold.status, 201, hold.text)
    assertConflict(await merge('310', '311'), 'member_has_holds')
    assertConflict(await merge('311', '310'), 'member_has_holds')
    await send(`POST /holds/${hold.json.holdId}/release`, {})
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
      for (let n = 0; n < 9; n += 1) await send(`PUT /members/${id}/identities/full:${id}-${n}`, {})
    for (const id of ['332', '333']) await put(id)
    for (const id of ['332', '333'])
      for (let n = 0; n < 9; n += 1) await send(`PUT /members/${id}/identities/full:${id}-${n}`, {})
    assertProblem(await merge('332', '333'), 422, 'identity_limit')
  })
})
