/** A row of a file: the line it begins on, how many lines it has, and its cells. A blank line has none. */
export type CsvRow = {
  readonly line: number
  readonly lines: number
  readonly cells: readonly string[]
  /** A quote in it is never closed, so that nothing behind it can be told apart. */
  readonly open?: true
}

const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

/** The one that the first line has most of: spreadsheets take semicolons where the comma is in numbers. */
export function guessDelimiter(text: string): Delimiter {
  const first = text.slice(0, text.indexOf('\n') + 1 || text.length)
  const counted = delimiters.map((one) => ({ one, count: first.split(one).length }))
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).one
}

/** Reads CSV row by row, as RFC 4180 has it, with any of the delimiters. */
export function* rowsOf(text: string, delimiter: Delimiter): Generator<CsvRow> {
  let line = 1
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    const plain = text.slice(at, text[end - 1] === '\r' && end > at ? end - 1 : end)
    if (!plain.includes('"')) {
      yield { line, lines: 1, cells: plain === '' ? [] : plain.split(delimiter) }
      line += 1
      at = end + 1
      continue
    }
    const { cells, next, open } = quotedRow(text, at, delimiter)
    const lines = text.slice(at, next).split('\n').length - (text[next - 1] === '\n' ? 1 : 0)
    yield { line, lines, cells, ...(open ? { open } : {}) }
    line += lines
    at = next
  }
}

type Quoted = { readonly cells: readonly string[]; readonly next: number; readonly open?: true }

function quotedRow(text: string, from: number, delimiter: Delimiter): Quoted {
  const cells: string[] = []
  for (let at = from; ; ) {
    let value = ''
    if (text[at] === '"') {
      const cell = quotedCell(text, at)
      if (!cell) return { cells, next: text.length, open: true }
      value = cell.value
      at = cell.next
    }
    const begun = at
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n') at += 1
    cells.push((value + text.slice(begun, at)).replace(/\r$/, ''))
    if (text[at] !== delimiter) return { cells, next: Math.min(text.length, at + 1) }
    at += 1
  }
}

function quotedCell(text: string, at: number): { readonly value: string; readonly next: number } | undefined {
  let value = ''
  for (let from = at + 1; ; ) {
    const close = text.indexOf('"', from)
    if (close < 0) return undefined
    value += text.slice(from, close)
    if (text[close + 1] !== '"') return { value, next: close + 1 }
    value += '"'
    from = close + 2
  }
}

const cellText = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A row as the server reads it, on as many lines as it had: what the server says names the file's lines. */
export function writeRow(cells: readonly string[], lines: number): string {
  const text = cells.map(cellText).join(',')
  return text + '\n'.repeat(Math.max(1, lines - text.split('\n').length + 1))
}
