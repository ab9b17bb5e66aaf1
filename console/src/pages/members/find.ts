import type { MemberFilter, MemberPage, Realm } from '@exchequer/sdk'
import { isMemberId } from './memberId.ts'

/** How a text is looked for: an id and a wallet are found as a whole, a name by how it begins. */
export function filtersOf(text: string): readonly MemberFilter[] {
  const wanted = text.trim().replace(/^@/, '')
  if (wanted === '') return [{}]
  if (isMemberId(wanted)) return [{ id: wanted }, { search: wanted }]
  if (/^0x[0-9a-fA-F]{40}$/.test(wanted)) return [{ wallet: wanted }]
  // Base58, as most other chains write addresses: long, and no name that anybody types.
  if (/^[1-9A-HJ-NP-Za-km-z]{32,64}$/.test(wanted)) return [{ wallet: wanted }, { search: wanted }]
  return [{ search: wanted.slice(0, 100) }]
}

export type Found = MemberPage & { readonly filter: MemberFilter }

/** The first page of what a text finds, and in which way it was found. */
export async function find(
  realm: Realm,
  text: string,
  options: { limit: number; signal: AbortSignal },
): Promise<Found> {
  let found: Found = { data: [], nextCursor: null, filter: {} }
  for (const filter of filtersOf(text)) {
    found = { ...(await realm.members.list({ ...filter, ...options }).page()), filter }
    if (found.data.length > 0) break
  }
  return found
}
