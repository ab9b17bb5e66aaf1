import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EntryRow } from '../../src/ledger/journal/journalStore.ts'
import { verifyNew } from '../../src/ledger/journal/verifyNew.ts'
import { entryTypes } from '../../src/ledger/rules/entryTypes.ts'
import { right, wrong } from './history.ts'
import {
  covers,
  endOf,
  least,
  passed,
  runFrom,
  stateWith,
  storedOf,
  whilePlanted,
  withSlicedHistory,
} from './slicedHistory.ts'

/**
 * Errors are planted everywhere in the journal: a full run finds each, the next run those after the verified
 * entry, and the slice that covers it those before.
 */
const made = withSlicedHistory()

type Fault = {
  readonly title: string
  /** Undefined for an entry that can't have this error. */
  readonly plant: (row: EntryRow) => readonly string[] | undefined
}

const update = (row: EntryRow, change: string) => [
  `update journal set ${change} where realm = $1 and seq = ${row.seq}`,
]

const faults: readonly Fault[] = [
  { title: 'an amount', plant: (row) => update(row, 'amount = amount + 1') },
  {
    title: 'a resulting balance',
    plant: (row) => update(row, row.to_balance === null ? 'from_balance = 77777' : 'to_balance = 77777'),
  },
  { title: 'a hash', plant: (row) => update(row, 'hash = sha256(hash)') },
  { title: 'a time', plant: (row) => update(row, 'at_us = at_us - 1') },
  { title: 'an account', plant: (row) => update(row, 'from_account = 5, to_account = 4') },
  { title: 'a key', plant: (row) => update(row, 'key = key + 1') },
  {
    title: 'a missing entry',
    plant: ({ seq }) => [`delete from journal where realm = $1 and seq = ${seq}`],
  },
  {
    title: 'two entries in the wrong order',
    plant: ({ seq }) =>
      seq === made.headSeq || seq === made.checkpoint
        ? undefined
        : [
            `update journal set seq = 9999 where realm = $1 and seq = ${seq}`,
            `update journal set seq = ${seq} where realm = $1 and seq = ${seq + 1n}`,
            `update journal set seq = ${seq + 1n} where realm = $1 and seq = 9999`,
          ],
  },
  {
    title: 'details',
    plant: ({ details, seq }) =>
      details ? [`update details set reason = 'another' where realm = $1 and seq = ${seq}`] : undefined,
  },
]

/** Each entry with one of these errors, and those with details also with the last one. */
const isTried = ({ seq, details }: EntryRow, index: number): boolean =>
  Number(seq) % (faults.length - 1) === index || (details !== undefined && index === faults.length - 1)

describe('a valid ledger', () => {
  it('passes in every slice, and all slices together replay everything', async () => {
    let covered = new Set<bigint>()
    for (const state of made.states) {
      const result = await verifyNew(made.planter.session, {
        realm: made.realm,
        verified: storedOf(made, state),
        least,
      })
      right(passed(result).verdict, made.headSeq)
      assert.equal(result.counts.fresh, made.headSeq - made.checkpoint)
      assert.equal(result.counts.fresh + result.counts.older + result.counts.trusted, made.headSeq)
      for (let seq = state.entry + 1n; seq <= endOf(state); seq += 1n) covered = covered.add(seq)
    }
    assert.equal(BigInt(covered.size), made.checkpoint)
  })
})

