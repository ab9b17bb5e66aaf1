import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type CsvOptions, CsvReader, type CsvRecord, recordCap } from '../../../src/files/imports/csv.ts'

/** The simplest possible writer. */
const written = (cell: string, always: boolean): string =>
  always || /[",;\t\r\n\uFEFF]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

const cell = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r', 'a', '=', 'ä'), maxLength: 8 }),
)
const file = fc.record({
  rows: fc.array(fc.array(fc.record({ cell, quoted: fc.boolean() }), { minLength: 1, maxLength: 4 }), {
    maxLength: 8,
  }),
  end: fc.constantFrom('\n', '\r\n'),
  lastEnds: fc.boolean(),
  cuts: fc.array(fc.nat(400), { maxLength: 6 }),
  mark: fc.boolean(),
  form: fc.record({ delimiter: fc.constantFrom(',', ';', '\t'), loose: fc.boolean() }),
})

/** Reads a text in chunks that end at these offsets. */
function readIn(text: string, cuts: readonly number[], form: CsvOptions = {}): CsvRecord[] {
  const reader = new CsvReader(form)
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
  const pieces = places.slice(1).map((place, index) => text.slice(places[index], place))
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
}

describe('a CSV file', () => {
  it('is read as it was written, each record with its line, for any chunks', () => {
    fc.assert(
      fc.property(file, ({ rows, end, lastEnds, cuts, mark, form }) => {
        // A blank line is not a record: a single empty cell is written with quotes.
        const lines = rows.map((row) =>
          row
            .map((one) => written(one.cell, one.quoted || (row.length === 1 && one.cell === '')))
            .join(form.delimiter),
        )
        const text = (mark ? '\uFEFF' : '') + lines.join(end) + (lastEnds && lines.length > 0 ? end : '')
        let line = 1
        const due = rows.map((row, index) => {
          const record = { line, cells: row.map((one) => one.cell) }
          line += (lines[index] ?? '').split('\n').length
          return record
        })
        assert.deepEqual(readIn(text, cuts, form), due)
      }),
      { numRuns: 2_000 },
    )
  })

  it('never crashes the reader, whatever its content', () => {
    const noise = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a'), maxLength: 40 })
    fc.assert(
      fc.property(noise, fc.array(fc.nat(40), { maxLength: 4 }), fc.boolean(), (text, cuts, loose) => {
        assert.deepEqual(readIn(text, cuts, { loose }), readIn(text, [], { loose }))
      }),
      { numRuns: 2_000 },
    )
  })

  it('has blank lines that are counted and skipped', () => {
    const cells = ['b']
    assert.deepEqual(readIn('\n\r\na\n\nb\n', []), [
      { line: 3, cells: ['a'] },
      { line: 5, cells },
    ])
  })

  it('with an unclosed quote is reported with the line of the quote, without buffering the rest', () => {
    const [first, broken, ...rest] = readIn(`a\n"b${'\nc'.repeat(recordCap)}`, [10, 200])
    assert.deepEqual(first, { line: 1, cells: ['a'] })
    assert.equal(broken?.line, 2)
    assert.match(broken?.fault ?? '', /quote/)
    assert.deepEqual(rest, [])
  })

  it('continues after a row with a stray quote', () => {
    const records = readIn('a"b,c\n"d"e\nf', [])
    assert.deepEqual(
      records.map(({ line, fault }) => [line, fault !== undefined]),
      [
        [1, true],
        [2, true],
        [3, false],
      ],
    )
  })
})
