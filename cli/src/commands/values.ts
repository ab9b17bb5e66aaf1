import type { RateLimit } from '@exchequer/sdk'
import { wrongUsage } from '../exits.ts'

const most = Number.MAX_SAFE_INTEGER

/** An amount of points, above 0. */
export function tokensOf(text: string): number {
  const tokens = /^[0-9]{1,16}$/.test(text) ? Number(text) : 0
  if (tokens >= 1 && tokens <= most) return tokens
  throw wrongUsage(`"${text}" is not a valid amount. Use a whole number from 1 to ${most}.`)
}

/** A limit of points, or none. */
export const boundOf = (text: string | undefined): number | 'none' | undefined =>
  text === undefined || text === 'none' ? text : tokensOf(text)

/** What another system calls a member: `shop:9f1c`. */
export const isIdentity = (text: string): boolean => /^[a-z][a-z0-9-]{0,31}:.+$/s.test(text)

/** Rejects an e-mail address, for what is in a URL. */
export function notAddress(text: string): string {
  if (!/^email:.*@/s.test(text)) return text
  throw wrongUsage(
    'An e-mail address can’t be used here: it would be in a URL, and URLs are logged. Use the identity ' +
      'email:<hash> that exchequer identities link prints, or exchequer changes apply.',
  )
}

/** A member in a URL. */
export const memberOf = (text: string): string => notAddress(memberInBody(text))

/**
 * A member ID as text: above 2^53 a number would become another member's ID. An identity is accepted in its
 * place.
 */
export function memberInBody(text: string): string {
  const isId = /^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= 9223372036854775807n
  if (isId || isIdentity(text)) return text
  const found = /^[0-9]/.test(text) ? '' : ` To find one by name: exchequer members list --search ${text}`
  throw wrongUsage(
    `"${text}" is not a member id. Use its digits, such as 1190194345295482952, or an identity such as ` +
      `shop:9f1c.${found}`,
  )
}

export function identityOf(text: string): string {
  if (isIdentity(text)) return text
  throw wrongUsage(`"${text}" is not an identity. Use a provider, a colon and a name, such as shop:9f1c.`)
}

/** An entry's number in the journal. */
export function entryOf(text: string): string {
  if (/^[1-9][0-9]{0,18}$/.test(text)) return text
  throw wrongUsage(`"${text}" is not an entry’s id. Use its digits, as exchequer entries list shows them.`)
}

/** The number of the entry to start after; 0 is before the first. */
export function seqOf(name: string, text: string): string {
  if (/^(0|[1-9][0-9]{0,18})$/.test(text)) return text
  throw wrongUsage(`${name} takes the number of an entry, not "${text}".`)
}

export function countOf(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text)
  throw wrongUsage(`${name} takes a whole number above 0, not "${text}".`)
}

/** The number of a cell. */
export function cellOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[0-9]{1,4}$/.test(text)) return Number(text)
  throw wrongUsage(`--cell takes the number of a cell, such as 1, not "${text}".`)
}

/** A time: a date, optionally with a time of day, in the local time zone unless it names one. */
export function momentOf(name: string, text: string): Date {
  const isTime = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text)
  const local = isDate(text) ? `${text}T00:00` : text.replace(' ', 'T')
  const moment = new Date(local)
  if (isTime && !Number.isNaN(moment.getTime())) return moment
  throw wrongUsage(`${name} takes a time such as 2030-01-31 or 2030-01-31T12:00Z, not "${text}".`)
}

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

/** A bound of a range: a day in the realm's time zone, or an exact time. */
export const endOf = (name: string, text: string | undefined): Date | string | undefined =>
  text === undefined || isDate(text) ? text : momentOf(name, text)

export function dayOf(name: string, text: string): string {
  if (isDate(text)) return text
  throw wrongUsage(`${name} takes a day such as 2030-01-31, not "${text}".`)
}

/** A JSON object. */
export function objectOf(name: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The error below is the same.
  }
  throw wrongUsage(`${name} takes a JSON object, such as '{"order":17}', not "${text}".`)
}

export function yesOrNo(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text === 'yes'
}

/** Drops undefined values. */
export function present<T extends object>(values: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as { [Name in keyof T]?: NonNullable<T[Name]> }
}

/** Expiry: a time, or seconds from now. */
export const expiryFlags = {
  'expires-at': { value: 'TIME', what: 'when it expires, such as 2030-01-31 or 2030-01-31T12:00Z' },
  'expires-in': { value: 'SECONDS', what: 'or in how many seconds' },
} as const

export function expiryOf(flags: { readonly 'expires-at'?: string; readonly 'expires-in'?: string }) {
  const { 'expires-at': at, 'expires-in': seconds } = flags
  if (at !== undefined && seconds !== undefined)
    throw wrongUsage('Give either --expires-at or --expires-in, not both.')
  return present({
    expiresAt: at === undefined ? undefined : momentOf('--expires-at', at),
    expiresIn: seconds === undefined ? undefined : countOf('--expires-in', seconds, 0),
  })
}

/** A rate limit: requests per second, and burst size. */
export function rateLimitOf(text: string | undefined): RateLimit | undefined {
  if (text === undefined || text === 'off' || text === 'default') return text
  const [, rate, burst] = /^([1-9][0-9]{0,8}):([1-9][0-9]{0,8})$/.exec(text) ?? []
  if (rate !== undefined && burst !== undefined) return { rate: Number(rate), burst: Number(burst) }
  throw wrongUsage(`--rate-limit takes RATE:BURST, such as 100:500, or off or default, not "${text}".`)
}
