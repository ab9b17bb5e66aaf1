import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayAt, startOf, startOfNext, startOfPrevious } from '../src/days.ts'

describe('weeks and months', () => {
  it('begin on Monday, and on the first', () => {
    assert.equal(startOf('week', '2026-11-15'), '2026-11-09')
    assert.equal(startOf('week', '2026-11-16'), '2026-11-16')
    assert.equal(startOf('week', '2027-01-01'), '2026-12-28')
    assert.equal(startOf('month', '2026-11-30'), '2026-11-01')
  })

  it('follow each other, whatever their length', () => {
    assert.equal(startOfNext('week', '2026-12-28'), '2027-01-04')
    assert.equal(startOfPrevious('week', '2026-03-30'), '2026-03-23')
    assert.equal(startOfNext('month', '2026-01-01'), '2026-02-01')
    assert.equal(startOfNext('month', '2028-02-01'), '2028-03-01')
    assert.equal(startOfNext('month', '2026-12-01'), '2027-01-01')
    assert.equal(startOfPrevious('month', '2026-03-01'), '2026-02-01')
  })

  it('are those of the realm’s time zone', () => {
    const moment = new Date('2026-11-15T23:30:00Z')
    assert.equal(dayAt(moment, 'Europe/Berlin'), '2026-11-16')
    assert.equal(dayAt(moment, 'America/New_York'), '2026-11-15')
  })
})
