import { guard } from './guard.ts'

/**
 * CSV that spreadsheets open without harm: docs/inout.md. They round numbers of more than 15 digits, and take
 * text that begins like a formula for one.
 */

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Digits that must stay as they are: as a formula that is a text. */
export const idCell = (id: string | null): string => (id === null ? '' : `"=""${id}"""`)

/** The digits that a spreadsheet keeps of a number. */
const keptDigits = 15

export function numberCell(number: bigint | null): string {
  const digits = number === null ? '' : String(number)
  return digits.length > keptDigits ? idCell(digits) : digits
}

/** What people wrote: an apostrophe keeps a spreadsheet from computing with it. */
export function textCell(text: string | null): string {
  if (text === null) return ''
  return quoted(guard(text))
}

export const rowOf = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
