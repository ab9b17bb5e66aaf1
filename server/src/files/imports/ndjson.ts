import { recordCap } from './csv.ts'

export type NdjsonRecord = {
  readonly line: number
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly fault?: string
}

/** A number in its original digits: as a JavaScript number an id would be rounded to another member's. */
class Digits {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
// In Node since 21; TypeScript's library does not declare the third argument yet.
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown

/** Reads JSON text and keeps every number as it was written. */
function parseExact(text: string): unknown {
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' ? new Digits(source ?? String(value)) : value,
  )
}

/** Reads one JSON object per line, in pieces as they arrive. Blank lines are skipped. */
export class NdjsonReader {
  #text = ''
  #line: number
  #begun = false
  #lost = false

  constructor(firstLine = 1) {
    this.#line = firstLine
  }

  push(text: string): NdjsonRecord[] {
    if (this.#lost) return []
    if (!this.#begun && text.startsWith('\uFEFF')) this.#text = text.slice(1)
    else this.#text += text
    this.#begun ||= text !== ''
    const records: NdjsonRecord[] = []
    let at = 0
    for (let end = this.#text.indexOf('\n'); end >= 0; end = this.#text.indexOf('\n', at)) {
      this.#take(this.#text.slice(at, end), records)
      at = end + 1
    }
    this.#text = this.#text.slice(at)
    if (this.#text.length > recordCap) {
      this.#lost = true
      this.#text = ''
      const fault = `This line is longer than ${recordCap} characters.`
      records.push({ line: this.#line, fields: [], fault })
    }
    return records
  }

  end(): NdjsonRecord[] {
    return this.#text === '' ? [] : this.push('\n')
  }

  #take(text: string, records: NdjsonRecord[]): void {
    const line = this.#line
    this.#line += 1
    if (text.trim() !== '') records.push(recordOf(line, text))
  }
}

function recordOf(line: number, text: string): NdjsonRecord {
  const fault = (detail: string) => ({ line, fields: [], fault: detail })
  let value: unknown
  try {
    value = parseExact(text)
  } catch {
    return fault('This line is not JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Digits) {
    return fault('This line is not a JSON object.')
  }
  const fields: (readonly [string, string])[] = []
  for (const [name, field] of Object.entries(value)) {
    const cell = cellOf(field)
    if (cell === undefined) return fault(`${name}: expected text or a number.`)
    fields.push([name, cell])
  }
  return { line, fields }
}

/** A field in the form of a CSV cell: several wallets are semicolon-separated there. */
function cellOf(field: unknown): string | undefined {
  if (field === null) return ''
  if (typeof field === 'string') return field
  if (field instanceof Digits) return field.text
  if (Array.isArray(field) && field.every((part) => typeof part === 'string')) return field.join(';')
  return undefined
}
