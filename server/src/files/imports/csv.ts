/** A record of a file: the line it begins on, and its cells, or what is wrong with it. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[]; readonly fault?: string }

/** Characters of a record at most: an unclosed quote must not buffer a whole file. */
export const recordCap = 64 * 1024

export type CsvOptions = {
  /** The line that the text begins on. */
  readonly firstLine?: number
  readonly delimiter?: string
  /** A quote inside of a cell is text. Otherwise such a row is an error: it may not mean what it says. */
  readonly loose?: boolean
}

/**
 * Reads CSV according to RFC 4180, in pieces as they arrive. Blank lines are skipped; a BOM is not text. The
 * console reads files with it too (decision 29), so it imports nothing.
 */
export class CsvReader {
  readonly #form: Form
  #text = ''
  #line: number
  #begun = false
  /** After a record without an end, the following records can't be recognized any more. */
  #lost = false

  constructor({ firstLine = 1, delimiter = ',', loose = false }: CsvOptions = {}) {
    this.#line = firstLine
    this.#form = { delimiter, loose }
  }

  push(text: string): CsvRecord[] {
    if (!this.#begun && text !== '') {
      this.#begun = true
      this.#text = text.startsWith('\uFEFF') ? text.slice(1) : text
    } else this.#text += text
    return this.#take(false)
  }

  end(): CsvRecord[] {
    return this.#take(true)
  }

  #take(last: boolean): CsvRecord[] {
    if (this.#lost) return []
    const text = this.#text
    const records: CsvRecord[] = []
    let at = 0
    let quote = text.indexOf('"')
    while (at < text.length) {
      const found = text.indexOf('\n', at)
      if (found < 0 && !last) break
      const end = found < 0 ? text.length : found
      if (quote >= 0 && quote < at) quote = text.indexOf('"', at)
      if (quote < 0 || quote > end) {
        const line = text.slice(at, text[end - 1] === '\r' && end > at ? end - 1 : end)
        if (line !== '') records.push({ line: this.#line, cells: line.split(this.#form.delimiter) })
        this.#line += 1
        at = end + 1
        continue
      }
      const read = readQuoted(text, at, { ...this.#form, last })
      if (!read) break
      const { cells, fault, next } = read
      records.push({ line: this.#line, cells, ...(fault === undefined ? {} : { fault }) })
      for (let line = at; line < next; line += 1) if (text[line] === '\n') this.#line += 1
      at = next
    }
    this.#text = at === 0 ? text : text.slice(at)
    if (this.#text.length > recordCap) records.push(this.#loss())
    return records
  }

  #loss(): CsvRecord {
    this.#lost = true
    this.#text = ''
    const fault = `This row does not end within ${recordCap} characters. Is a quote not closed?`
    return { line: this.#line, cells: [], fault }
  }
}

type Form = { readonly delimiter: string; readonly loose: boolean }
/** How to read, and whether the text ends here. */
type Rest = Form & { readonly last: boolean }
type Quoted = { readonly cells: string[]; readonly fault?: string; readonly next: number }

/** One record with quotes in it; undefined when its end has not arrived yet. */
function readQuoted(text: string, from: number, form: Rest): Quoted | undefined {
  const cells: string[] = []
  for (let at = from; ; ) {
    const cell = cellAt(text, at, form.delimiter)
    if (!cell || (cell.next === text.length && !form.last)) {
      const fault = 'A quote is opened and not closed.'
      return form.last ? { cells, fault, next: text.length } : undefined
    }
    if (cell.stray && !form.loose) return skip(text, cell.next, form.last)
    cells.push(cell.value)
    if (text[cell.next] !== form.delimiter) return { cells, next: Math.min(text.length, cell.next + 1) }
    at = cell.next + 1
  }
}

type Cell = { readonly value: string; readonly next: number; readonly stray: boolean }

/** A cell, and where its delimiter or line end is; undefined when its quote is not closed. */
function cellAt(text: string, at: number, delimiter: string): Cell | undefined {
  const isQuoted = text[at] === '"'
  const quoted = isQuoted ? quotedCell(text, at) : { value: '', next: at }
  if (!quoted) return undefined
  let next = quoted.next
  while (next < text.length && text[next] !== delimiter && text[next] !== '\n') next += 1
  const end = text[next] !== delimiter && text[next - 1] === '\r' && next > quoted.next ? next - 1 : next
  const tail = text.slice(quoted.next, end)
  return { value: quoted.value + tail, next, stray: isQuoted ? tail !== '' : tail.includes('"') }
}

function quotedCell(text: string, at: number): Pick<Cell, 'value' | 'next'> | undefined {
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

function skip(text: string, at: number, last: boolean): Quoted | undefined {
  const end = text.indexOf('\n', at)
  if (end < 0 && !last) return undefined
  const fault = 'A quote is inside a cell. Enclose the cell in quotes, and write each quote in it twice.'
  return { cells: [], fault, next: end < 0 ? text.length : end + 1 }
}
