import type { ImportResult } from '@exchequer/sdk'
import { withBar } from './bar.ts'
import type { Context } from './command.ts'
import { Stop } from './exits.ts'
import { bytesOf, sizeOf } from './files.ts'
import { counted, grouped } from './output.ts'

export type Format = 'csv' | 'ndjson'
/** What an import reads: a file, or rows that were made from one. */
export type Rows = {
  readonly format: Format
  readonly size: number
  /** What a line is called in an error; its number by default. */
  readonly nameOf?: (line: number) => string
  /** Reads from the start on each call. */
  open(onRead: (bytes: number) => void): AsyncIterable<string | Uint8Array>
}
export type Bringing = {
  readonly name: string
  readonly allowRoundedIds: boolean
  readonly addOnTop: boolean
}

export const fileRows = (file: string): Rows => ({
  format: /\.(ndjson|jsonl)$/i.test(file) ? 'ndjson' : 'csv',
  size: sizeOf(file),
  open: (onRead) => bytesOf(file, onRead),
})

export function textRows(text: string): Rows {
  return {
    format: 'ndjson',
    size: text.length,
    async *open(onRead) {
      onRead(text.length)
      yield text
    },
  }
}

type Pass = Bringing & { readonly dryRun: boolean }

/** Sends all rows once, with a progress bar. */
function pass(
  { terminal, realm }: Context,
  rows: Rows,
  { dryRun, ...bringing }: Pass,
): Promise<ImportResult> {
  const what = dryRun ? 'checking ' : 'importing'
  return withBar(terminal, { what, unit: ['row', 'rows'] }, (bar) => {
    let read = 0
    const source = rows.open((bytes) => {
      read = bytes
    })
    const onProgress = (soFar: ImportResult) => bar.at(rows.size === 0 ? 1 : read / rows.size, soFar.rows)
    return realm().import(source, { ...bringing, format: rows.format, dryRun, onProgress })
  })
}

/** Replaces the server's parameter names with option names. */
const inOptions = (detail: string): string =>
  detail.replace('roundedIds=allow', '--allow-rounded-ids').replace('onTop=add', '--add-on-top')

/** Checks the whole file; errors are listed with their lines, and nothing is imported. */
export async function check(context: Context, rows: Rows, bringing: Bringing): Promise<ImportResult> {
  const checked = await pass(context, rows, { ...bringing, dryRun: true })
  const { faults, openings } = checked
  if (faults.length === 0) return checked
  const { nameOf = (line) => `line ${line}` } = rows
  const lines = faults.map(({ line, detail }) => `  ${nameOf(line)}: ${inOptions(detail)}`)
  if (faults.length >= 100) lines.push('  and perhaps more')
  if (openings.onTop > 0 && !bringing.addOnTop)
    lines.push(`  In total, ${counted(openings.onTop, 'opening balance')} would be added to existing points.`)
  throw new Stop('refused', `Nothing was imported.\n${lines.join('\n')}`)
}

export const bring = (context: Context, rows: Rows, bringing: Bringing): Promise<ImportResult> =>
  pass(context, rows, { ...bringing, dryRun: false })

export const sums = (totals: Readonly<Record<string, string>>): string =>
  Object.entries(totals)
    .map(([point, total]) => `${grouped(BigInt(total))} ${point}`)
    .join(', ') || 'none'
