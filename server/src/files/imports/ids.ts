import { isIdentity, looksLikeAddress } from '../../members/identities/index.ts'
import { isMemberId } from '../../members/index.ts'

/** The digits of a number that a spreadsheet keeps. */
const keptDigits = 15

/** What is wrong with a member's id, and what to do; undefined when it is valid. */
export function faultOfId(text: string, allowRounded: boolean): string | undefined {
  if (text === '') return 'The id is missing.'
  if (/^[0-9]+([.,][0-9]+)?[eE][+]?[0-9]+$/.test(text)) {
    return `${text} is what a spreadsheet makes of a long id; export the column as text.`
  }
  if (isIdentity(text)) return undefined
  if (looksLikeAddress(text))
    return 'The id is not a valid e-mail address. Use email:, then the address: email:ada@example.org.'
  if (!isMemberId(text)) {
    return (
      `${shortened(text)} is not a valid member id. Use a whole number from 1 to 9223372036854775807, or ` +
      'an identity such as shop:9f1c.'
    )
  }
  if (allowRounded || text.length <= keptDigits || !/^0+$/.test(text.slice(keptDigits))) return undefined
  return (
    `${text} looks rounded: a spreadsheet keeps ${keptDigits} digits of a number and makes the others 0. ` +
    'Export the column as text; if the id is right as it is, allow it with roundedIds=allow.'
  )
}

/** A cell as an error quotes it. */
export const shortened = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

/**
 * 64-bit numbers, each with the line it was first seen on: 24 bytes each at most, as a file may have
 * millions.
 */
export class SeenIds {
  #numbers = new BigUint64Array(1024)
  #lines = new Uint32Array(1024)
  #count = 0

  /** The line it was seen on before; undefined the first time. */
  add(number: bigint, line: number): number | undefined {
    const at = this.#place(number)
    const before = this.#lines[at] ?? 0
    if (before > 0) return before
    this.#numbers[at] = number
    this.#lines[at] = line
    this.#count += 1
    if (this.#count * 2 > this.#lines.length) this.#grow()
    return undefined
  }

  #place(number: bigint): number {
    const mask = this.#lines.length - 1
    // Snowflakes differ least in their low bits.
    let at = Number((number ^ (number >> 22n)) & 0xffff_ffffn) * 2654435761
    at = (at ^ (at >>> 15)) & mask
    while (this.#lines[at] !== 0 && this.#numbers[at] !== number) at = (at + 1) & mask
    return at
  }

  #grow(): void {
    const [numbers, lines] = [this.#numbers, this.#lines]
    this.#numbers = new BigUint64Array(numbers.length * 2)
    this.#lines = new Uint32Array(lines.length * 2)
    lines.forEach((line, index) => {
      if (line === 0) return
      const at = this.#place(numbers[index] ?? 0n)
      this.#numbers[at] = numbers[index] ?? 0n
      this.#lines[at] = line
    })
  }
}
