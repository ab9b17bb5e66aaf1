/** A record of a file: the line it begins on, and its cells, or what is wrong with it. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[]; readonly fault?: string }

/** Characters of a record at most: a quote that is never closed must not gather a whole file. */
export const recordCap = 64 * 1024

type Quoted = { readonly cells: string[]; readonly fault?: string; readonly next: number }

/** Reads CSV as RFC 4180 has it, in pieces as they come. Blank lines are left out; a BOM is not text. */
export class CsvReader {
  #text = ''
  #line: number
  #begun = false
  /** Behind a record without end nothing can be told apart any more. */
  #lost = false

  constructor(firstLine = 1) {
    this.#line = firstLine
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
        if (line !== '') records.push({ line: this.#line, cells: line.split(',') })
        this.#line += 1
        at = end + 1
        continue
      }
      const read = readQuoted(text, at, last)
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
    const fault = `No end of this row within ${recordCap} characters. Is a quote not closed?`
    return { line: this.#line, cells: [], fault }
  }
}

/** One record with quotes in it; undefined when its end has not come yet. */
function readQuoted(text: string, from: number, last: boolean): Quoted | undefined {
  const cells: string[] = []
  for (let at = from; ; at += 1) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at)
    if (!cell || (cell.next >= text.length && !last)) {
      const fault = 'A quote is opened and not closed.'
      return last ? { cells: [], fault, next: text.length } : undefined
    }
    at = cell.next
    const behind = text[at]
    if (cell.stray) return skip(text, at, last)
    cells.push(cell.value)
    if (behind === ',') continue
    if (behind === undefined) return { cells, next: at }
    if (behind === '\n') return { cells, next: at + 1 }
    if (behind === '\r' && text[at + 1] === '\n') return { cells, next: at + 2 }
    if (behind === '\r' && at + 1 === text.length) return last ? { cells, next: at + 1 } : undefined
    return skip(text, at, last)
  }
}

type Cell = { readonly value: string; readonly next: number; readonly stray?: boolean }

function quotedCell(text: string, at: number): Cell | undefined {
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

function plainCell(text: string, at: number): Cell {
  let next = at
  while (next < text.length && text[next] !== ',' && text[next] !== '\n') next += 1
  const end = text[next] === '\n' && text[next - 1] === '\r' && next > at ? next - 1 : next
  const value = text.slice(at, end)
  return { value, next: end, stray: value.includes('"') }
}

function skip(text: string, at: number, last: boolean): Quoted | undefined {
  const end = text.indexOf('\n', at)
  if (end < 0 && !last) return undefined
  const fault = 'A quote stands inside of a cell. Put the cell in quotes, and write each quote in it twice.'
  return { cells: [], fault, next: end < 0 ? text.length : end + 1 }
}
