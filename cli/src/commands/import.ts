import type { ImportResult } from '@exchequer/sdk'
import { withBar } from '../bar.ts'
import { type Command, type Context, command } from '../command.ts'
import { Stop } from '../exits.ts'
import { bytesOf, hashOf, sizeOf } from '../files.ts'
import { counted, grouped } from '../output.ts'
import { rowsOfLeaderboard } from '../rows.ts'
import { dryRunFlag, nothingChanged } from './change.ts'

export type Format = 'csv' | 'ndjson'
/** What an import reads: a file, or rows that were made from one. */
export type Rows = {
  readonly format: Format
  readonly size: number
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
  const lines = faults.map(({ line, detail }) => `  line ${line}: ${inOptions(detail)}`)
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

export const nameFlag = {
  name: { value: 'NAME', what: 'names the import: run again under it, nothing is added twice' },
} as const

export const onTopFlag = {
  'add-on-top': { what: 'add to balances that members already have, instead of refusing' },
} as const

export const importCommand: Command = command({
  words: 'import',
  what: 'import members, wallets and opening balances from CSV, NDJSON or JSON',
  more:
    'The whole file is checked first: errors are listed with their lines, and nothing is imported. Run ' +
    'again, it continues where it stopped, and nothing is added twice: the name of the import is its key. ' +
    'Columns: id, username, displayName, wallet, chain, balance, balance:<point type>. A .json file is a ' +
    'leaderboard: {"members":[{"id","username","balance","wallet"}]}.',
  args: { file: { what: 'a .csv, .ndjson, .jsonl or .json file', file: true } },
  flags: {
    ...dryRunFlag,
    ...nameFlag,
    'allow-rounded-ids': { what: 'accept ids that look as if a spreadsheet had rounded them' },
    ...onTopFlag,
  },
  examples: [
    { line: 'exchequer import members.csv --dry-run', what: 'check the file' },
    { line: 'exchequer import members.csv', what: 'check it, then import it' },
    { line: 'exchequer import leaderboard.json --name old-bot', what: 'from another service' },
  ],
  async run({ args: { file }, flags }, context) {
    const { out } = context
    context.realm()
    const rows = /\.json$/i.test(file) ? textRows(rowsOfLeaderboard(file)) : fileRows(file)
    const bringing = {
      name: flags.name ?? (await hashOf(file)),
      allowRoundedIds: flags['allow-rounded-ids'] === true,
      addOnTop: flags['add-on-top'] === true,
    }
    const checked = await check(context, rows, bringing)
    if (!out.json)
      out.line(`checked   ${counted(checked.rows, 'row')}, opening balances ${sums(checked.totals)}`)
    if (flags['dry-run']) {
      out.answer(checked, () => out.aside(nothingChanged))
      return
    }
    const done = await bring(context, rows, bringing)
    out.answer({ name: bringing.name, ...done }, () => {
      const { members, wallets, openings } = done
      const added = counted(openings.made, 'opening balance')
      out.line(
        `imported  ${counted(members.created, 'member')} created, ${members.updated} updated, ` +
          `${counted(wallets.linked, 'wallet')} linked, ${added} added, ` +
          `${openings.alreadyThere} already there`,
      )
    })
  },
})
