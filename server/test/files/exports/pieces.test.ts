import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { piecesOf, rowsAfter } from '../../../src/files/exports/pieces.ts'

const rows = (count: number, chars: number) =>
  Array.from({ length: count }, (_, seq) => ({ seq: BigInt(seq), reason: 'x'.repeat(chars), link: null }))

describe('the text of an export', () => {
  it('is written in chunks of 64 Ki characters plus at most one row', () => {
    const long = rows(1_000, 5_000)
    const pieces = [...piecesOf(long, ({ reason }) => reason)]
    assert.ok(pieces.every((piece) => piece.length < 64 * 1024 + 5_000))
    assert.equal(pieces.join('').length, 5_000_000)
    assert.deepEqual([...piecesOf(rows(2, 3), ({ reason }) => reason)], ['xxxxxx'])
    assert.deepEqual([...piecesOf([], String)], [])
  })
})

describe('rows that are read for an export', () => {
  it('are 100 at first, then as many as fit, up to 1,000', () => {
    assert.equal(rowsAfter([]), 100)
    assert.equal(rowsAfter(rows(100, 20)), 400)
    assert.equal(rowsAfter(rows(400, 20)), 1_000)
  })

  it('are fewer when their texts are long, and at least one', () => {
    assert.equal(rowsAfter(rows(100, 5_243)), 99)
    assert.equal(rowsAfter(rows(1, 600_000)), 1)
  })
})
