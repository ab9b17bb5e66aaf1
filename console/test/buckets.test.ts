import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JournalEntry, Statistics } from '../../sdk/src/index.ts'
import { changeInPercent, dayBuckets, hourBuckets, hourMs } from '../src/pages/overview/buckets.ts'
import { scaleOf } from '../src/ui/scale.ts'

const statistics = {
  supply: [{ realmPointId: 'gold', issued: '150', spent: '40', held: '10', circulation: '100' }],
  days: [
    {
      day: '2026-01-01',
      active: 2,
      entries: [],
      supply: [{ realmPointId: 'gold', issued: '60', spent: '0', held: '0' }],
    },
    { day: '2026-01-02', active: 0, entries: [], supply: [] },
    {
      day: '2026-01-03',
      active: 1,
      entries: [{ realmPointId: 'gold', type: 'adjust', entries: 3, tokens: '130' }],
      supply: [{ realmPointId: 'gold', issued: '90', spent: '40', held: '10' }],
    },
  ],
} as unknown as Statistics

describe('an overview', () => {
  it('computes the circulation at the end of each day from the current one', () => {
    const circulations = dayBuckets(statistics, 'gold').map(({ at, circulation }) => [at, circulation])
    assert.deepEqual(circulations, [
      ['2026-01-01', 60],
      ['2026-01-02', 60],
      ['2026-01-03', 100],
    ])
    assert.deepEqual(
      dayBuckets(statistics, 'silver').map(({ entries }) => entries),
      [0, 0, 0],
    )
  })

  it('compares with the period before, if there was anything', () => {
    assert.deepEqual(
      [
        [150, 100],
        [50, 100],
        [0, 100],
        [5, 0],
      ].map(([now = 0, before = 0]) => changeInPercent(now, before)),
      [50, -50, -100, undefined],
    )
  })

  it('summarizes the last 24 hours of entries: members, amounts, and reversals', () => {
    const nowMs = Date.parse('2026-01-03T12:30:00Z')
    const entry = (hoursAgo: number, more: Partial<JournalEntry>): JournalEntry =>
      ({
        atUs: String((nowMs - hoursAgo * hourMs) * 1000),
        realmPointId: 'gold',
        type: 'adjust',
        fromAccount: 0,
        toAccount: 7,
        tokens: 10,
        ...more,
      }) as JournalEntry
    const entries = [
      entry(30, { tokens: 1_000 }),
      entry(2, {}),
      entry(2, { fromAccount: 7, toAccount: -7, type: 'hold', tokens: 4 }),
      entry(0, { fromAccount: 7, toAccount: 0, type: 'reversal' }),
      entry(0, { realmPointId: 'silver', toAccount: 8 }),
    ]
    const hours = hourBuckets(entries, statistics, { point: 'gold', nowMs })
    assert.equal(hours.length, 24)
    const shown = hours
      .slice(-3)
      .map(({ issued, active, entries: count, circulation }) => [issued, active, count, circulation])
    assert.deepEqual(shown, [
      [10, 1, 2, 110],
      [0, 0, 0, 110],
      [-10, 2, 1, 100],
    ])
  })
})

describe('the ticks of an axis', () => {
  it('are integers, start at 0, and reach the highest value with at most six ticks', () => {
    for (const highest of [0, 1, 2, 3, 7, 10, 99, 101, 12_345, 9_007_199_254_740_991]) {
      const { top, marks } = scaleOf([0, highest])
      assert.ok(top >= highest && marks.length <= 6, `${highest}: ${marks.join(' ')}`)
      assert.ok(marks.every(Number.isInteger))
      assert.equal(marks[0], 0)
    }
  })
})
