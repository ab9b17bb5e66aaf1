import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lotsBy } from '../../src/ledger/rules/dating.ts'
import { capped, isLots, lotsCap, parseLots, printLots } from '../../src/ledger/rules/lots.ts'
import { Days, dayIn, dayOfLapse, type LapseRule } from '../../src/realms/index.ts'
import { LapseBooks } from './lapseBooks.ts'
import { localDay, modelDay } from './lapseModel.ts'

/** Known errors of other systems, each as a case of its own. */
const hundredDays: LapseRule = { after: { days: 99 } }
const start = Date.UTC(2027, 0, 1, 12)
const dayMs = 86_400_000
const today = (ms: number) => localDay(ms, 'UTC')
const date = (text: string) => dayIn(text) ?? 0

/** A realm whose points lapse on the hundredth day. */
function open(rule: LapseRule = hundredDays, timeZone = 'UTC'): LapseBooks {
  const books = new LapseBooks(timeZone)
  books.setRule(rule, { baseDay: today(start), notBefore: 0 })
  return books
}

const award = (books: LapseBooks, day: number, tokens: number) =>
  books.post(start + day * dayMs, { kind: 'adjust', member: '1', tokens: BigInt(tokens) })

const sweep = (books: LapseBooks, day: number, member = '1') => {
  const lapsed = books.post(start + day * dayMs, { kind: 'lapse', member, tokens: 0n, config: 1 })
  return lapsed === undefined ? 0 : Number(books.entries.at(-1)?.amount)
}

describe('points that lapse', () => {
  it('are those left of their day: what was spent of them does not lapse again', () => {
    const books = open()
    award(books, 0, 100)
    award(books, 10, -30)
    award(books, 20, 50)
    assert.deepEqual(
      [sweep(books, 99), sweep(books, 100), sweep(books, 119), sweep(books, 120)],
      [0, 70, 0, 50],
    )
  })

  it('keep their day when a shorter rule is set', () => {
    const books = open()
    award(books, 0, 100)
    books.setRule({ after: { days: 9 } }, { baseDay: today(start), notBefore: 0 })
    award(books, 1, 5)
    assert.deepEqual([sweep(books, 11), sweep(books, 99), sweep(books, 100)], [5, 0, 100])
  })

  it('that were promised get their day when they are granted', async () => {
    const books = open()
    const member = '1'
    const promised = books.post(start, { kind: 'award', member, tokens: 100n, grantUs: undefined })
    assert.equal(books.lots(member), '')
    books.post(start + 40 * dayMs, { kind: 'grant', award: promised })
    assert.deepEqual([sweep(books, 139), sweep(books, 140)], [0, 100])
    await books.replay(books.rows())
  })

  it('issued before any rule count as issued on the day of the first one, held ones too', () => {
    const books = new LapseBooks('UTC')
    award(books, 0, 100)
    const hold = books.post(start, { kind: 'hold', member: '1', tokens: 40n, forUs: 10n ** 18n })
    books.setRule(hundredDays, { baseDay: today(start) + 50, notBefore: 0 })
    assert.deepEqual([sweep(books, 149), sweep(books, 150)], [0, 60])
    books.post(start + 155 * dayMs, { kind: 'release', hold })
    assert.deepEqual([sweep(books, 156), sweep(books, 157)], [0, 40])
  })

  it('lapse no sooner than points issued today, when a rule is set again', () => {
    const books = open()
    award(books, 0, 100)
    books.setRule(null, { baseDay: 0, notBefore: 0 })
    assert.equal(sweep(books, 120), 0)
    books.setRule(hundredDays, { baseDay: today(start) + 120, notBefore: today(start) + 220 })
    assert.deepEqual([sweep(books, 219), sweep(books, 220)], [0, 100])
  })

  it('keep their day when they are transferred, there and back', () => {
    const books = open()
    award(books, 0, 100)
    const parties = { member: '1', recipient: '2', tokens: 100n }
    books.post(start + 90 * dayMs, { kind: 'transfer', ...parties })
    books.post(start + 91 * dayMs, { kind: 'transfer', member: '2', recipient: '1', tokens: 60n })
    assert.deepEqual([sweep(books, 99), sweep(books, 100), sweep(books, 100, '2')], [0, 60, 40])
  })

  it('are there for 24 hours after a refund that came late', () => {
    const books = open()
    award(books, 0, 100)
    const spent = award(books, 50, -60)
    assert.equal(sweep(books, 100), 40)
    books.post(start + 110 * dayMs, { kind: 'reverse', entry: spent })
    assert.deepEqual([sweep(books, 111), sweep(books, 112)], [0, 60])
  })

  it('come back as the same points, when one of two purchases is refunded', () => {
    const books = open()
    award(books, 0, 100)
    award(books, 50, 100)
    const first = award(books, 60, -100)
    award(books, 61, -50)
    books.post(start + 62 * dayMs, { kind: 'reverse', entry: first })
    assert.deepEqual([sweep(books, 100), sweep(books, 150)], [100, 50])
  })
})

