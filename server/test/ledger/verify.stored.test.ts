import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rounds } from '../../src/ledger/journal/slices.ts'
import { verifyWhole } from '../../src/ledger/journal/verifyNew.ts'
import { entryTypes } from '../../src/ledger/rules/entryTypes.ts'
import { right } from './history.ts'
import { endOf, runFrom, stateWith, storedOf, whilePlanted, withSlicedHistory } from './slicedHistory.ts'

const made = withSlicedHistory()

/** How many of the 30 runs of a round find it. */
async function countWrong(): Promise<number> {
  let wrong = 0
  for (const state of made.states) if (!(await runFrom(made, state)).ok) wrong += 1
  return wrong
}

/** An error about what is new is found by every run, any other by one of 30. */
async function checkFound(change: string, isNew: boolean): Promise<void> {
  const wrong = await whilePlanted(made, [change], countWrong)
  if (isNew) assert.equal(wrong, rounds)
  else assert.ok(wrong > 0 && wrong < rounds, `${wrong} runs found it`)
}

describe('an error in stored balances', () => {
  /** Account 6 has no entry after those that were verified. */
  for (const [account, isNew] of [
    [3, true],
    [6, false],
  ] as const) {
    const where = `where realm = $1 and account = ${account} and point = 1`
    const changes: readonly [title: string, change: () => string][] = [
      ['another balance', () => `update balances set balance = balance + 1 ${where}`],
      ['an earlier entry', () => `update balances set seq = seq - 1 ${where}`],
      ['the entry of another', () => `update balances set seq = ${made.headSeq} ${where}`],
      ['an entry that does not exist', () => `update balances set seq = ${made.headSeq + 1n} ${where}`],
      ['a missing balance', () => `delete from balances ${where}`],
    ]
    for (const [title, change] of changes) {
      it(`(${title}) is found ${isNew ? 'by the next run' : 'within 30 runs'}`, () =>
        checkFound(change(), isNew))
    }
  }

  it('(one that no entry changed) is found within 30 runs', async () => {
    for (const account of [0, 6, 900, 2_147_483_647, -6, -900])
      await checkFound(`insert into balances values ($1, ${account}, 3, 500, 8, 1)`, false)
  })

  it('(held points) is found by the next run', () =>
    checkFound('update balances set balance = balance + 1 where realm = $1 and account < 0', true))
})

describe('an error in the head', () => {
  const changes: readonly [title: string, change: () => string][] = [
    ['its hash', () => 'update heads set hash = sha256(hash) where realm = $1'],
    ['an entry after it', () => `update heads set seq = ${made.headSeq - 1n} where realm = $1`],
    ['a missing entry', () => `update heads set seq = ${made.headSeq + 1n} where realm = $1`],
  ]
  for (const [title, change] of changes) {
    it(`(${title}) is found by the next run`, () => checkFound(change(), true))
  }
})

describe('a hold that two entries ended', () => {
  it('is compared whole, wherever a slice begins or ends', async () => {
    const pairs = made.entries.filter(({ seq, link, kind }, index) => {
      const next = made.entries[index + 1]
      return kind === entryTypes.capture.number && next?.link === link && seq < made.checkpoint
    })
    assert.ok(pairs.length > 0)
    for (const { seq } of pairs) {
      const begins = { ...stateWith(made, () => true), slice: 29, entry: seq }
      right(await runFrom(made, begins), made.headSeq)
      right(await runFrom(made, endingAt(seq)), made.headSeq)
    }
  })

  /** A state whose slice ends with this entry. */
  function endingAt(seq: bigint) {
    const first = stateWith(made, () => true)
    for (let slice = 0; slice < rounds - 1; slice += 1) {
      for (let entry = 0n; entry < seq; entry += 1n) {
        const state = { ...first, slice, entry }
        if (endOf(state) === seq) return state
      }
    }
    return assert.fail(`no slice ends with entry ${seq}`)
  }
})

describe('an error in holds', () => {
  for (const isNew of [true, false]) {
    const hold = (isOpen: boolean) =>
      `where realm = $1 and seq = (select min(seq) from holds
        where realm = $1 and ended_seq is ${isOpen ? 'null' : 'not null'}
          and coalesce(ended_seq, seq) ${isNew ? '>' : '<='} ${made.checkpoint})`
    const changes: readonly [title: string, change: () => string][] = [
      ['an ended one is missing', () => `delete from holds ${hold(false)}`],
      ['an open one is missing', () => `delete from holds ${hold(true)}`],
      ['one is open again', () => `update holds set ended_seq = null ${hold(false)}`],
      ['one is ended by another entry', () => `update holds set ended_seq = ${made.headSeq} ${hold(true)}`],
      ['another amount', () => `update holds set amount = amount + 1 ${hold(false)}`],
      ['another account', () => `update holds set account = 6 ${hold(false)}`],
    ]
    for (const [title, change] of changes) {
      it(`(${title}) is found ${isNew ? 'by the next run' : 'within 30 runs'}`, () =>
        checkFound(change(), isNew))
    }
  }
})

describe('what was verified', () => {
  const cut = async (to: bigint) => {
    await made.planter.change(`delete from journal where realm = $1 and seq > ${to}`)
    await made.planter.run(
      `update heads h set seq = $2, hash = j.hash from journal j
        where h.realm = $1 and j.realm = $1 and j.seq = $2`,
      [made.realm, to],
    )
  }

  it('and is no longer there is reported', async () => {
    const state = made.states[0] ?? assert.fail()
    const verdict = await made.planter.planted(
      () => cut(made.checkpoint - 1n),
      () => runFrom(made, state),
    )
    assert.ok(!verdict.ok)
    assert.equal(verdict.where, `entry ${made.checkpoint}`)
    assert.match(verdict.why, new RegExp(`missing: entry ${made.checkpoint} was verified at 1970-01-01`))
  })

  it('and has another hash is reported, by every run and by the full one', async () => {
    const state = { ...(made.states[0] ?? assert.fail()), hash: 'ab'.repeat(32) }
    const full = await verifyWhole(made.books.db, { realm: made.realm, stored: storedOf(made, state) })
    for (const verdict of [await runFrom(made, state), full.verdict]) {
      assert.ok(!verdict.ok)
      assert.equal(verdict.where, `entry ${made.checkpoint}`)
      assert.match(verdict.why, /but abab.* was verified at 1970-01-01.*: history was rewritten/)
    }
  })
})
