import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer, Queryable, Statement } from '../../src/db/session.ts'
import { type EntryRow, statements } from '../../src/ledger/journal/journalStore.ts'
import { PageSize, readFitting } from '../../src/ledger/journal/pageSize.ts'

type Row = {
  readonly seq: bigint
  readonly reason?: string
  readonly reference?: null
  readonly metadata?: null
}

/** A journal whose entries have reasons of these lengths. */
function journalOf(lengths: readonly number[]): Queryable {
  const rows = lengths.map((length, place) => ({
    seq: BigInt(place + 1),
    reason: 'x'.repeat(length),
    reference: null,
    metadata: null,
  }))
  return {
    async query<Found>({ name }: Statement, values: readonly unknown[] = []): Promise<Answer<Found>> {
      const [, after, upTo, limit] = values as [number, bigint, bigint, number]
      const found = rows.slice(Number(after), Math.min(Number(upTo), Number(after) + limit))
      const shown: Row[] = name === statements.readDetails.name ? found : found.map(({ seq }) => ({ seq }))
      return { rows: shown as Found[], command: 'SELECT', count: shown.length }
    },
  }
}

const read = (lengths: readonly number[], { after = 0n, limit = 1_000 } = {}): Promise<EntryRow[][]> =>
  Array.fromAsync(readFitting(journalOf(lengths), 1, { after, upTo: BigInt(lengths.length), limit }))

const seqs = (rows: readonly EntryRow[]): number[] => rows.map(({ seq }) => Number(seq))

/** How many entries are in the page when each step of it is read at once. */
function wholeCount(lengths: readonly number[], limit: number): number {
  const size = new PageSize(limit)
  const all = lengths.map((length) => ({ reason: 'x'.repeat(length), reference: null, metadata: null }))
  let count = 0
  for (let next = size.next; next > 0; next = size.next) {
    const taken = size.take(all.slice(count, count + next), (row) => row).length
    count += taken
    if (taken < next) break
  }
  return count
}

describe('a page of entries', () => {
  it('is read in chunks of about 256 KiB, except the first', async () => {
    const [first, ...others] = await read(Array(1_000).fill(5_000))
    assert.equal(first?.length, 50)
    assert.deepEqual([...new Set(others.slice(0, -1).map(({ length }) => length))], [46])
    assert.equal((await read(Array(1_000).fill(0))).length, 4)
  })

  it('has the same entries as when read at once, however long they are', async () => {
    const pages = [
      Array<number>(1_000).fill(5_000),
      Array<number>(1_000).fill(0),
      Array.from({ length: 1_000 }, (_, place) => (place * 7_919) % 6_000),
      // Its last entry fits, though it ends a chunk and one of average size would not.
      Array.from({ length: 1_000 }, (_, place) => (place % 8 === 0 ? 5_000 : 0)),
      Array.from({ length: 1_000 }, (_, place) => (place < 220 ? 10 : 5_000)),
      Array.from({ length: 1_000 }, (_, place) => (place < 60 ? 5_000 : 10)),
    ]
    for (const [place, lengths] of pages.entries()) {
      for (const limit of [1, 49, 50, 51, 100, 1_000]) {
        const pieces = await read(lengths, { limit })
        const count = wholeCount(lengths, limit)
        const expected = Array.from({ length: count }, (_, index) => index + 1)
        assert.deepEqual(seqs(pieces.flat()), expected, `page ${place} of ${limit}`)
        assert.ok(pieces.every(({ length }) => length > 0))
      }
    }
  })

  it('continues after an entry, and has no partial chunk at the end', async () => {
    assert.deepEqual((await read([1, 1, 1], { after: 1n })).map(seqs), [[2, 3]])
    assert.deepEqual(await read([1, 1, 1], { after: 3n }), [])
  })
})
