import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { empty, poor, rich, unknownMember } from '../../../tests/support/fixture.ts'
import { postings, reader } from '../../../tests/support/postings.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'

/** A member's balances at a past time. */

const post = postings()
const made = suite()
const { send, member, adjust, transfer } = v4(made)
const read = reader(made)

/** The time of a member's newest entry. */
const moment = async (id: string): Promise<string> =>
  (await read(`/members/${id}/history?limit=1`)).json.data[0].at
const at = async (id: string, time: string) => {
  const { status, json, text, headers } = await read(`/members/${id}?at=${time}`)
  assert.equal(status, 200, text)
  assert.equal(headers['etag'], undefined)
  return json
}

describe('200', () => {
  it('the body is that of the current member, with the time and its balances', async () => {
    const before = await moment(rich)
    await adjust(rich, { tokens: 7 })
    const { json: now } = await member(rich)
    const { updatedAt, ...then } = await at(rich, before)
    const { updatedAt: _, ...today } = now
    const { pointId, secondPointId } = made.fixture.realm
    assert.deepEqual(then, {
      ...today,
      balances: { [pointId]: 100_000, [secondPointId]: 0 },
      tokenBalance: 100_000,
      at: before,
    })
    assert.ok(updatedAt)
    assert.deepEqual(Object.keys(then.balances), [pointId, secondPointId])
  })

  it('after each of many entries it is what that entry left, in both point types and held', async () => {
    const { pointId, secondPointId } = made.fixture.realm
    const forUs = 60_000_000n
    const holds: string[] = []
    const hold = async (point: string, tokens: bigint) => {
      const [id] = await post(made, { kind: 'hold', member: poor, tokens, point, forUs })
      holds.push(id ?? '')
    }
    const steps = [
      () => adjust(poor, { tokens: 20 }),
      () => adjust(poor, { tokens: 30, realmPointId: secondPointId }),
      () => hold(pointId, 8n),
      () => transfer(poor, { recipientId: rich, tokens: 3 }),
      () => hold(secondPointId, 5n),
      () => post(made, { kind: 'capture', hold: BigInt(holds[0] ?? 0), tokens: 6n }),
      () => transfer(rich, { recipientId: poor, tokens: 1 }),
      () => post(made, { kind: 'release', hold: BigInt(holds[1] ?? 0) }),
      () => adjust(poor, { tokens: -11, realmPointId: secondPointId }),
    ]
    const seen: [string, object][] = []
    for (const step of steps) {
      await step()
      const { balances, held, tokenBalance } = (await member(poor)).json
      seen.push([await moment(poor), { balances, held, tokenBalance }])
    }
    for (const [time, known] of seen) {
      const { balances, held, tokenBalance } = await at(poor, time)
      assert.deepEqual({ balances, held, tokenBalance }, known, time)
    }
  })

  it('before the first entry balances are zero, and in the future they are the current ones', async () => {
    const { balances, tokenBalance, held } = await at(rich, '2001-01-01T00:00:00Z')
    assert.deepEqual([Object.values(balances), tokenBalance, held], [[0, 0], 0, {}])
    const now = (await member(rich)).json
    assert.deepEqual((await at(rich, '9999-12-31T23:59:59Z')).balances, now.balances)
    assert.equal((await at(empty, '9999-12-31T23:59:59Z')).tokenBalance, 0)
  })

  it('the time is returned as it was parsed', async () =>
    assert.equal((await at(rich, '2030-01-01T02:00:00.5%2B02:00')).at, '2030-01-01T00:00:00.500000Z'))

  it('an unseen id in an open realm has zeros', async () => {
    const open = reader(made, ({ fixture }) => fixture.open)
    const { status, json } = await open(`/members/${unknownMember}?at=2020-01-01T00:00:00Z`)
    assert.deepEqual([status, json.tokenBalance], [200, 0])
  })
})

describe('400', () => {
  it('a time without a zone, or an invalid one', async () => {
    for (const time of ['', 'now', '2030-01-31', '2030-01-31T12:00:00', '2030-01-31T12:00:00+02:00'])
      assertInvalid(await read(`/members/${rich}?at=${time}`), 'query:at')
  })
})

describe('403', () => {
  it('a key without journal:read, for any time; it still reads the current member', async () => {
    for (const time of ['2020-01-01T00:00:00Z', 'nonsense'])
      assertProblem(await send('GET', `/members/${rich}?at=${time}`), 403, 'insufficient_scope')
    assert.equal((await send('GET', `/members/${rich}?other=1`)).status, 200)
  })
})

describe('404', () => {
  it('an unknown member', async () =>
    assertProblem(await read(`/members/${unknownMember}?at=2020-01-01T00:00:00Z`), 404, 'member_not_found'))
})