describe('the day', () => {
  it('is the last of a shorter month', () => {
    const month: LapseRule = { after: { months: 1, roundTo: 'day' } }
    assert.equal(dayOfLapse(date('2027-01-31'), month), date('2027-03-01'))
    assert.equal(dayOfLapse(date('2028-01-31'), month), date('2028-03-01'))
    assert.equal(dayOfLapse(date('2027-02-28'), month), date('2027-03-29'))
  })

  it('of 29 February is the 28th in other years', () => {
    assert.equal(dayOfLapse(date('2027-02-01'), { on: ['02-29'] }), date('2027-03-01'))
    assert.equal(dayOfLapse(date('2028-02-29'), { on: ['02-29'] }), date('2028-03-01'))
  })

  it('is that of the calendar, for each rule and each day of six years, and never goes back', () => {
    for (const rule of [
      { after: { days: 30 } },
      { after: { months: 12, roundTo: 'month' } },
      { after: { months: 12, roundTo: 'quarter' } },
      { after: { months: 24, roundTo: 'year' } },
      { on: ['06-30', '12-31'] },
    ] satisfies LapseRule[]) {
      let last = 0
      for (let day = date('2027-01-01'); day < date('2033-01-01'); day += 1) {
        const lapses = dayOfLapse(day, rule)
        if (day % 7 === 0) assert.equal(lapses, modelDay(day, rule), `${JSON.stringify(rule)} ${day}`)
        assert.ok(lapses >= last && lapses > day)
        last = lapses
      }
    }
  })

  it('begins at midnight of its time zone, also where a day has 23 or 25 hours', () => {
    for (const [zone, text] of [
      ['Europe/Berlin', '2027-03-28'],
      ['Europe/Berlin', '2027-10-31'],
      ['America/New_York', '2027-03-14'],
      ['Africa/Cairo', '2027-04-30'],
    ] as const) {
      const books = open({ after: { days: 1 } }, zone)
      const days = new Days(zone)
      const issuedMs = days.startOf(date(text)) + 60_000
      const tokens = { member: '1', tokens: 5n }
      books.post(issuedMs, { kind: 'adjust', ...tokens })
      const lapseMs = days.startOf(date(text) + 2)
      const lapse = { kind: 'lapse', member: '1', tokens: 0n, config: 1 }
      assert.equal(books.post(lapseMs - 1, lapse), undefined)
      assert.ok(books.post(lapseMs, lapse))
    }
  })
})

describe('lots', () => {
  it('have one text each', () => {
    for (const text of ['', '20850:60', '20850:60,20881:40']) assert.ok(isLots(text), text)
    for (const text of ['20850', '20850:0', '20850:060', '20850:60,', '20881:40,20850:60', '1:2,1:3', '-1:5'])
      assert.ok(!isLots(text), text)
    assert.equal(printLots(parseLots('20850:60,20881:40')), '20850:60,20881:40')
  })

  it('are at most 400: beyond that the soonest become one, on a later day', () => {
    const many = Array.from({ length: lotsCap + 3 }, (_, at) => ({ day: 100 + at, amount: 1n }))
    const fewer = capped(many)
    assert.equal(fewer.length, lotsCap)
    assert.deepEqual(fewer[0], { day: 103, amount: 4n })
    assert.deepEqual(capped(fewer), fewer)
  })

  it('of a balance from before the first rule are its whole amount', () => {
    const step = { number: 1, fromSeq: 5n, baseDay: 10, notBefore: null, days: new Days('UTC') }
    const stored = { lots: null, amount: 7n, seq: 4n }
    assert.deepEqual(lotsBy([{ ...step, rule: { after: { days: 9 } } }], stored), [{ day: 20, amount: 7n }])
  })
})
