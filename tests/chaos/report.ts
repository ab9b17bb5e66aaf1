import type { Report } from './play.ts'

const seconds = (ms: number | undefined): string => (ms === undefined ? '' : (ms / 1000).toFixed(1))
const number = (value: number): string => value.toLocaleString('en')

type Column = readonly [title: string, value: (report: Report) => string]

const columns: readonly Column[] = [
  ['fault', ({ title }) => title],
  ['times', ({ injected }) => number(injected)],
  ['sent', ({ sent }) => number(sent)],
  ['acknowledged', ({ acknowledged }) => number(acknowledged)],
  ['refused', ({ refused }) => number(refused)],
  ['unknown', ({ unknown }) => number(unknown)],
  ['settled by retry', ({ settled }) => number(settled)],
  ['lost', ({ lost }) => number(lost)],
  ['doubled', ({ doubled }) => number(doubled)],
  ['phantom', ({ phantom }) => number(phantom)],
  ['longest without writes, s', ({ longestGapMs }) => seconds(longestGapMs)],
  ['back after the fix, s', ({ resumedMs }) => seconds(resumedMs)],
]

/** A Markdown table that is also readable in a terminal. */
export function tableOf(reports: readonly Report[]): string {
  const rows = [
    columns.map(([title]) => title),
    ...reports.map((one) => columns.map(([, value]) => value(one))),
  ]
  const widths = columns.map((_, place) => Math.max(...rows.map((row) => row[place]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells
      .map((cell, place) =>
        place === 0 ? cell.padEnd(widths[place] ?? 0) : cell.padStart(widths[place] ?? 0),
      )
      .join(' | ')} |`
  const ruleOf = (width: number, place: number) =>
    place === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`
  const rule = `|${widths.map(ruleOf).join('|')}|`
  const [head = [], ...body] = rows
  return [line(head), rule, ...body.map(line)].join('\n')
}

export function totalsOf(reports: readonly Report[]): string {
  const sum = (value: (report: Report) => number) =>
    number(reports.reduce((total, one) => total + value(one), 0))
  return (
    `${sum((one) => one.acknowledged)} acknowledged, ${sum((one) => one.lost)} lost, ` +
    `${sum((one) => one.doubled)} doubled, ${sum((one) => one.phantom)} phantom`
  )
}
