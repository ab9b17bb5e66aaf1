import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { rowsOf } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import {
  evmWallet,
  makeRealm,
  manager,
  type RealmAccess,
  unknownMember,
} from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'

const more = moreApps()
const made = suite()
let realm: RealmAccess
const { send, adjust, transfer } = v4(made, () => realm)
const closed = v4(made)

const board = async (query = '') => {
  const { status, json, text } = await send('GET', `/leaderboard${query}`)
  assert.equal(status, 200, text)
  return json
}
// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests look at
const ranks = (json: any) => json.members.map((one: any) => [one.id, one.tokens, one.rank])

/** The date this many days from today, in UTC. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Eight members: two pairs with equal points, and one without any. */
async function fill(): Promise<void> {
  const access = { baseUrl: made.app.url, token: operatorToken }
  realm = await makeRealm(access)
  const nameOf = (index: number) => ({ username: `m${index}`, displayName: index === 1 ? 'First' : null })
  const members = Array.from({ length: 8 }, (_, index) => ({ id: String(11 + index), ...nameOf(index) }))
  await manager(access, 'POST', { path: `/realms/${realm.id}/members`, body: { members } })
  await manager(access, 'POST', {
    path: `/realms/${realm.id}/members/12/wallets`,
    body: { address: evmWallet },
  })
  for (const [member, tokens] of [
    ['18', 40],
    ['13', 70],
    ['12', 90],
    ['15', 70],
    ['14', 40],
    ['16', 40],
    ['11', 5],
  ] as const)
    await adjust(member, { tokens })
}

const whole = [
  ['12', 90, 1],
  ['13', 70, 2],
  ['15', 70, 2],
  ['14', 40, 4],
  ['16', 40, 4],
  ['18', 40, 4],
  ['11', 5, 7],
]