describe('an error in an entry', () => {
  for (const [index, { title, plant }] of faults.entries()) {
    it(`(${title}) is found wherever it is`, async () => {
      let [early, late] = [0, 0]
      for (const row of made.entries) {
        const changes = isTried(row, index) ? plant(row) : undefined
        if (!changes) continue
        const isLate = row.seq > made.checkpoint
        const state = stateWith(made, (one) => isLate || covers(one, row.seq))
        const verdict = await whilePlanted(made, changes, () => runFrom(made, state))
        assert.equal(
          verdict.ok,
          false,
          `entry ${row.seq} of ${made.headSeq}, verified up to ${made.checkpoint}`,
        )
        if (isLate) late += 1
        else early += 1
      }
      assert.ok(early > 3 && late > 3, `${early} before, ${late} after`)
    })
  }

  it('is not found by a slice that does not cover it: that is what a full run is for', async () => {
    const elsewhere = stateWith(made, (one) => !covers(one, 20n) && one.entry !== 20n)
    const verdict = await whilePlanted(
      made,
      ['update journal set amount = amount + 1 where realm = $1 and seq = 20'],
      () => runFrom(made, elsewhere),
    )
    assert.equal(verdict.ok, true)
  })
})

describe('balances that do not continue, in entries that are chained again', () => {
  /** From this entry on, its account has more than it should, and its stored balance too. */
  const shift = (from: EntryRow) => async () => {
    const account = from.to_account > 0 ? from.to_account : from.from_account
    await made.planter.rewrite((rows) => {
      for (const row of rows.filter(({ seq, point }) => seq >= from.seq && point === from.point)) {
        if (row.from_account === account && row.from_balance !== null) row.from_balance += 5n
        if (row.to_account === account && row.to_balance !== null) row.to_balance += 5n
      }
    })
    await made.planter.settleBalances()
  }

  const firstOf = (isWanted: (row: EntryRow) => boolean) =>
    made.entries.filter((row) => isWanted(row) && (row.to_account > 0 || row.from_account > 0))

  it('are found by the next run, by what the verified entries left', async () => {
    const rows = firstOf(({ seq }) => seq > made.checkpoint)
    assert.ok(rows.length > 20)
    for (const row of rows.slice(0, 8)) {
      const state = stateWith(made, (one) => !covers(one, row.seq))
      const verdict = await made.planter.planted(shift(row), async () => {
        assert.equal((await made.planter.verify()).ok, false)
        return runFrom(made, state)
      })
      assert.ok(!verdict.ok, `entry ${row.seq}`)
      assert.equal(verdict.where, `entry ${row.seq}`)
      assert.match(verdict.why, /after it, not/)
    }
  })

  it('are found by the slice that covers them, even if the stored hash was replaced too', async () => {
    const rows = firstOf(({ seq }) => seq <= made.checkpoint && seq % 9n === 0n)
    assert.ok(rows.length > 6)
    for (const row of rows) {
      const state = stateWith(made, (one) => covers(one, row.seq))
      const verdict = await made.planter.planted(shift(row), async () => {
        const own = (await made.planter.entries()).find(({ seq }) => seq === made.checkpoint)?.hash ?? ''
        assert.equal((await runFrom(made, state)).ok, false)
        return runFrom(made, { ...state, hash: own })
      })
      assert.ok(!verdict.ok, `entry ${row.seq}`)
      assert.equal(verdict.where, `entry ${row.seq}`)
    }
  })
})

describe('an entry that is reversed twice', () => {
  it('is found by the next run, by the verified reversal', async () => {
    const reversals = made.entries.filter(({ kind }) => kind === entryTypes.reversal.number)
    const [first, second] = [reversals[0], reversals.at(-1)]
    assert.ok(first && second && first.seq <= made.checkpoint && second.seq > made.checkpoint)
    const plant = async () => {
      // The index would not allow it.
      await made.planter.run('drop index journal_reversed_once')
      await made.planter.change(
        `update journal set link = ${first.link} where realm = $1 and seq = ${second.seq}`,
      )
      await made.planter.rewrite(() => {})
    }
    const state = stateWith(made, (one) => !covers(one, first.seq))
    await made.planter.planted(plant, async () => {
      const why = new RegExp(`entry ${first.link} was reversed before`)
      wrong(await made.planter.verify(), `entry ${second.seq}`, why)
      wrong(await runFrom(made, state), `entry ${second.seq}`, why)
    })
  })
})
