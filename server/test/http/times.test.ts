import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isoOfMs } from '../../src/http/route/times.ts'

it('a time is written as a Date writes it, to the millisecond', () => {
  const days = [0, 1, 58, 59, 365, 11_016, 20_000, 20_513, 40_000, 2_932_896, -1, -365]
  const times = [0, 1, 999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000, 43_200_000, 86_399_999]
  for (const day of days)
    for (const time of times) {
      const ms = day * 86_400_000 + time
      assert.equal(isoOfMs(ms), new Date(ms).toISOString())
    }
  for (let day = 0; day < 3_000; day++) assert.equal(isoOfMs(day * 86_400_000).slice(10), 'T00:00:00.000Z')
})
