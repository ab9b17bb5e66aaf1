import { mangledId } from '../../spreadsheet.ts'

/** A line of the list as it was pasted, or what is wrong with it. */
export type Line = {
  readonly line: number
  readonly who: string
  readonly tokens: number
  readonly reason: string
  readonly fault?: LineFault
}
export type LineFault =
  | { readonly name: 'shape' | 'longReason' }
  | {
      readonly name: 'amount' | 'mangled' | 'grouped' | 'unknown' | 'unknownId' | 'many'
      readonly text: string
    }
  | { readonly name: 'ambiguous'; readonly text: string; readonly ids: string }

export const linesCap = 1000
const reasonCap = 500
const separators = ['\t', ';', ','] as const

/** For lines that have none of their own. */
type Common = { readonly points: string; readonly reason: string }

/** A list from a spreadsheet, a file or a chat, separated by tabs, semicolons, commas or spaces. */
export function parseList(text: string, common: Common): readonly Line[] {
  const lines = text
    .split(/\r?\n/)
    .map((raw, nth) => ({ raw: raw.trim(), line: nth + 1 }))
    .filter(({ raw }) => raw !== '')
    .map(({ raw, line }) => parseLine(raw, line, common.points))
  return lines.map((line) => (line.reason === '' ? { ...line, reason: common.reason } : line))
}

function parseLine(raw: string, line: number, points: string): Line {
  const { who, amount, reason, isGrouped } = partsOf(raw, points)
  const base = { line, who, tokens: Number(amount), reason }
  if (who === '' || amount === '') return { ...base, fault: { name: 'shape' } }
  if (mangledId(who) === 'exponent') return { ...base, fault: { name: 'mangled', text: who } }
  if (!isAmount(amount)) return { ...base, fault: { name: 'amount', text: amount.slice(0, 40) } }
  if (isGrouped) return { ...base, fault: { name: 'grouped', text: amount } }
  if (Array.from(reason).length > reasonCap) return { ...base, fault: { name: 'longReason' } }
  return base
}

export const isAmount = (text: string): boolean =>
  /^[+-]?[0-9]{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) && Number(text) !== 0

/** Names can contain spaces, so spaces separate only where no other separator does. */
function partsOf(raw: string, points: string) {
  const separator = separators.find((one) => raw.includes(one))
  const [who = '', amount = '', ...rest] =
    separator === undefined ? raw.split(/\s+/) : splitAt(raw, separator)
  const reason = rest.join(separator === undefined ? ' ' : separator === ',' ? ', ' : ' ').trim()
  // 1,000 or 1 000 would otherwise be read as 1 point with the reason 000.
  const alone = separator === ',' ? /^[0-9]+$/ : /^[0-9]{3}$/
  const isGrouped = (separator === ',' || separator === undefined) && alone.test(rest[0] ?? '')
  // Without separators and points, a line is a name, which may have spaces.
  if (points !== '' && separator === undefined && !/^[+-]?\d/.test(amount))
    return { who: whoOf(plain(raw)), amount: points, reason: '', isGrouped: false }
  return { who: whoOf(plain(who)), amount: plain(amount) || points, reason: plain(reason), isGrouped }
}

/** Cells of a line. As in CSV, a separator within quotes is part of the cell. */
function splitAt(raw: string, separator: string): string[] {
  const cells = ['']
  let isQuoted = false
  for (const letter of raw) {
    const last = cells.length - 1
    // A quote opens at the beginning of a cell only: a name may have one.
    if (letter === '"' && (isQuoted || /^=?$/.test(cells[last]?.trim() ?? ''))) isQuoted = !isQuoted
    if (letter === separator && !isQuoted) cells.push('')
    else cells[last] += letter
  }
  return cells.map((cell) => cell.trim())
}

/** Removes CSV quotes, unescapes doubled ones, and removes what an export puts around an ID. */
const plain = (cell: string): string =>
  cell.replace(/^"(.*)"$/, (_, inner: string) => inner.replaceAll('""', '"')).replace(/^="(.*)"$/, '$1')

/** Discord writes mentions as <@id>, older versions as <@!id>. */
const whoOf = (cell: string): string => cell.replace(/^<@!?(\d+)>$/, '$1').replace(/^@/, '')
