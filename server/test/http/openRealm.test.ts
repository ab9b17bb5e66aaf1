import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { empty, poor, rich } from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { entryCount, query } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asManager, v4 } from '../../../tests/support/v4.ts'

/** A realm with unknownMembers "create": every valid id is a member with 0 points. */
const made = suite()
const { member, web3, adjust, transfer, balance } = v4(made, ({ fixture }) => fixture.open)

async function memberIds(): Promise<string[]> {
  const rows = await query<{ id: string }>(
    made.database,
    'select id::text from members where realm = (select realm from realms where id = $1) order by account',
    [made.fixture.open.id],
  )
  return rows.map((row) => row.id)
}

/** Runs requests that must not add a member or an entry. */
async function writesNothing(act: () => Promise<void>): Promise<void> {
  const before = [await memberIds(), await entryCount(made, made.fixture.open.id)]
  await act()
  assert.deepEqual([await memberIds(), await entryCount(made, made.fixture.open.id)], before)
}

describe('200', () => {
  it('an unseen id is returned as a member with zeros, and the read writes nothing', async () => {
    await writesNothing(async () => {
      const { status, json } = await member(rich)
      assert.equal(status, 200)
      assert.deepEqual(json, {
        id: rich,
        realmId: made.fixture.open.id,
        username: null,
        displayName: null,
        balances: { [made.fixture.open.pointId]: 0 },
        tokenBalance: 0,
        held: {},
        joinedAt: null,
        updatedAt: null,
        frozen: false,
        hidden: false,
      })
      const wallets = await web3(rich)
      assert.equal(wallets.status, 200)
      assert.deepEqual(wallets.json, { id: rich, realmId: made.fixture.open.id, wallets: [], holdings: [] })
    })
  })

  it('fifty concurrent first credits create one member with all of them', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => adjust(rich, { tokens: 2 })))
    assert.ok(answers.every((answer) => answer.status === 200))
    assert.equal(await balance(rich), 100)
    assert.deepEqual(await memberIds(), [rich])
    assert.ok((await member(rich)).json.joinedAt)
  })

  it('a transfer creates its recipient', async () => {
    const answer = await transfer(rich, `{"recipientId":${empty},"tokens":30}`)
    assert.deepEqual([answer.json.newBalance, answer.json.recipientBalance], [70, 30])
    assert.equal(await balance(empty), 30)
    assert.deepEqual(await memberIds(), [rich, empty])
  })

  it('fifty first credits of fifty members at once create fifty', async () => {
    const before = (await memberIds()).length
    const ids = Array.from({ length: 50 }, (_, index) => String(500 + index))
    const answers = await Promise.all(ids.map((id) => adjust(id, { tokens: Number(id) })))
    assert.deepEqual(
      answers.map((answer) => answer.json.newBalance),
      ids.map(Number),
    )
    assert.equal((await memberIds()).length, before + 50)
  })

  it('an open realm that is closed rejects unseen ids again and keeps its members', async () => {
    const path = `/realms/${made.fixture.open.id}`
    await asManager(made, 'PATCH', { path, body: { unknownMembers: 'refuse' } })
    assertProblem(await member('4242'), 404, 'member_not_found')
    assertProblem(await web3('4242'), 404, 'member_not_found')
    assertProblem(await adjust('4242', { tokens: 1 }), 404, 'member_not_found')
    assertProblem(await transfer(rich, { recipientId: 4242, tokens: 1 }), 404, 'recipient_not_found')
    assert.equal(await balance(empty), 30)
    await asManager(made, 'PATCH', { path, body: { unknownMembers: 'create' } })
    assert.equal((await member('4242')).status, 200)
  })
})

describe('400', () => {
  it('an invalid member id is rejected here too', async () => {
    await writesNothing(async () => {
      for (const id of ['0', 'abc', '9223372036854775808']) assertInvalid(await member(id), 'path:memberID')
      assertInvalid(await adjust('0', { tokens: 1 }), 'path:memberID')
      assertInvalid(await transfer(rich, { recipientId: 0, tokens: 1 }), '/recipientId')
    })
  })
})

describe('404', () => {
  it('an unknown point type creates no member', async () => {
    await writesNothing(async () =>
      assertProblem(await adjust(poor, { tokens: 1, realmPointId: 'gems' }), 404, 'point_not_found'),
    )
  })
})

describe('422', () => {
  it('a debit from or a transfer by an unseen id creates no member', async () => {
    await writesNothing(async () => {
      assertProblem(await adjust(poor, { tokens: -1 }), 422, 'insufficient_points')
      assertProblem(await transfer(poor, { recipientId: rich, tokens: 1 }), 422, 'insufficient_points')
      assertProblem(await transfer(poor, { recipientId: '78', tokens: 1 }), 422, 'insufficient_points')
    })
  })

  it('an unseen id can’t transfer to itself either', async () => {
    await writesNothing(async () =>
      assertProblem(await transfer(poor, { recipientId: poor, tokens: 1 }), 422, 'same_member'),
    )
  })

  it('a rejected transfer does not create its recipient', async () => {
    await writesNothing(async () =>
      assertProblem(await transfer(rich, { recipientId: '79', tokens: 1_000 }), 422, 'insufficient_points'),
    )
  })
})
