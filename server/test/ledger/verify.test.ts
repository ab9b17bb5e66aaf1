import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EntryRow } from '../../src/ledger/journal/journalStore.ts'
import { verify } from '../../src/ledger/journal/verify.ts'
import { points, right, withHistory, wrong } from './history.ts'
import { recomputeBalances } from './plant.ts'

const made = withHistory()

describe('a valid ledger', () => {
  it('passes, and returns the last entry and its hash', async () => {
    const hash = right(await verify(made.books.db, { realm: made.realm }))
    const last = (await made.planter.entries()).at(-1)
    assert.equal(hash, last?.hash)
  })

  it('passes for a realm without an entry', async () => {
    const empty = await made.books.make({ open: false, points, members: [] })
    right(await verify(made.books.db, { realm: empty }), 0n)
  })

  it('passes when the details of entries were erased', async () => {
    const erase = () => made.planter.change('delete from details where realm = $1')
    right(await made.planter.planted(erase, () => made.planter.verify()))
  })
})

describe('an error is found, and its location is named', () => {
  const faults: readonly [title: string, changes: readonly string[], where: string, why: RegExp][] = [
    [
      'an amount changed',
      ['update journal set amount = 90 where realm = $1 and seq = 2'],
      'entry 2',
      /its hash/,
    ],
    [
      'a member’s account changed',
      ['update journal set to_account = 3 where realm = $1 and seq = 2'],
      'entry 2',
      /its hash/,
    ],
    ['the first entry removed', ['delete from journal where realm = $1 and seq = 1'], 'entry 1', /missing/],
    ['an entry removed', ['delete from journal where realm = $1 and seq = 4'], 'entry 4', /missing/],
    ['the last entry removed', ['delete from journal where realm = $1 and seq = 8'], 'entry 8', /missing/],
    [
      'two entries swapped',
      [
        'update journal set seq = 99 where realm = $1 and seq = 4',
        'update journal set seq = 4 where realm = $1 and seq = 5',
        'update journal set seq = 5 where realm = $1 and seq = 99',
      ],
      'entry 4',
      /its hash/,
    ],
    [
      'an entry after the head',
      [
        `insert into journal select realm, key, 9, at_us, amount, from_balance, to_balance, from_account,
          to_account, point, kind, encoding, hash, null, null, null from journal
          where realm = $1 and seq = 8`,
      ],
      'entry 9',
      /./,
    ],
    [
      'a hash changed',
      ['update journal set hash = sha256(hash) where realm = $1 and seq = 3'],
      'entry 3',
      /its/,
    ],
    [
      'the head’s hash changed',
      ['update heads set hash = sha256(hash) where realm = $1'],
      'head',
      /last entry/,
    ],
    [
      'the head set back',
      [
        `update heads h set seq = 7, hash = j.hash from journal j
          where h.realm = $1 and j.realm = $1 and j.seq = 7`,
      ],
      'entry 8',
      /the head has only 7 entries/,
    ],
    [
      'a balance changed',
      ['update balances set balance = 41 where realm = $1 and account = 2 and point = 1'],
      'balance of account 2 in gold',
      /41 is stored, 40 is right/,
    ],
    [
      'a balance’s last entry changed',
      ['update balances set seq = 5 where realm = $1 and account = 2 and point = 1'],
      'balance of account 2 in gold',
      /last changed by entry 6, not 5/,
    ],
    [
      'a balance row removed',
      ['delete from balances where realm = $1 and account = 2 and point = 2'],
      'balance of account 2 in silver',
      /7 is right, nothing is stored/,
    ],
    [
      'a balance row invented',
      ['insert into balances values ($1, 3, 2, 500, 8, 1)'],
      'balance of account 3 in silver',
      /500 is stored, but no entry moved it/,
    ],
    [
      'a balance row invented with a future entry',
      ['insert into balances values ($1, 9, 1, 500, 12, 1)'],
      'balance of account 9 in gold',
      /changed at entry 12, but there are only 8/,
    ],
    [
      'the text of details changed',
      [`update details set reason = 'a debt' where realm = $1 and seq = 3`],
      'entry 3',
      /its details/,
    ],
    ['details invented', [`insert into details values ($1, 2, '\\x00', 'a gift')`], 'entry 2', /its details/],
  ]
  for (const [title, changes, where, why] of faults) {
    it(title, async () => {
      const plant = async () => {
        for (const change of changes) await made.planter.change(change)
      }
      wrong(await made.planter.planted(plant, () => made.planter.verify()), where, why)
      right(await made.planter.verify())
    })
  }
})

describe('entries that are chained again still have to add up', () => {
  const rewritten = (change: (rows: EntryRow[]) => void) =>
    made.planter.planted(
      () => made.planter.rewrite(change),
      () => made.planter.verify(),
    )

  it('an amount that its balances do not match', async () => {
    const verdict = await rewritten((rows) => Object.assign(rows[1] ?? {}, { amount: 90n }))
    wrong(verdict, 'entry 2', /account 2 has 90 after it, not 50/)
  })

  it('a balance below 0', async () => {
    const verdict = await rewritten((rows) => {
      Object.assign(rows[3] ?? {}, { amount: 71n })
      recomputeBalances(rows)
    })
    wrong(verdict, 'entry 4', /account 1 leaves its bounds with -1/)
  })

  it('a time that goes back', async () => {
    const verdict = await rewritten((rows) => Object.assign(rows[4] ?? {}, { at_us: 1n }))
    wrong(verdict, 'entry 5', /its time is before/)
  })
})

describe('against a saved seq:hash', () => {
  const saved = async (seq: bigint) => {
    const hash = (await made.planter.entries()).find((entry) => entry.seq === seq)?.hash ?? ''
    return { seq, hash }
  }
  /** Ann received 150 instead of 100; every later balance and hash is recomputed. */
  const rewriteAll = async () => {
    await made.planter.rewrite((rows) => {
      Object.assign(rows[0] ?? {}, { amount: 150n })
      recomputeBalances(rows)
    })
    await made.planter.settleBalances()
  }

  it('a valid ledger passes', async () => {
    for (const seq of [1n, 5n, 8n]) right(await made.planter.verify(await saved(seq)))
  })

  it('a completely rewritten history is detected, and passes without it', async () => {
    const [fifth, last] = [await saved(5n), await saved(8n)]
    await made.planter.planted(rewriteAll, async () => {
      assert.notEqual(right(await made.planter.verify()), last.hash)
      wrong(await made.planter.verify(fifth), 'entry 5', /history was rewritten/)
      wrong(await made.planter.verify(last), 'entry 8', /history was rewritten/)
    })
  })

  it('a truncated history is detected, and passes without it', async () => {
    const last = await saved(8n)
    const cut = async () => {
      await made.planter.change('delete from journal where realm = $1 and seq = 8')
      await made.planter.change('update heads set seq = 7 where realm = $1')
      await made.planter.rewrite(() => {})
      await made.planter.settleBalances()
    }
    await made.planter.planted(cut, async () => {
      right(await made.planter.verify(), 7n)
      wrong(await made.planter.verify(last), 'entry 8', /missing: entry 8 was saved/)
    })
  })
})