describe('200', () => {
  before(fill)

  it('the highest come first; equals share a rank, ordered by when they joined', async () => {
    const json = await board()
    assert.deepEqual([json.data, json.nextCursor, json.firstSeq], [json.members, json.next, json.seq])
    assert.deepEqual(ranks(json), whole)
    assert.deepEqual([json.next, json.total, json.seq], [null, 7, '7'])
    assert.deepEqual(json.period, { name: 'all', from: null, to: null })
    const [first, second] = json.members
    const fields = 'id username displayName rank balance tokens updatedAt last_updated wallet'
    assert.equal(Object.keys(first).join(' '), fields)
    assert.deepEqual([first.username, first.displayName, first.balance], ['m1', 'First', 90])
    assert.ok(Math.abs(Date.parse(first.last_updated) - Date.now()) < 60_000)
    assert.deepEqual([first.wallet, second.wallet], [evmWallet, null])
  })

  it('pages by cursor are the complete list, for any size', async () => {
    for (const limit of [1, 2, 3, 7]) {
      const found: unknown[] = []
      for (let cursor = ''; ; ) {
        const json = await board(`?limit=${limit}${cursor}`)
        assert.ok(json.members.length <= limit)
        found.push(...ranks(json))
        if (json.next === null) break
        cursor = `&cursor=${json.next}`
      }
      assert.deepEqual(found, whole)
    }
  })

  it('hidden members are not counted in ranks', async () => {
    const json = await board('?exclude=12,15,999')
    assert.deepEqual(ranks(json), [
      ['13', 70, 1],
      ['14', 40, 2],
      ['16', 40, 2],
      ['18', 40, 2],
      ['11', 5, 5],
    ])
    assert.equal(json.total, 5)
    assert.deepEqual(ranks(await board('?exclude=12,13&limit=2')), [
      ['15', 70, 1],
      ['14', 40, 2],
    ])
  })

  it('a member’s own rank is returned with its neighbours', async () => {
    const rankOf = async (query: string) => (await send('GET', `/leaderboard/${query}`)).json
    const json = await rankOf('14?neighbours=2')
    assert.deepEqual(Object.keys(json), ['member', 'above', 'below', 'total', 'seq', 'period'])
    assert.deepEqual(ranks({ members: [...json.above, json.member, ...json.below] }), whole.slice(1, 6))
    assert.equal(json.member.id, '14')
    const edge = await rankOf('12?neighbours=50')
    assert.deepEqual([edge.above, edge.below.length], [[], 6])
    const without = await rankOf('14?neighbours=1&exclude=15,13,16')
    assert.deepEqual(ranks({ members: [...without.above, without.member, ...without.below] }), [
      ['12', 90, 1],
      ['14', 40, 2],
      ['18', 40, 2],
    ])
    const alone = await rankOf('11')
    assert.deepEqual([alone.member.rank, alone.above, alone.below, alone.total], [7, [], [], 7])
    const unranked = await rankOf('17?neighbours=3')
    assert.deepEqual([unranked.member.rank, unranked.member.tokens, unranked.above], [null, 0, []])
  })

  it('by period it ranks gains: a transfer moves a balance and is not a gain', async () => {
    await transfer('12', { tokens: 60, recipientId: '17' })
    assert.deepEqual(ranks(await board('?limit=2')), [
      ['13', 70, 1],
      ['15', 70, 1],
    ])
    for (const period of ['week', 'month']) assert.deepEqual(ranks(await board(`?period=${period}`)), whole)
    const [first] = (await board('?period=week')).members
    assert.deepEqual([first.id, first.balance, first.tokens], ['12', 30, 90])
    const json = await board(`?period=range&from=${dayIn(0)}&to=${dayIn(1)}`)
    assert.deepEqual(json.period, { name: 'range', from: dayIn(0), to: dayIn(1) })
    assert.deepEqual(ranks(json), whole)
    await transfer('17', { tokens: 60, recipientId: '12' })
    assert.deepEqual(ranks(await board()), whole)
  })

  it('a change shows within a second, on a cached board, and on another server’s', async () => {
    const other = await more(made)
    const elsewhere = () =>
      call('GET', `${other.url}/api/v4/realms/${realm.id}/leaderboard?limit=1`, { key: realm.key })
    for (let turn = 0; turn < 5; turn++) {
      const { json } = await adjust('11', { tokens: 1_000 })
      assert.deepEqual(ranks((await elsewhere()).json), [['11', json.newBalance, 1]])
      const top = await board('?limit=1')
      assert.deepEqual(ranks(top), [['11', json.newBalance, 1]])
      assert.equal(top.seq, json.transactionId)
    }
    await adjust('11', { tokens: -5_000 })
    assert.deepEqual(ranks(await board()), whole)
  })

  it('a hidden member disappears from every board within a second, and is back when shown', async () => {
    const hide = (hidden: boolean) =>
      rowsOf(made.database.superuserUrl, 'update members set hidden = $1 where id = 13', [hidden])
    await board()
    await hide(true)
    await new Promise((resolve) => setTimeout(resolve, 900))
    const json = await board()
    assert.deepEqual(ranks(json).slice(0, 3), [
      ['12', 90, 1],
      ['15', 70, 2],
      ['14', 40, 3],
    ])
    assert.equal(json.total, 6)
    assert.equal((await send('GET', '/leaderboard/13')).json.member.rank, null)
    const others = ranks(await board('?limit=2&exclude=11'))
    assert.deepEqual(ranks(await board('?period=week&limit=2&exclude=11')), others)
    await hide(false)
    await new Promise((resolve) => setTimeout(resolve, 900))
    assert.deepEqual(ranks(await board()), whole)
  })

  it('a removed member is on no board and no longer counts', async () => {
    const access = { baseUrl: made.app.url, token: operatorToken }
    const other = v4(made, () => left)
    const left = await makeRealm(access, { unknownMembers: 'create' })
    for (const member of ['1', '2']) await other.adjust(member, { tokens: 5 })
    await rowsOf(
      made.database.superuserUrl,
      `delete from members m using realms r where r.realm = m.realm and r.id = $1 and m.id = 1`,
      [left.id],
    )
    const { json } = await other.send('GET', '/leaderboard')
    assert.deepEqual(ranks(json), [['2', 5, 1]])
    assert.equal((await other.send('GET', '/statistics')).json.members, 1)
    assert.equal((await other.send('GET', '/leaderboard/77')).json.member.rank, null)
  })

  it('each point type has its own board, also an empty one', async () => {
    const { secondPointId } = made.fixture.realm
    const { json } = await closed.send('GET', `/leaderboard?realmPointId=${secondPointId}`)
    assert.deepEqual([json.members, json.total], [[], 0])
    const { json: first } = await closed.send('GET', '/leaderboard')
    assert.equal(first.total, 2)
  })
})

