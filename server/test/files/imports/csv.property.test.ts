import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type CsvOptions, CsvReader, type CsvRecord, recordCap } from '../../../src/files/imports/csv.ts'

/** The plainest writer there is. */
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

/** Reads a text in pieces that end at these places. */
function readIn(text: string, cuts: readonly number[], form: CsvOptions = {}): CsvRecord[] {
  const reader = new CsvReader(form)
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
  const pieces = places.slice(1).map((place, index) => text.slice(places[index], place))
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
}

describe('a CSV file', () => {
  it('is read as it was written, each record on its line, however it is cut in pieces', () => {
    fc.assert(
      fc.property(file, ({ rows, end, lastEnds, cuts, mark, form }) => {
        // A line that is blank is no record: a lone empty cell is written with quotes.
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

  it('never breaks the reader, whatever it is', () => {
    const noise = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a'), maxLength: 40 })
    fc.assert(
      fc.property(noise, fc.array(fc.nat(40), { maxLength: 4 }), fc.boolean(), (text, cuts, loose) => {
        assert.deepEqual(readIn(text, cuts, { loose }), readIn(text, [], { loose }))
      }),
      { numRuns: 2_000 },
    )
  })

  it('has blank lines that are counted and left out', () => {
    const cells = ['b']
    assert.deepEqual(readIn('\n\r\na\n\nb\n', []), [
      { line: 3, cells: ['a'] },
      { line: 5, cells },
    ])
  })

  it('whose quote is never closed is told of, on the line it was opened on, and gathers no memory', () => {
    const [first, broken, ...rest] = readIn(`a\n"b${'\nc'.repeat(recordCap)}`, [10, 200])
    assert.deepEqual(first, { line: 1, cells: ['a'] })
    assert.equal(broken?.line, 2)
    assert.match(broken?.fault ?? '', /quote/)
    assert.deepEqual(rest, [])
  })

  it('goes on behind a row with a stray quote', () => {
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
