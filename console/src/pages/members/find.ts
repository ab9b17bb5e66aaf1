import type { ListedMember, MemberFilter, Realm } from '@exchequer/sdk'
import { isAddress, isIdentity, isMemberId } from './memberId.ts'

/**
 * How a text is searched, in this order: an ID, identity or wallet as a whole, then parts of them, then parts
 * of names. An e-mail address is not searched: it would be in a URL.
 */
export function filtersOf(text: string): readonly MemberFilter[] {
  const wanted = text
    .trim()
    .replace(/^<@!?(\d+)>$/, '$1')
    .replace(/^@/, '')
  if (wanted === '') return [{}]
  if (isAddress(wanted)) return []
  const named = { search: Array.from(wanted).slice(0, 100).join('') }
  if (/^0x[0-9a-fA-F]{40}$/.test(wanted)) return [{ wallet: wanted }]
  const [, start, end] = /^([\x21-\x7e]{4,128}?)(?:…|\.{2,})([\x21-\x7e]{1,128})$/.exec(wanted) ?? []
  if (start && end) return [{ walletPart: `${start}…${end}` }, named]
  if (/^0x[0-9a-fA-F]{2,}$/.test(wanted)) return [{ walletPart: wanted }, named]
  if (isMemberId(wanted)) return [{ id: wanted }, ...partsOfId(wanted), named]
  if (/^0\d+$/.test(wanted)) return [...partsOfId(wanted), named]
  if (isIdentity(wanted)) return [{ id: wanted }, named]
  // Base58, the address format of most other chains. As a whole it is too long to be a typed name.
  if (/^[1-9A-HJ-NP-Za-km-z]{32,64}$/.test(wanted)) return [{ wallet: wanted }, named]
  if (/^(?=.*\d)[1-9A-HJ-NP-Za-km-z]{4,31}$/.test(wanted)) return [named, { walletPart: wanted }]
  return [named]
}

const partsOfId = (digits: string): MemberFilter[] =>
  digits.length >= 3 && digits.length <= 18 ? [{ idPart: digits }] : []

/** Where a search continues: one of its filters, and a page of it. */
export type FindPlace = { readonly filter: number; readonly cursor: string | undefined }
export type SearchResult = {
  readonly data: readonly ListedMember[]
  /** Undefined when there are no more. */
  readonly next: FindPlace | undefined
}
type FindOptions = { readonly limit: number; readonly signal: AbortSignal; readonly from?: FindPlace }

/** A search reads a bounded part of a large realm in each request; one page makes at most this many. */
const requestsAtMost = 8

/** A page of members by all filters of a text, one filter after the other. A member may be in several. */
export async function find(realm: Realm, text: string, options: FindOptions): Promise<SearchResult> {
  const { limit, signal, from = { filter: 0, cursor: undefined } } = options
  const filters = filtersOf(text)
  const found = new Map<string, ListedMember>()
  let place: FindPlace | undefined = from
  for (let sent = 0; place && found.size < limit && sent < requestsAtMost; sent++) {
    const filter = filters[place.filter]
    if (!filter) return { data: [...found.values()], next: undefined }
    const list = realm.members.list({ ...filter, limit: limit - found.size, signal })
    const { data, nextCursor } = await list.page(place.cursor === undefined ? {} : { cursor: place.cursor })
    for (const member of data) if (!found.has(member.id)) found.set(member.id, member)
    place = nextCursor === null ? nextFilter(place, filters) : { ...place, cursor: nextCursor }
  }
  return { data: [...found.values()], next: place }
}

const nextFilter = ({ filter }: FindPlace, filters: readonly MemberFilter[]): FindPlace | undefined =>
  filter + 1 < filters.length ? { filter: filter + 1, cursor: undefined } : undefined
