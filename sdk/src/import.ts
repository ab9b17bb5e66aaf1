import { InvalidRequestError } from './errors.ts'
import { madeOf } from './response.ts'
import { type AnswerOf, type CallOptions, sentAs } from './routes.ts'
import { decoded, type Source } from './text.ts'
import type { Transport } from './transport.ts'

export type ImportResult = AnswerOf<'POST /import'>

export type ImportOptions = CallOptions & {
  /** Names the import: under one name each member gets an opening balance once, however often it is run. */
  readonly name: string
  readonly format?: 'csv' | 'ndjson'
  /** Check the whole file and return what it would do, without changing anything. */
  readonly dryRun?: boolean
  /** Accept IDs that look as if a spreadsheet had rounded them. */
  readonly allowRoundedIds?: boolean
  /** Add to existing points. Without it, an import that would do so is rejected. */
  readonly addOnTop?: boolean
  /** Called after each piece with the progress so far. */
  readonly onProgress?: (soFar: ImportResult) => void
}

/** Rows for one request, with the line number of the first. */
export type Piece = { readonly text: string; readonly firstLine: number }

/** The server accepts bodies up to 256 KiB. */
const pieceBytes = 192 * 1024
const pieceRows = 2_000
/** The longest row the server accepts. */
const rowCap = 64 * 1024
const faultCap = 100

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

export async function importFrom(
  { transport, path }: { readonly transport: Transport; readonly path: string },
  source: Source,
  options: ImportOptions,
): Promise<ImportResult> {
  const { name, format = 'csv', dryRun = false, allowRoundedIds, addOnTop, onProgress } = options
  let sum: ImportResult = nothing(dryRun)
  for await (const { text, firstLine } of piecesOf(source, format)) {
    const query = {
      name,
      firstLine,
      dryRun: dryRun || undefined,
      roundedIds: allowRoundedIds === true ? 'allow' : undefined,
      onTop: addOnTop === true ? 'add' : undefined,
    }
    const done = await transport.send<ImportResult>({
      method: 'POST',
      path,
      query,
      text: { type: types[format], content: text },
      // Safe to retry: under one name nothing is imported twice.
      repeatable: true,
      ...sentAs(options),
    })
    sum = madeOf(plus(sum, done), done)
    onProgress?.(sum)
  }
  return sum
}

const nothing = (dryRun: boolean): ImportResult => ({
  dryRun,
  rows: 0,
  members: { created: 0, updated: 0 },
  wallets: { linked: 0 },
  openings: { made: 0, alreadyThere: 0, onTop: 0 },
  totals: {},
  faults: [],
})

function plus(sum: ImportResult, more: ImportResult): ImportResult {
  const totals = { ...sum.totals }
  for (const [point, total] of Object.entries(more.totals))
    totals[point] = String(BigInt(totals[point] ?? 0) + BigInt(total))
  return {
    dryRun: sum.dryRun,
    rows: sum.rows + more.rows,
    members: {
      created: sum.members.created + more.members.created,
      updated: sum.members.updated + more.members.updated,
    },
    wallets: { linked: sum.wallets.linked + more.wallets.linked },
    openings: {
      made: sum.openings.made + more.openings.made,
      alreadyThere: sum.openings.alreadyThere + more.openings.alreadyThere,
      onTop: sum.openings.onTop + more.openings.onTop,
    },
    totals,
    faults: [...sum.faults, ...more.faults].slice(0, faultCap),
  }
}

/** Splits a file into pieces that fit a request. Each CSV piece begins with the header. */
export async function* piecesOf(source: Source, format: 'csv' | 'ndjson'): AsyncGenerator<Piece> {
  const encoder = new TextEncoder()
  let head: string | undefined = format === 'csv' ? undefined : ''
  let line = 1
  let piece = { rows: [] as string[], bytes: 0, firstLine: 1 }
  const take = (): Piece => ({ text: `${head ?? ''}${piece.rows.join('')}`, firstLine: piece.firstLine })
  for await (const row of rowsOf(source, format)) {
    const at = line
    line += row.split('\n').length - 1
    if (head === undefined) {
      head = row
      piece.firstLine = line
      continue
    }
    const bytes = encoder.encode(row).length
    if (piece.rows.length > 0 && (piece.rows.length >= pieceRows || piece.bytes + bytes > pieceBytes)) {
      yield take()
      piece = { rows: [], bytes: 0, firstLine: at }
    }
    piece.rows.push(row)
    piece.bytes += bytes
  }
  // A file without rows is sent too: the server reports the error.
  if (piece.rows.length > 0 || line <= 2) yield take()
}

/** The rows of a file, each with its line break. A line break within quotes does not end a CSV row. */
async function* rowsOf(source: Source, format: 'csv' | 'ndjson'): AsyncGenerator<string> {
  let text = ''
  let line = 1
  for await (const chunk of decoded(source)) {
    text += chunk
    let from = 0
    for (let end = endOfRow(text, 0, format); end > 0; end = endOfRow(text, from, format)) {
      yield text.slice(from, end)
      from = end
      line += 1
    }
    text = text.slice(from)
    if (text.length > rowCap) {
      const detail = `Row ${line} has no end within ${rowCap} characters. Check for an unclosed quote.`
      throw new InvalidRequestError({ status: 400, code: 'invalid_request', detail })
    }
  }
  if (text !== '') yield `${text}\n`
}

/** The end of the row that starts there, after its line break; 0 when it is not complete yet. */
function endOfRow(text: string, from: number, format: 'csv' | 'ndjson'): number {
  let open = false
  for (let at = from; ; ) {
    const end = text.indexOf('\n', at) + 1
    if (end === 0) return 0
    if (format === 'csv' && (text.slice(at, end).split('"').length - 1) % 2 === 1) open = !open
    if (!open) return end
    at = end
  }
}
