/** A number with the digits that its JSON has: above 2^53 a number of JavaScript loses some. */
export class Digits {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Parses JSON, with every number as its digits. Throws a SyntaxError like JSON.parse. */
export function parseExactly(json: string): unknown {
  const marked = json.replaceAll(token, (one) => (one.startsWith('"') ? one : `{"digits":"${one}"}`))
  return JSON.parse(marked, (_key, value: unknown) => {
    const text = (value as { digits?: unknown } | null)?.digits
    return typeof text === 'string' ? new Digits(text) : value
  })
}

/** A count in an answer, if it is one. */
export const countIn = (value: unknown): number | undefined =>
  value instanceof Digits && /^\d{1,15}$/.test(value.text) ? Number(value.text) : undefined

/** A value that is valid, or a sentence about what is wrong with it. */
export type Checked<T> = { readonly value: T } | { readonly problem: string }

const greatestId = 9223372036854775807n

export type IdRules = {
  readonly allowRounded: boolean
  /** Whether it is a cell of a file that a spreadsheet may have written. */
  readonly isCell: boolean
}

/** A numeric member id. One that has lost digits is another member's, so it is refused and never guessed. */
export function idOf(value: unknown, { allowRounded, isCell }: IdRules): Checked<string> {
  const text = value instanceof Digits ? value.text : typeof value === 'string' ? value.trim() : ''
  if (text === '') return { problem: 'the id is missing' }
  if (/^\d+([.,]\d+)?e\+?\d+$/i.test(text))
    return { problem: `the id ${text} has lost its last digits; export the ids as text` }
  if (!/^[1-9]\d{0,18}$/.test(text) || BigInt(text) > greatestId)
    return { problem: `the id ${quoted(text)} is not a whole number from 1 to ${greatestId}` }
  if (allowRounded) return { value: text }
  if (value instanceof Digits && !Number.isSafeInteger(Number(text)) && String(Number(text)) === text)
    return { problem: `the id ${text} is a JSON number that looks rounded. ${ifRight}` }
  if (isCell && /^\d{15}0+$/.test(text))
    return { problem: `the id ${text} looks rounded by a spreadsheet. ${ifRight}` }
  return { value: text }
}

const ifRight = 'If such ids are right as they are: --allow-rounded-ids'

/** A Twitch user name. */
export function twitchNameOf(value: unknown): Checked<string> {
  const name = typeof value === 'string' ? value.trim() : ''
  if (/^[a-z0-9_]{1,25}$/i.test(name)) return { value: name.toLowerCase() }
  return { problem: name === '' ? 'the user name is missing' : `${quoted(name)} is not a Twitch user name` }
}

export type Points = { readonly amount: bigint; readonly roundedDown: boolean }

const greatestBalance = BigInt(Number.MAX_SAFE_INTEGER)

/** A balance: whole, from 0. A fraction is rounded down. */
export function pointsOf(value: unknown): Checked<Points> {
  const text = value instanceof Digits ? value.text : typeof value === 'string' ? value.trim() : ''
  if (text === '') return { problem: 'the points are missing' }
  const [, minus, whole = '', fraction = ''] = /^(-?)(\d{1,40})(?:\.(\d*))?$/.exec(text) ?? []
  if (whole === '') return { problem: `the points ${quoted(text)} are not a number in digits` }
  const amount = BigInt(whole)
  const hasFraction = /[1-9]/.test(fraction)
  if (minus && (amount > 0n || hasFraction))
    return { problem: `the points are ${text}; an opening balance is never below 0` }
  if (amount > greatestBalance)
    return { problem: `the points are ${text}; the greatest balance is ${greatestBalance}` }
  return { value: { amount, roundedDown: hasFraction } }
}

const nameCap = 100

/** A name as the server takes it: without control characters, at most 100 characters. */
export function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const clean = value.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').trim()
  const name = Array.from(clean).slice(0, nameCap).join('')
  return name === '' ? undefined : name
}

const quoted = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
