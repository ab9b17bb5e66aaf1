/** What spreadsheets do to long numbers, as the server's import knows it. */

const keptDigits = 15

/** `exponent`: 1.19E+18. `rounded`: the digits that a spreadsheet does not keep are all 0. */
export type DamagedId = 'exponent' | 'rounded'

export function mangledId(text: string): DamagedId | undefined {
  if (/^[0-9]+([.,][0-9]+)?[eE][+]?[0-9]+$/.test(text)) return 'exponent'
  if (!/^[0-9]{16,19}$/.test(text)) return undefined
  return /^0+$/.test(text.slice(keptDigits)) ? 'rounded' : undefined
}
