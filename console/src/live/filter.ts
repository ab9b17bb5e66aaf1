import type { LiveEntry } from './entry.ts'

/** The filters of a journal, as they are in its query key. Days are in the reader's time zone. */
export type JournalFilter = {
  readonly type?: string | undefined
  readonly member?: string | undefined
  readonly key?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/**
 * Whether a new entry may be in a list. One that ends before today has none. Reasons are not in the stream: one
 * that is filtered by them may have any.
 */
export function passes(
  entry: LiveEntry,
  { type, member, key, to }: JournalFilter,
  now = new Date(),
): boolean {
  if (to !== undefined && new Date(`${to}T23:59:59.999`) < now) return false
  if (type !== undefined && entry.type !== type) return false
  if (key !== undefined && entry.keyId !== key) return false
  return member === undefined || entry.members.includes(member)
}
