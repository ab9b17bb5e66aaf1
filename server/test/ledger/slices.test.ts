import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { firstPlace, rounds, sliceEnd } from '../../src/ledger/journal/slices.ts'

/** The entries that each run replays, of a realm that has so many entries at the beginning of each run. */
function rangesOf(sizes: readonly number[], { realm, least }: { realm: number; least: bigint }) {
  let { slice, done } = firstPlace(realm, BigInt(sizes[0] ?? 0), least)
  return sizes.map((size) => {
    const end = sliceEnd({ slice, done, of: BigInt(size), least })
    const range = { after: done, end }
    slice = (slice + 1) % rounds
    done = slice === 0 ? 0n : end
    return range
  })
}

const growing = fc
  .tuple(fc.nat({ max: 100_000 }), fc.array(fc.nat({ max: 9_000 }), { minLength: 95, maxLength: 95 }))
  .map(([first, more]) => {
    let size = first
    return [first, ...more.map((one) => (size += one % 3 === 0 ? one : 0))]
  })

describe('the slices of a realm', () => {
  it('replay every entry within 30 runs, however the realm grows', () => {
    const check = fc.property(growing, fc.nat({ max: 59 }), fc.constantFrom(1n, 1_000n), (...drawn) => {
      const [sizes, realm, least] = drawn
      const ranges = rangesOf(sizes, { realm, least })
      for (let run = 0; run + rounds <= sizes.length; run += 1) {
        const next = ranges.slice(run, run + rounds).toSorted((a, b) => (a.after < b.after ? -1 : 1))
        let covered = 0n
        for (const { after, end } of next) if (after <= covered && end > covered) covered = end
        // Those that the first of these runs found.
        assert.ok(covered >= BigInt(sizes[run] ?? 0), `${covered} of ${sizes[run]} after run ${run}`)
      }
    })
    fc.assert(check, { numRuns: 300 })
  })

  it('are of about the same size, and differ between realms from the beginning', () => {
    const sizes = Array.from({ length: 60 }, () => 3_000_000)
    for (const realm of [0, 7, 29]) {
      const ranges = rangesOf(sizes, { realm, least: 1_000n })
      assert.deepEqual(ranges[0]?.after, BigInt(realm) * 100_000n)
      for (const { after, end } of ranges) assert.equal(end - after, 100_000n)
    }
  })

  it('leave a small realm for one run of 30', () => {
    for (const realm of [3, 12]) {
      const ranges = rangesOf(
        Array.from({ length: 30 }, () => 500),
        { realm, least: 1_000n },
      )
      const busy = ranges.flatMap(({ after, end }, run) => (end > after ? [{ run, after, end }] : []))
      assert.deepEqual(busy, [{ run: 29 - realm, after: 0n, end: 500n }])
    }
  })
})
