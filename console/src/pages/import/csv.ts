import { CsvReader, type CsvRecord } from '../../../../server/src/files/imports/csv.ts'

const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

/** The most frequent one in the first line: in locales with decimal commas, spreadsheets write semicolons. */
export function guessDelimiter(text: string): Delimiter {
  const first = text.slice(0, text.indexOf('\n') + 1 || text.length)
  const counted = delimiters.map((one) => ({ one, count: first.split(one).length }))
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).one
}

const pieceChars = 65_536

/** Reads a file row by row, by the server's own reader but with any delimiter; a quote in a cell is text. */
export function* rowsOf(text: string, delimiter: Delimiter): Generator<CsvRecord> {
  const reader = new CsvReader({ delimiter, loose: true })
  for (let at = 0; at < text.length; at += pieceChars) yield* reader.push(text.slice(at, at + pieceChars))
  yield* reader.end()
}

const cellText = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Writes rows for the server, each on its line in the file: the response names those lines. */
export class RowWriter {
  #line = 1

  write(cells: readonly string[], line: number): string {
    const text = `${'\n'.repeat(Math.max(0, line - this.#line))}${cells.map(cellText).join(',')}\n`
    this.#line += text.split('\n').length - 1
    return text
  }
}
