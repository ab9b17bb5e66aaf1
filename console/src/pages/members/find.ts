import type { MemberFilter, MemberPage, Realm } from '@exchequer/sdk'
import { isAddress, isIdentity, isMemberId } from './memberId.ts'

/**
 * How a text is searched: an ID, identity or wallet as a whole, a name by its start. An e-mail address is not
 * searched: it would be in a URL.
 */
export function filtersOf(text: string): readonly MemberFilter[] {
  const wanted = text.trim().replace(/^@/, '')
  if (wanted === '') return [{}]
  if (isAddress(wanted)) return []
  if (isMemberId(wanted) || isIdentity(wanted)) return [{ id: wanted }, { search: wanted.slice(0, 100) }]
  if (/^0x[0-9a-fA-F]{40}$/.test(wanted)) return [{ wallet: wanted }]
  // Base58, the address format of most other chains: too long to be a typed name.
  if (/^[1-9A-HJ-NP-Za-km-z]{32,64}$/.test(wanted)) return [{ wallet: wanted }, { search: wanted }]
  return [{ search: wanted.slice(0, 100) }]
}

export type SearchResult = MemberPage & { readonly filter: MemberFilter }

/** The first page of results, and how they were matched. */
export async function find(
  realm: Realm,
  text: string,
  options: { limit: number; signal: AbortSignal },
): Promise<SearchResult> {
  let found: SearchResult = { data: [], nextCursor: null, filter: {} }
  for (const filter of filtersOf(text)) {
    found = { ...(await realm.members.list({ ...filter, ...options }).page()), filter }
    if (found.data.length > 0) break
  }
  return found
}
