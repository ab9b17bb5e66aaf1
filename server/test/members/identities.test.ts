import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { evmWallet } from '../../../tests/support/fixture.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

/** Members by what other systems call them: `shop:9f1c` wherever a numeric id is accepted. */

let open: ManagedRealm
let closed: ManagedRealm
const made = suite({}, async (suited) => {
  open = await managed(suited, { unknownMembers: 'create' })
  closed = await managed(suited)
})

const path = (name: string) => `/members/${encodeURIComponent(name)}`
const read = async (name: string, at = open) => (await at.send(`GET ${path(name)}`)).json
const adjust = (name: string, body: object, at = open) => at.send(`PATCH ${path(name)}/tokenBalance`, body)
const link = (member: string, name: string, body: object = {}) =>
  open.send(`PUT ${path(member)}/identities/${encodeURIComponent(name)}`, body)
const rows = (text: string, values: unknown[] = []) => rowsOf(made.database.superuserUrl, text, values)
const realmNumber = '(select realm from realms where id = $1)'

describe('a first credit', () => {
  it('creates a member with that identity and an id from 2^62 to 2^63 - 1', async () => {
    const { status, json } = await adjust('shop:first', { tokens: 5 })
    assert.deepEqual([status, json.newBalance], [200, 5])
    const { id, tokenBalance, joinedAt } = await read('shop:first')
    assert.equal(tokenBalance, 5)
    assert.ok(joinedAt)
    assert.ok(BigInt(id) >= 2n ** 62n && BigInt(id) < 2n ** 63n, id)
    assert.equal((await read(id)).tokenBalance, 5)
    assert.deepEqual((await adjust('shop:first', { tokens: 2 })).json.newBalance, 7)
    assert.deepEqual((await adjust(id, { tokens: 1 })).json.newBalance, 8)
    await assertBooks(made.database)
  })

  it('creates one member, however often the identity is in a request and in requests at once', async () => {
    const entries = [1, 2, 3].map((tokens) => ({ memberId: 'shop:once', tokens }))
    const batches = Array.from({ length: 8 }, () => open.send('PATCH /members/tokenBalance', { entries }))
    for (const { status, text } of await Promise.all(batches)) assert.equal(status, 200, text)
    assert.equal((await read('shop:once')).tokenBalance, 48)
    const text = `select count(*)::integer as count from identities where realm = ${realmNumber}
      and subject = 'once'`
    assert.deepEqual(await rows(text, [open.id]), [{ count: 1 }])
  })

  it('a dry run, and one that is refused, create none', async () => {
    await open.send(`PATCH ${path('shop:dry')}/tokenBalance?dryRun=true`, { tokens: 5 })
    assertProblem(await adjust('shop:dry', { tokens: -5 }), 422, 'insufficient_points')
    assertProblem(await open.send(`GET ${path('shop:dry')}`), 404, 'member_not_found')
  })

  it('is 404 in a realm that does not create members; so is every read of an unknown identity', async () => {
    assertProblem(await adjust('shop:none', { tokens: 5 }, closed), 404, 'member_not_found')
    for (const at of [open, closed]) {
      for (const rest of ['', '/history', '/holds', '/profile', '/wallets', '/identities'])
        assertProblem(await at.send(`GET ${path('shop:none')}${rest}`), 404, 'member_not_found')
      assertProblem(await at.send(`GET /web3${path('shop:none')}`), 404, 'member_not_found')
      assertProblem(await at.send('GET /leaderboard/shop:none'), 404, 'member_not_found')
      assert.deepEqual((await at.send('GET /members?id=shop:none')).json.data, [])
    }
  })
})

