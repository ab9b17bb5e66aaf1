import { setImmediate as othersTurn } from 'node:timers/promises'
import type { HashAddress } from '../../members/identities/index.ts'
import type { RealmConfig } from '../../realms/index.ts'
import { CsvReader, type CsvRecord } from './csv.ts'
import { NdjsonReader } from './ndjson.ts'
import { type Column, columnOf, columnWords, type LineFault, type Row, RowReader } from './rows.ts'

export type Format = 'csv' | 'ndjson'

/** A part of a file. */
export type Page = { readonly rows: readonly Row[]; readonly faults: readonly LineFault[] }

export type ReadOptions = {
  readonly format: Format
  readonly config: RealmConfig
  /** The line of its first row: a part of a file does not begin with the file's first line. */
  readonly firstLine?: number | undefined
  readonly allowRounded?: boolean
  /** Turns e-mail addresses into identities. */
  readonly hash: HashAddress
}

/** Each page waits for its last change: with 1,000 rows PostgreSQL was idle for two fifths of the time. */
export const pageRows = 4_000

const pageFaults = 1_000
/** Characters read at once, 2,000 lines at most: a few milliseconds. */
const sliceChars = 4_096

type Reader = { push(text: string): void; end(): void }

/** Text in short slices. Other requests are handled between them. */
async function* slicesOf(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += sliceChars) {
      yield chunk.slice(at, at + sliceChars)
      await othersTurn()
    }
  }
}

/** Reads a file, in pages. The first line of a CSV names its columns. */
export async function* readPages(
  chunks: AsyncIterable<string> | Iterable<string>,
  options: ReadOptions,
): AsyncGenerator<Page> {
  const gathered: { rows: Row[]; faults: LineFault[] } = { rows: [], faults: [] }
  const reader = readerOf(options, gathered)
  const full = () => gathered.rows.length >= pageRows || gathered.faults.length >= pageFaults
  const take = (): Page => ({
    rows: gathered.rows.splice(0, pageRows),
    faults: gathered.faults.splice(0, pageFaults),
  })
  for await (const slice of slicesOf(chunks)) {
    reader.push(slice)
    while (full()) yield take()
  }
  reader.end()
  while (gathered.rows.length > 0 || gathered.faults.length > 0) yield take()
}

function readerOf(options: ReadOptions, gathered: { rows: Row[]; faults: LineFault[] }): Reader {
  const rows = new RowReader(options.allowRounded ?? false, options.hash)
  const add = (read: Row | LineFault[]) => {
    if (Array.isArray(read)) gathered.faults.push(...read)
    else gathered.rows.push(read)
  }
  return options.format === 'csv' ? csvReader(options, rows, add) : ndjsonReader(options, rows, add)
}

type Add = (read: Row | LineFault[]) => void

function csvReader({ config, firstLine = 2 }: ReadOptions, rows: RowReader, add: Add): Reader {
  const csv = new CsvReader({ firstLine: firstLine - 1 })
  let columns: readonly Column[] | undefined
  const take = (records: readonly CsvRecord[]) => {
    for (const { line, cells, fault } of records) {
      if (fault !== undefined) add([{ line, detail: fault }])
      if (!columns) {
        const header = headerOf(cells, config)
        columns = typeof header === 'string' ? [] : header
        if (typeof header === 'string' && fault === undefined) add([{ line, detail: header }])
      } else if (fault === undefined && columns.length > 0) {
        if (cells.length === columns.length) add(rows.read(line, columns, cells))
        else add([{ line, detail: `${cells.length} cells, but there are ${columns.length} columns.` }])
      }
    }
  }
  return { push: (text) => take(csv.push(text)), end: () => take(csv.end()) }
}

/** The columns, or why they are invalid: then no row can be read. */
function headerOf(names: readonly string[], config: RealmConfig): Column[] | string {
  const found = names.map((name) => columnOf(name.trim(), config))
  const wrong = found.find((column) => typeof column === 'string')
  if (typeof wrong === 'string') return wrong
  const columns = found as Column[]
  const keys = columns.flatMap((column) => ('ignored' in column ? [] : [keyOf(column)]))
  if (new Set(keys).size < keys.length) return 'Two columns mean the same.'
  if (!keys.includes('id')) return `The first line names the columns: ${columnWords}; id is missing.`
  return columns
}

const keyOf = (column: Exclude<Column, { ignored: true }>): string =>
  'name' in column ? column.name : `balance:${column.point}@${column.day ?? ''}`

function ndjsonReader({ config, firstLine = 1 }: ReadOptions, rows: RowReader, add: Add): Reader {
  const known = new Map<string, Column | string>()
  const meaning = (name: string) => {
    const column = known.get(name) ?? columnOf(name, config)
    if (known.size < 100) known.set(name, column)
    return column
  }
  const ndjson = new NdjsonReader(firstLine)
  const take = (lines: ReturnType<NdjsonReader['push']>) => {
    for (const { line, fields, fault } of lines) {
      const columns = fields.map(([name]) => meaning(name))
      const wrong = fault ?? columns.find((column) => typeof column === 'string')
      if (typeof wrong === 'string') add([{ line, detail: wrong }])
      else
        add(
          rows.read(
            line,
            columns as Column[],
            fields.map(([, value]) => value),
          ),
        )
    }
  }
  return { push: (text) => take(ndjson.push(text)), end: () => take(ndjson.end()) }
}
