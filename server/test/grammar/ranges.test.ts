import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import type { Answer } from '../../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertInvalid } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

/** `from` is inclusive, `to` is exclusive: days of the realm, or timestamps. */

/** 13 hours ahead of UTC in January. */
const timeZone = 'Pacific/Auckland'
let realm: ManagedRealm

/** Far ahead of the clock: an entry's time is never before that of the head. */
const moments = [
  '2040-01-01T10:59:59Z',
  '2040-01-01T11:00:00Z',
  '2040-01-02T10:59:59Z',
  '2040-01-02T11:00:00Z',
]

const right = ({ status, json, text }: Answer) => {
  assert.equal(status, 200, text)
  return json
}

suite({}, async (suited) => {
  realm = await managed(suited)
  right(await realm.send('PATCH ', { timeZone }))
  assert.equal((await realm.send('PUT /members/7', {})).status, 201)
  for (const [index, at] of moments.entries()) {
    await rowsOf(
      suited.database.superuserUrl,
      `update heads set at_us = ${Date.parse(at) * 1000}, config_version = config_version + 1
        where realm = (select realm from realms where id = '${realm.id}')`,
    )
    right(await realm.send('PATCH /members/7/tokenBalance', { tokens: 10 ** index, reference: 'r' }))
  }
})

/** 2 January in that time zone, as a date and as timestamps: the second and third entries are in it. */
const day = { from: '2040-01-02', to: '2040-01-03' }
const instants = { from: '2040-01-01T11:00:00.000000Z', to: '2040-01-02T11:00:00.000000Z' }
const zoned = { from: '2040-01-02T00:00:00+13:00', to: '2040-01-03T00:00:00+13:00' }

const queryOf = (range: Readonly<Record<string, string>>) => new URLSearchParams(range).toString()

describe('a range of realm days, or of timestamps', () => {
  for (const [name, range] of Object.entries({ days: day, instants, zoned })) {
    it(`applies to a history: ${name}`, async () => {
      const { data, from, to } = right(await realm.send(`GET /members/7/history?${queryOf(range)}`))
      assert.deepEqual(
        data.map(({ tokens }: { tokens: number }) => tokens),
        [100, 10],
      )
      assert.deepEqual({ from, to }, instants)
    })

    it(`applies to the journal: ${name}`, async () => {
      const { data, from, to, nextCursor } = right(await realm.send(`GET /journal?${queryOf(range)}`))
      assert.deepEqual(
        data.map(({ tokens }: { tokens: number }) => tokens),
        [10, 100],
      )
      assert.deepEqual({ from, to, nextCursor }, { ...instants, nextCursor: null })
    })

    it(`applies to a reversal of many: ${name}`, async () => {
      const filter = { reference: 'r', ...range }
      const { matched, from, to } = right(await realm.send('POST /reversals?dryRun=true', { filter }))
      assert.deepEqual({ matched, from, to }, { matched: 2, ...instants })
    })

    it(`applies to a leaderboard and a rank: ${name}`, async () => {
      const { data, period } = right(await realm.send(`GET /leaderboard?${queryOf(range)}`))
      assert.deepEqual([data[0].tokens, period], [110, { name: 'range', ...day }])
      const { member } = right(await realm.send(`GET /leaderboard/7?${queryOf(range)}`))
      assert.equal(member.tokens, 110)
    })

    it(`applies to statistics: ${name}`, async () => {
      const { days, from, to } = right(await realm.send(`GET /statistics?${queryOf(range)}`))
      assert.deepEqual({ from, to }, day)
      assert.deepEqual(
        days.map((one: { day: string; entries: { tokens: string }[] }) => [one.day, one.entries[0]?.tokens]),
        [[day.from, '110']],
      )
    })
  }
})

describe('one end of a range', () => {
  it('limits that side', async () => {
    const tokensOf = async (query: string) =>
      right(await realm.send(`GET /members/7/history?${query}`)).data.map(
        ({ tokens }: { tokens: number }) => tokens,
      )
    assert.deepEqual(await tokensOf(`from=${day.to}`), [1000])
    assert.deepEqual(await tokensOf(`to=${day.from}`), [1])
  })

  it('of statistics covers the default number of days', async () => {
    const { days, from, to } = right(await realm.send(`GET /statistics?to=${day.to}`))
    assert.deepEqual([days.length, from, to], [30, '2039-12-04', day.to])
  })
})

describe('400', () => {
  it('a time within a day can’t limit what is counted by day', async () => {
    for (const path of ['/leaderboard', '/leaderboard/7', '/statistics']) {
      const range = queryOf({ from: '2040-01-01T12:00:00Z', to: day.to })
      assertInvalid(await realm.send(`GET ${path}?${range}`), 'query:from')
    }
  })

  it('an impossible date, and the old name of `to`', async () => {
    for (const path of ['/members/7/history', '/journal', '/leaderboard', '/statistics']) {
      assertInvalid(await realm.send(`GET ${path}?from=2040-02-30&to=2040-03-02`), 'query:from')
      assertInvalid(await realm.send(`GET ${path}?until=2040-01-01`), 'query:until')
    }
    assertInvalid(await realm.send('POST /reversals', { filter: { until: day.to } }), '/filter/until')
  })
})
