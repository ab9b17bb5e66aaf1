import type { PointKind } from '../../realm.tsx'
import { type DamagedId, mangledId } from '../../spreadsheet.ts'
import { type Delimiter, guessDelimiter, RowWriter, rowsOf } from './csv.ts'
import { guessTargets, looksLikeRow, type Target } from './matching.ts'

/** A dropped file, and how to read it. */
export type Sheet = {
  readonly name: string
  readonly bytes: number
  readonly text: string
  readonly format: 'csv' | 'ndjson'
  readonly delimiter: Delimiter
  readonly hasHeader: boolean
  readonly headers: readonly string[]
  readonly targets: readonly Target[]
  /** The first rows, as a sample. */
  readonly sample: readonly (readonly string[])[]
  readonly rows: number
}

export type FileFault = 'tooLarge' | 'notUtf8' | 'noRows' | 'wholeRealm' | 'wrongFormat'
export class SheetError extends Error {
  readonly fault: FileFault
  constructor(fault: FileFault) {
    super(fault)
    this.fault = fault
  }
}

const bytesCap = 32_000_000
const sampleRows = 5

export async function readSheet(file: File, kinds: readonly PointKind[]): Promise<Sheet> {
  if (file.size > bytesCap) throw new SheetError('tooLarge')
  const text = decode(await file.arrayBuffer())
  if (text.trim() === '') throw new SheetError('noRows')
  if (text.startsWith('{"format":"exchequer-realm"')) throw new SheetError('wholeRealm')
  if (text.includes('\0')) throw new SheetError('wrongFormat')
  const base = { name: file.name, bytes: file.size, text }
  if (/\.(ndjson|jsonl)$/i.test(file.name) || text.startsWith('{')) return ndjsonSheet(base)
  return csvSheet({ ...base, delimiter: guessDelimiter(text) }, kinds)
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SheetError('notUtf8')
  }
}

type Base = Pick<Sheet, 'name' | 'bytes' | 'text'>

function ndjsonSheet(base: Base): Sheet {
  const lines = base.text.split('\n').filter((line) => line.trim() !== '')
  const sample = lines.slice(0, sampleRows).map((line) => [line])
  const none = { delimiter: ',', hasHeader: false, headers: [], targets: [] } as const
  return { ...base, ...none, format: 'ndjson', sample, rows: lines.length }
}

function csvSheet(base: Base & { readonly delimiter: Delimiter }, kinds: readonly PointKind[]): Sheet {
  let rows = 0
  const first: (readonly string[])[] = []
  for (const { cells } of rowsOf(base.text, base.delimiter)) {
    if (cells.length === 0) continue
    if (first.length <= sampleRows) first.push(cells)
    rows += 1
  }
  const hasHeader = !looksLikeRow(first[0] ?? [])
  const sheet = {
    ...base,
    format: 'csv' as const,
    hasHeader,
    headers: first[0] ?? [],
    targets: [],
    sample: first,
  }
  return withHeader({ ...sheet, rows: rows - (hasHeader ? 1 : 0) }, kinds)
}

/** Without column names only the ID column can be suggested. */
function withHeader(sheet: Sheet, kinds: readonly PointKind[]): Sheet {
  const { hasHeader, headers, sample } = sheet
  if (hasHeader) return { ...sheet, targets: guessTargets(headers, kinds), sample: sample.slice(1) }
  return {
    ...sheet,
    headers: headers.map((_, nth) => String(nth + 1)),
    targets: headers.map((cell, nth) => (nth === 0 && looksLikeRow([cell]) ? 'id' : '')),
    sample: sample.slice(0, sampleRows),
  }
}

/** Reads the file again with the first line as a header, or no longer as one. */
export function turnHeader(sheet: Sheet, hasHeader: boolean, kinds: readonly PointKind[]): Sheet {
  const rows = sheet.rows + (sheet.hasHeader ? 1 : 0) - (hasHeader ? 1 : 0)
  const sample: (readonly string[])[] = []
  for (const { cells } of rowsOf(sheet.text, sheet.delimiter)) {
    if (sample.length > sampleRows) break
    if (cells.length > 0) sample.push(cells)
  }
  return withHeader({ ...sheet, hasHeader, rows, sample, headers: sample[0] ?? [] }, kinds)
}

/** An error in a row, found without the server. */
export type RowFault = { readonly line: number; readonly id: string } & (
  | { readonly name: DamagedId | 'quote' }
  | { readonly name: 'twice'; readonly before: number }
  | { readonly name: 'cells'; readonly cells: number; readonly columns: number }
)

/** CSV rows without the header. */
function* dataRows({ text, delimiter, hasHeader }: Sheet) {
  let skipped = !hasHeader
  for (const row of rowsOf(text, delimiter)) {
    if (skipped) yield row
    else if (row.cells.length > 0) skipped = true
  }
}

/** Errors that need the whole file or a message of their own: duplicate or mangled IDs. */
export function faultsOf(sheet: Sheet): readonly RowFault[] {
  if (sheet.format === 'ndjson') return []
  const at = sheet.targets.indexOf('id')
  const columns = sheet.targets.length
  const seen = new Map<string, number>()
  const faults: RowFault[] = []
  for (const { line, cells, fault } of dataRows(sheet)) {
    const id = plainId(cells[at] ?? '')
    const before = seen.get(id)
    const mangled = mangledId(id)
    if (fault !== undefined) faults.push({ line, id, name: 'quote' })
    else if (cells.length !== columns) faults.push({ line, id, name: 'cells', cells: cells.length, columns })
    else if (mangled) faults.push({ line, id, name: mangled })
    else if (before !== undefined) faults.push({ line, id, name: 'twice', before })
    if (before === undefined && id !== '') seen.set(id, line)
  }
  return faults
}

/** The IDs on some lines, to show next to the server's errors. */
export function idsOn(sheet: Sheet, lines: ReadonlySet<number>): ReadonlyMap<number, string> {
  const at = sheet.targets.indexOf('id')
  const ids = new Map<number, string>()
  if (sheet.format === 'ndjson' || lines.size === 0) return ids
  for (const { line, cells } of dataRows(sheet)) if (lines.has(line)) ids.set(line, plainId(cells[at] ?? ''))
  return ids
}

const plainId = (cell: string): string => cell.trim().replace(/^="([^"]*)"$/, '$1')

const chunkChars = 65_536

/** The file in the server's format: commas, known column names, and only the selected columns. */
export async function* asWanted(sheet: Sheet): AsyncGenerator<string> {
  if (sheet.format === 'ndjson') {
    yield sheet.text
    return
  }
  const kept = sheet.targets.flatMap((target, nth) => (target === '' ? [] : [nth]))
  const names = kept.map((nth) => sheet.targets[nth] ?? '')
  const writer = new RowWriter()
  let isNamed = !sheet.hasHeader
  let chunk = isNamed ? writer.write(names, 1) : ''
  const moved = chunk === '' ? 0 : 1
  for (const { line, cells } of rowsOf(sheet.text, sheet.delimiter)) {
    const wanted = isNamed ? kept.map((nth) => cells[nth] ?? '') : names
    isNamed = true
    chunk += writer.write(wanted, line + moved)
    if (chunk.length < chunkChars) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/** A header added to a file without one shifts every row by one line. */
export const lineInFile = ({ format, hasHeader }: Sheet, line: number): number =>
  format === 'csv' && !hasHeader ? line - 1 : line
