import { guard } from './guard.ts'

/**
 * CSV that is safe to open in a spreadsheet: docs/import-export.md. Spreadsheets round numbers of more than
 * 15 digits, and treat text that begins like a formula as one.
 */

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Digits that must stay exact: written as a formula that yields text. */
export const idCell = (id: string | null): string => (id === null ? '' : `"=""${id}"""`)

/** The digits of a number that a spreadsheet keeps. */
const keptDigits = 15

export function numberCell(number: bigint | null): string {
  const digits = number === null ? '' : String(number)
  return digits.length > keptDigits ? idCell(digits) : digits
}

/** Text written by people: an apostrophe keeps a spreadsheet from evaluating it. */
export function textCell(text: string | null): string {
  if (text === null) return ''
  return quoted(guard(text))
}

export const rowOf = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
