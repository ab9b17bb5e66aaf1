import type { Queryable } from '../db/session.ts'
import { type IdRange, readInRanges, readInWallets, readWithDigits } from './partStore.ts'

/**
 * Members by a part of their id or of a wallet. A page reads a bounded number of ids, so that it can have
 * fewer members than its limit, or none, and not be the last.
 */

/** The ids that one page reads to find digits within them: 30 ms. */
const scannedIds = 50_000
/** The wallets with a start that one page compares with an end. */
const scannedWallets = 1_000
const largestId = 9_223_372_036_854_775_807n
const longestId = String(largestId).length

/** Where a page ends: its list, and the id or wallet. */
export type PartPlace = { readonly list: 'start' | 'within'; readonly last: string }
export type PartPage = { readonly ids: readonly string[]; readonly next: PartPlace | null }
type Asked<T> = { readonly part: T; readonly after: PartPlace | undefined; readonly limit: number }

/** Those whose id begins with the digits, then those that contain them, each in the order of ids. */
export async function findByDigits(own: Queryable, realm: number, asked: Asked<string>): Promise<PartPage> {
  const { part, after, limit } = asked
  if (after?.list === 'within') return findWithin(own, realm, { digits: part, after: after.last, limit })
  const ranges = rangesOf(part, after?.last)
  const found = await readInRanges(own, realm, { ranges, limit: limit + 1 })
  const ids = found.slice(0, limit)
  const last = ids.at(-1)
  if (found.length > limit && last) return { ids, next: { list: 'start', last } }
  const room = limit - ids.length
  if (room === 0) return { ids, next: { list: 'within', last: '0' } }
  const within = await findWithin(own, realm, { digits: part, after: '0', limit: room })
  return { ids: [...ids, ...within.ids], next: within.next }
}

type Within = { readonly digits: string; readonly after: string; readonly limit: number }

async function findWithin(
  own: Queryable,
  realm: number,
  { digits, after, limit }: Within,
): Promise<PartPage> {
  const found = await readWithDigits(own, realm, { digits, after, scan: scannedIds })
  const ids = found.ids.slice(0, limit)
  const last = found.ids.length > limit ? ids.at(-1) : found.last
  return { ids, next: last === undefined ? null : { list: 'within', last } }
}

/** The ids of each length that begin with the digits, after an id. */
function rangesOf(digits: string, after = '0'): IdRange[] {
  const least = BigInt(after) + 1n
  const start = BigInt(digits)
  if (digits.startsWith('0')) return []
  return Array.from({ length: longestId - digits.length + 1 }, (_, more) => {
    const first = start * 10n ** BigInt(more)
    const last = (start + 1n) * 10n ** BigInt(more) - 1n
    return { first: first < least ? least : first, last: last > largestId ? largestId : last }
  }).filter(({ first, last }) => first <= last)
}

/** The start of an address, and its end where the text has both: `0x5aAe…eAed`. */
export function partsOfWallet(text: string): { readonly start: string; readonly end: string } {
  const [start = '', end = ''] = text.split(/…|\.{2,}/u)
  const isHex = /^0x[0-9a-f]*$/iu.test(start) && /^[0-9a-f]*$/iu.test(end)
  return isHex ? { start: start.toLowerCase(), end: end.toLowerCase() } : { start, end }
}

/** Members in the order of their wallets. Members with several such wallets are found once in a page. */
export async function findByWallet(own: Queryable, realm: number, asked: Asked<string>): Promise<PartPage> {
  const { part, after, limit } = asked
  const { start, end } = partsOfWallet(part)
  const scan = Math.max(scannedWallets, limit)
  const read = await readInWallets(own, realm, { start, end, after: after?.last ?? '', scan })
  const ending = read.filter(({ ends }) => ends)
  const shown = ending.slice(0, limit)
  const last = ending.length > limit ? shown.at(-1) : read.length === scan ? read.at(-1) : undefined
  return {
    ids: [...new Set(shown.map(({ id }) => id))],
    next: last === undefined ? null : { list: 'start', last: last.match },
  }
}
