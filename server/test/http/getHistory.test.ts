import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { empty, poor, rich, unknownMember } from '../../../tests/support/fixture.ts'
import { reader } from '../../../tests/support/postings.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { query } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asManager, v4 } from '../../../tests/support/v4.ts'

const made = suite()
const { send, adjust, transfer } = v4(made)
const read = reader(made)
const microseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

type Shown = Record<string, unknown> & { transactionId: string; at: string; tokens: number }

const history = async (member: string, asked = ''): Promise<{ data: Shown[]; nextCursor: string | null }> => {
  const { status, json, text } = await read(`/members/${member}/history${asked}`)
  assert.equal(status, 200, text)
  return json
}
const newest = async (member: string): Promise<Shown> => {
  const [entry] = (await history(member, '?limit=1')).data
  assert.ok(entry)
  return entry
}
const idsOf = (entries: readonly Shown[]) => entries.map(({ transactionId }) => transactionId)

/** A new member for a test. */
let count = 5000
async function someone(tokens?: number): Promise<string> {
  const id = String(++count)
  const path = `/realms/${made.fixture.realm.id}/members`
  await asManager(made, 'POST', { path, body: { members: [{ id }] } })
  if (tokens !== undefined) await adjust(id, { tokens })
  return id
}

describe('200', () => {
  it('an entry is returned completely, from the member’s point of view', async () => {
    const said = { reason: 'why', reference: 'order 7', metadata: { big: 1, list: [true] }, actorId: poor }
    const { json } = await adjust(rich, { tokens: 25, ...said })
    const { at, ...rest } = await newest(rich)
    assert.match(at, microseconds)
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 10_000)
    assert.deepEqual(rest, {
      transactionId: json.transactionId,
      type: 'adjust',
      realmPointId: made.fixture.realm.pointId,
      tokens: 25,
      newBalance: 100_025,
      heldTokens: 0,
      newHeld: null,
      pendingTokens: 0,
      newPending: null,
      counterpartyId: null,
      mergedFrom: null,
      ...said,
      keyId: '1',
      keyName: null,
      person: null,
      reverses: null,
      reversedBy: null,
      reversible: true,
      holdId: null,
      awardId: null,
      batchId: null,
    })
    await adjust(rich, { tokens: -25 })
    const { tokens, newBalance, reason } = await newest(rich)
    assert.deepEqual({ tokens, newBalance, reason }, { tokens: -25, newBalance: 100_000, reason: null })
  })

  it('a number in metadata that JSON.parse would round is returned as it was sent', async () => {
    await adjust(rich, '{"tokens":1,"metadata":{"id":1190194345295482953}}')
    const { text } = await read(`/members/${rich}/history?limit=1`)
    assert.match(text, /"metadata":\{"id":1190194345295482953\}/)
  })

  it('a transfer shows each side its change, and the other member', async () => {
    const [giver, taker] = [await someone(50), await someone()]
    await transfer(giver, { recipientId: taker, tokens: 20 })
    const [gave, got] = [await newest(giver), await newest(taker)]
    assert.equal(gave.transactionId, got.transactionId)
    const seen = ({ type, tokens, newBalance, counterpartyId }: Shown) => [
      type,
      tokens,
      newBalance,
      counterpartyId,
    ]
    assert.deepEqual(seen(gave), ['transfer', -20, 30, taker])
    assert.deepEqual(seen(got), ['transfer', 20, 20, giver])
  })

  it('a removed member is returned as null', async () => {
    const [giver, taker] = [await someone(50), await someone()]
    await transfer(giver, { recipientId: taker, tokens: 20 })
    await query(made.database, 'delete from members where id = $1', [giver])
    assert.equal((await newest(taker))['counterpartyId'], null)
    assertProblem(await read(`/members/${giver}/history`), 404, 'member_not_found')
  })

  it('pages follow each other without a gap or a duplicate', async () => {
    const member = await someone()
    for (let tokens = 1; tokens <= 7; tokens++) await adjust(member, { tokens })
    const all = await history(member)
    assert.equal(all.nextCursor, null)
    assert.deepEqual(
      all.data.map(({ tokens }) => tokens),
      [7, 6, 5, 4, 3, 2, 1],
    )
    const pages: string[][] = []
    let asked = '?limit=3'
    for (let next: string | null = ''; next !== null; asked = `?limit=3&cursor=${next}`) {
      const page = await history(member, asked)
      pages.push(idsOf(page.data))
      next = page.nextCursor
    }
    assert.deepEqual(
      pages.map((page) => page.length),
      [3, 3, 1],
    )
    assert.deepEqual(pages.flat(), idsOf(all.data))
    const whole = await history(member, '?limit=7')
    assert.equal(whole.nextCursor, null)
  })

  it('fifty are returned by default', async () => {
    const member = await someone()
    await Promise.all(Array.from({ length: 101 }, () => adjust(member, { tokens: 1 })))
    const { data, nextCursor } = await history(member)
    assert.equal(data.length, 50)
    assert.equal((await history(member, `?cursor=${nextCursor}&limit=1000`)).data.length, 51)
    assert.equal((await history(member, '?limit=1000')).data.length, 101)
  })

  it('from is inclusive, to is exclusive, to the microsecond', async () => {
    const member = await someone()
    for (let tokens = 1; tokens <= 3; tokens++) await adjust(member, { tokens })
    const [third, second, first] = (await history(member)).data
    assert.ok(first && second && third)
    const tokensOf = async (asked: string) => (await history(member, asked)).data.map(({ tokens }) => tokens)
    assert.deepEqual(await tokensOf(`?from=${second.at}`), [3, 2])
    assert.deepEqual(await tokensOf(`?to=${second.at}`), [1])
    assert.deepEqual(await tokensOf(`?from=${first.at}&to=${third.at}`), [2, 1])
    assert.deepEqual(await tokensOf(`?from=${third.at}&to=${first.at}`), [])
    assert.deepEqual(await tokensOf('?to=2001-01-01T00:00:00Z'), [])
    assert.deepEqual(await tokensOf('?from=2001-01-01T00:00:00%2B02:00'), [3, 2, 1])
    assert.deepEqual(await tokensOf('?from=9999-01-01T00:00:00Z'), [])
  })

  it('a point type and a direction filter it', async () => {
    const member = await someone()
    const { pointId, secondPointId } = made.fixture.realm
    for (const realmPointId of [pointId, secondPointId]) {
      await adjust(member, { tokens: 10, realmPointId })
      await adjust(member, { tokens: -4, realmPointId })
    }
    const picked = async (asked: string) =>
      (await history(member, asked)).data.map(({ tokens, realmPointId }) => [tokens, realmPointId])
    assert.deepEqual(await picked(`?realmPointId=${secondPointId}`), [
      [-4, secondPointId],
      [10, secondPointId],
    ])
    assert.deepEqual(await picked('?direction=in'), [
      [10, secondPointId],
      [10, pointId],
    ])
    assert.deepEqual(await picked(`?direction=out&realmPointId=${pointId}`), [[-4, pointId]])
  })

  it('points that are rare in a long history are found, page by page', async () => {
    const member = await someone()
    const { secondPointId } = made.fixture.realm
    const rare = (await adjust(member, { tokens: 1, realmPointId: secondPointId })).json.transactionId
    await Promise.all(Array.from({ length: 2_500 }, () => adjust(member, { tokens: 1 })))
    const pages = []
    let asked = `?realmPointId=${secondPointId}`
    for (let next: string | null = ''; next !== null; ) {
      const page = await history(member, asked)
      pages.push(idsOf(page.data))
      next = page.nextCursor
      asked = `?realmPointId=${secondPointId}&cursor=${next}`
    }
    assert.deepEqual(pages, [[], [rare]])
  })

  it('a history without entries is empty, also of an unseen id in an open realm', async () => {
    const none = { data: [], nextCursor: null, from: null, to: null }
    assert.deepEqual(await history(empty), none)
    const open = reader(made, ({ fixture }) => fixture.open)
    assert.deepEqual((await open(`/members/${unknownMember}/history`)).json, none)
  })
})

describe('400', () => {
  it('an invalid parameter is rejected, with its location', async () => {
    for (const [name, values] of Object.entries({
      limit: ['0', '1001', '-1', 'ten', '1.0', ''],
      cursor: ['0', 'x', '9223372036854775808', '01'],
      realmPointId: ['1', 'a%20b'],
      from: ['yesterday', '2030-02-30', '2030-01-31T12:00:00'],
      to: ['2030-13-31T12:00:00Z', '2030-1-31', '0'],
      direction: ['up', ''],
    })) {
      for (const value of values)
        assertInvalid(await read(`/members/${rich}/history?${name}=${value}`), `query:${name}`)
    }
    assertInvalid(await read('/members/0/history'), 'path:memberID')
  })
})

describe('403', () => {
  it('a key without journal:read', async () =>
    assertProblem(await send('GET', `/members/${rich}/history`), 403, 'insufficient_scope'))
})

describe('404', () => {
  it('an unknown point type, then an unknown member', async () => {
    assertProblem(await read(`/members/${unknownMember}/history?realmPointId=none`), 404, 'point_not_found')
    assertProblem(await read(`/members/${unknownMember}/history`), 404, 'member_not_found')
  })
})
