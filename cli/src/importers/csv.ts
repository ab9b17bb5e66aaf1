import { readFileSync } from 'node:fs'
import { wrongUsage } from '../exits.ts'
import type { Importer, RawRow } from './importer.ts'

/** Column names of other bots' exports, in lower case without spaces, `_` and `-`. */
const columns: Readonly<Record<keyof RawRow, readonly string[]>> = {
  id: ['id', 'userid', 'discordid', 'memberid', 'user', 'member'],
  points: ['points', 'balance', 'xp', 'exp', 'score', 'total', 'coins', 'credits', 'tokens'],
  username: ['username', 'name', 'tag', 'usertag'],
  displayName: ['displayname', 'nickname', 'nick'],
}
const fields = Object.keys(columns) as (keyof RawRow)[]

/** A table that another bot has exported: CSV with commas, semicolons or tabs, and a header line. */
export const csv: Importer = {
  title: 'CSV',
  place: { what: 'a .csv file', form: /./ },
  async *pages(file) {
    const [header = [], ...lines] = cellsOf(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
    const plain = header.map((name) => name.toLowerCase().replaceAll(/[\s_-]/g, ''))
    const at = Object.fromEntries(
      fields.map((field) => [field, columnOf(plain, columns[field])] as const),
    ) as Record<keyof RawRow, number>
    for (const field of ['id', 'points'] as const) {
      if (at[field] >= 0) continue
      const names = columns[field].join(', ')
      throw wrongUsage(`${file} has no column for the ${field}: its first line must name one of ${names}.`)
    }
    const cell = (line: readonly string[], field: keyof RawRow) => unguarded(line[at[field]] ?? '')
    yield {
      rows: lines.map((line) => ({
        id: cell(line, 'id'),
        points: cell(line, 'points'),
        username: cell(line, 'username'),
        displayName: cell(line, 'displayName'),
      })),
    }
  },
}

const columnOf = (header: readonly string[], names: readonly string[]): number =>
  names.map((name) => header.indexOf(name)).find((index) => index >= 0) ?? -1

/** `="1190194345295482952"` is how a spreadsheet keeps the digits of an id. */
const unguarded = (cell: string): string => /^="([^"]*)"$/.exec(cell.trim())?.[1] ?? cell.trim()

/** The cells of RFC 4180, with the separator that the first line has most of; empty lines are left out. */
export function cellsOf(text: string): string[][] {
  const first = text.slice(0, (text.indexOf('\n') + 1 || text.length + 1) - 1)
  const count = (separator: string) => first.split(separator).length
  const separator = [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
  const lines: string[][] = []
  let line: string[] = []
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\r\n]*))(${separator}|\r?\n|\r|$)`, 'gy')
  while (cell.lastIndex < text.length) {
    const [, quoted, plain = '', end = ''] = cell.exec(text) ?? []
    line.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === separator && cell.lastIndex < text.length) continue
    if (line.some((one) => one !== '')) lines.push(line)
    line = []
  }
  return lines
}
