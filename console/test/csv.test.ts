import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guessDelimiter, RowWriter, rowsOf } from '../src/pages/import/csv.ts'

const read = (text: string, delimiter = guessDelimiter(text)) => [...rowsOf(text, delimiter)]

describe('a file of rows', () => {
  it('uses the most frequent delimiter of its first line', () => {
    assert.equal(guessDelimiter('id,name\n1,"a;b;c"'), ',')
    assert.equal(guessDelimiter('id;name;points\n1;a;2,5'), ';')
    assert.equal(guessDelimiter('id\tname'), '\t')
    assert.equal(guessDelimiter('id'), ',')
  })

  it('may have quotes, commas and line breaks in cells, and reports the line where each row starts', () => {
    const text = 'id,name\r\n1,"a, ""b""\r\nc"\r\n\r\n2,"x"\r\n3,y'
    assert.deepEqual(read(text), [
      { line: 1, cells: ['id', 'name'] },
      { line: 2, cells: ['1', 'a, "b"\r\nc'] },
      { line: 5, cells: ['2', 'x'] },
      { line: 6, cells: ['3', 'y'] },
    ])
  })

  it('reports the line of an unclosed quote', () => {
    assert.deepEqual(read('id,name\n1,"a\n2,b\n'), [
      { line: 1, cells: ['id', 'name'] },
      { line: 2, cells: ['1'], fault: 'A quote is opened and not closed.' },
    ])
  })

  it('keeps quotes inside cells unchanged, with any delimiter', () => {
    assert.deepEqual(read('id;name\n="12";5" nail\r\n2;"a"b;c\n'), [
      { line: 1, cells: ['id', 'name'] },
      { line: 2, cells: ['="12"', '5" nail'] },
      { line: 3, cells: ['2', 'ab', 'c'] },
    ])
  })

  it('in many chunks is read as one', () => {
    const rows = Array.from({ length: 20_000 }, (_, nth) => `${nth},"a ""${nth}"",\nb"`)
    const all = read(`id,name\n${rows.join('\n')}\n`)
    assert.equal(all.length, 20_001)
    assert.deepEqual(all.at(-1), { line: 40_000, cells: ['19999', 'a "19999",\nb'] })
  })

  it('is written for the server on the same lines, even when a multi-line cell is omitted', () => {
    const text = 'id;note;name\n1;"two\nlines";"a,b"\n2;;"q""q"\n3;x;"li\nne"\n4;;z\n'
    const writer = new RowWriter()
    const written = read(text)
      .map(({ cells, line }) => writer.write([cells[0] ?? '', cells[2] ?? ''], line))
      .join('')
    const lineOf = (id: string) => read(written, ',').find(({ cells }) => cells[0] === id)?.line
    for (const { line, cells } of read(text)) assert.equal(lineOf(cells[0] ?? ''), line)
    assert.deepEqual(
      read(written, ',').flatMap(({ cells }) => cells.slice(1)),
      ['name', 'a,b', 'q"q', 'li\nne', 'z'],
    )
  })
})