describe('200, statistics', () => {
  it('return supply, members, active members, and entries by day and type', async () => {
    const { status, json } = await send('GET', `/statistics?from=${dayIn(-1)}`)
    assert.equal(status, 200)
    assert.equal(Object.keys(json).join(), 'seq,timeZone,from,to,members,active,supply,days')
    assert.deepEqual([json.timeZone, json.from, json.to], ['UTC', dayIn(-1), dayIn(1)])
    assert.deepEqual([json.members, json.active.today, json.days.length], [8, 8, 2])
    const issued = 355 + 5_000
    assert.deepEqual(
      json.days[1].entries.map((one: { type: string; entries: number }) => [one.type, one.entries]),
      [
        ['adjust', 13],
        ['transfer', 2],
      ],
    )
    const none = { held: '0', claimed: '0', lapsed: '0' }
    const changed = { realmPointId: realm.pointId, issued: `${issued}`, spent: '5000', ...none }
    assert.deepEqual(json.supply, [{ ...changed, circulation: '355' }])
    assert.deepEqual([json.days[0].supply, json.days[1].supply], [[], [changed]])
    assert.equal((await send('GET', '/statistics')).json.days.length, 30)
  })

  it('are current at once, including the latest writes', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const { json } = await adjust('11', { tokens: turn % 2 === 0 ? 1 : -1 })
      assert.equal((await send('GET', '/statistics')).json.seq, json.transactionId)
    }
    await adjust('11', { tokens: -1 })
  })

  it('of a realm without entries are zeros', async () => {
    const empty = v4(made, ({ fixture }) => fixture.other)
    const { status, json } = await empty.send('GET', '/statistics')
    assert.equal(status, 200)
    assert.deepEqual([json.seq, json.members, json.supply[0].circulation], ['0', 0, '0'])
    assert.deepEqual((await empty.send('GET', '/leaderboard')).json.members, [])
    assert.deepEqual((await empty.send('GET', '/leaderboard?period=month')).json.members, [])
  })
})

describe('400', () => {
  it('an invalid parameter is named', async () => {
    const many = Array.from({ length: 101 }, (_, index) => index + 1).join(',')
    for (const [query, name] of [
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['limit=x', 'limit'],
      ['period=year', 'period'],
      ['period=range', 'from'],
      ['period=range&from=2026-01-01', 'to'],
      ['period=range&from=2026-02-30&to=2026-03-01', 'from'],
      ['period=range&from=2026-02-02&to=2026-02-02', 'to'],
      ['period=range&from=2024-01-01&to=2025-01-02', 'to'],
      ['from=yesterday', 'from'],
      ['cursor=x', 'cursor'],
      ['cursor=', 'cursor'],
      ['exclude=1,x', 'exclude'],
      [`exclude=${many}`, 'exclude'],
      ['realmPointId=-', 'realmPointId'],
    ] as const)
      assertInvalid(await send('GET', `/leaderboard?${query}`), `query:${name}`)
    assertInvalid(await send('GET', '/leaderboard/0'), 'path:memberID')
    assertInvalid(await send('GET', '/leaderboard/11?neighbours=51'), 'query:neighbours')
    for (const to of ['2024-01-01', '2025-01-02', '2024-01-01T12:00:00Z', 'tomorrow'])
      assertInvalid(await send('GET', `/statistics?from=2024-01-01&to=${to}`), 'query:to')
  })
})

describe('401, 403', () => {
  it('a key of the realm is needed', async () => {
    for (const path of ['/leaderboard', '/leaderboard/11', '/statistics']) {
      assertProblem(await send('GET', path, { key: 'x' }), 401, 'unauthorized')
      assertProblem(await send('GET', path, { key: made.fixture.other.key }), 403, 'forbidden')
    }
  })
})

describe('404', () => {
  it('an unknown point type or member is reported', async () => {
    const strange = '/leaderboard?realmPointId=ffffffffffffffffffffffff'
    assertProblem(await send('GET', strange), 404, 'point_not_found')
    assertProblem(await closed.send('GET', `/leaderboard/${unknownMember}`), 404, 'member_not_found')
  })
})