describe('an identity in place of an id', () => {
  it('names the same member in each route: paths, bodies and queries', async () => {
    const { id } = (await open.send('PUT /members/100', { username: 'ada' })).json
    assert.equal((await link(id, 'game:ada')).status, 201)
    assert.equal((await link(id, 'twitch:ada_99')).status, 201)
    await adjust('game:ada', { tokens: 50 })
    assert.equal(
      (await open.send(`PATCH ${path('game:ada')}/transfer`, { recipientId: 7, tokens: 5 })).status,
      200,
    )
    const back = { recipientId: 'twitch:ada_99', tokens: 1 }
    assert.equal((await open.send('PATCH /members/7/transfer', back)).json.recipientBalance, 46)
    const changes = [
      { memberId: 'game:ada', tokens: 1 },
      { memberId: 'game:ada', recipientId: 'shop:new', tokens: 2 },
      { memberId: '100', tokens: 1 },
    ]
    const applied = (await open.send('POST /changes', { changes, atomic: true })).json
    assert.deepEqual(
      applied.data.map((one: { newBalance: number }) => one.newBalance),
      [47, 45, 46],
    )
    const held = (await open.send(`POST ${path('game:ada')}/holds`, { tokens: 6 })).json
    assert.deepEqual([held.memberId, held.newBalance], ['100', 40])
    assert.equal((await open.send(`GET ${path('twitch:ada_99')}/holds`)).json.data[0].holdId, held.holdId)
    assert.equal((await open.send(`GET ${path('game:ada')}/history`)).json.data.length, 7)
    assert.equal((await open.send(`GET ${path('game:ada')}/profile`)).json.username, 'ada')
    assert.equal((await open.send('GET /members?id=game:ada')).json.data[0].id, '100')
    assert.equal((await open.send(`POST ${path('game:ada')}/wallets`, { address: evmWallet })).status, 201)
    assert.equal((await open.send(`GET /web3${path('game:ada')}`)).json.id, '100')
    assert.equal((await open.send(`PUT ${path('game:ada')}`, { note: 'n' })).json.id, '100')
    const many = [{ id: 'game:ada', displayName: 'Ada' }, { id: 'shop:many' }]
    assert.deepEqual((await open.send('POST /members', { members: many })).json, { created: 1, updated: 1 })
    assert.equal((await read('100')).displayName, 'Ada')
    await assertBooks(made.database)
  })

  it('ranks, and is left out where it is excluded', async () => {
    await adjust('rank:a', { tokens: 1000 })
    await adjust('rank:b', { tokens: 900 })
    const rank = async (query = '') => (await open.send(`GET /leaderboard/rank:b${query}`)).json.member.rank
    const deadlineMs = Date.now() + 5_000
    while ((await rank()) !== 2 && Date.now() < deadlineMs) await new Promise((done) => setTimeout(done, 50))
    assert.equal(await rank(), 2)
    assert.equal(await rank('?exclude=rank:a,rank:unknown'), 1)
  })

  it('a transfer to another identity of the same member is 422, as to its id', async () => {
    await adjust('200', { tokens: 10 })
    await link('200', 'game:two')
    await link('200', 'shop:two')
    for (const [from, to] of [
      ['game:two', 'shop:two'],
      ['game:two', '200'],
      ['200', 'shop:two'],
    ] as const) {
      const answer = await open.send(`PATCH ${path(from)}/transfer`, { recipientId: to, tokens: 1 })
      assertProblem(answer, 422, 'same_member')
    }
  })

  it('the subject may contain anything but control characters; the first colon separates', async () => {
    for (const name of ['urn:a:b/c?d#e%20', 'chat:Ω 😀 "quoted\\"', `long:${'😀'.repeat(200)}`, 'x:123']) {
      assert.equal((await adjust(name, { tokens: 3 })).status, 200, name)
      const { data } = (await open.send(`GET ${path(name)}/identities`)).json
      assert.deepEqual(
        data.map((one: { identity: string }) => one.identity),
        [name],
      )
    }
    assertProblem(await open.send(`GET ${path('x:0123')}`), 404, 'member_not_found')
  })

  it('is compared byte by byte', async () => {
    await adjust('case:Ada', { tokens: 1 })
    assertProblem(await open.send('GET /members/case:ada'), 404, 'member_not_found')
  })

  const malformed = [
    'shop:',
    ':9',
    'Shop:9',
    'shop',
    '-shop:9',
    'shop:a\tb',
    'email:a',
    'id:5',
    '0',
    '5:5',
    `${'p'.repeat(33)}:9`,
    `shop:${'a'.repeat(201)}`,
  ]
  for (const name of malformed) {
    it(`${JSON.stringify(name.slice(0, 40))} is 400 in a path and in a body`, async () => {
      assertInvalid(await open.send(`GET ${path(name)}`), 'path:memberID')
      assertInvalid(
        await open.send('POST /changes', { changes: [{ memberId: name, tokens: 1 }] }),
        '/changes/0/memberId',
      )
    })
  }
})

describe('digits alone', () => {
  it('are a numeric id, and never an identity', async () => {
    await adjust('x:300', { tokens: 9 })
    assert.equal((await read('300')).tokenBalance, 0)
    assertInvalid(await link('100', '300'), 'path:identity')
  })
})
