import type { HistoryEntry, JournalEntry, Realm } from '@exchequer/sdk'
import { hasWords } from '../../fold.ts'
import type { EntryType } from '../../search.ts'

/** An entry as listed, from the journal or from a statement. */
export type JournalRow = {
  readonly seq: string
  readonly at: string
  readonly type: EntryType
  readonly point: string
  readonly tokens: number
  /** `realm` for the realm itself, null for a member who was removed. */
  readonly from: string | null
  readonly to: string | null
  readonly keyId: string
  /** Set when the entry was read by author, not by key. */
  readonly person: string | null
  readonly reason: string | null
}

export type Filters = {
  readonly type?: EntryType | undefined
  readonly member?: string | undefined
  readonly key?: string | undefined
  /** Words that are all in the reason. */
  readonly q?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** Entries before this journal number or statement cursor. */
export type Place = number | string

export type RowPage = {
  readonly rows: readonly JournalRow[]
  /** Where to continue; undefined after the first entry of the journal. */
  readonly next: Place | undefined
  readonly scanned: number
}

export const theRealm = 'realm'
const pageSize = 50
/** The most entries one request returns. */
const mostAtOnce = 1000
/** How many entries are searched for one page; the user continues with a button. */
const scanCap = 10_000

/** A page of entries before one, the newest first; of a member from its statement, else from the journal. */
export function readRows(client: Realm, filters: Filters, place?: Place): Promise<RowPage> {
  if (filters.member === undefined)
    return fromJournal(client, filters, typeof place === 'number' ? place : undefined)
  const cursor = typeof place === 'string' ? place : undefined
  return fromStatement(client, { ...filters, member: filters.member }, cursor)
}

const passes = (row: JournalRow, { type, key, q }: Filters): boolean =>
  (type === undefined || row.type === type) &&
  (key === undefined || row.keyId === key) &&
  (q === undefined || hasWords(row.reason ?? '', q))

/** Whether entries are read that are not shown. */
const isSearch = ({ type, key, q }: Filters): boolean =>
  type !== undefined || key !== undefined || q !== undefined

/** The journal is read from the start; as it has no gaps, a page at its end is requested by number. */
async function fromJournal(client: Realm, filters: Filters, before?: number): Promise<RowPage> {
  const { from, to } = filters
  const first = from ? await firstSince(client, from) : 1
  let next = before ?? (await firstSince(client, to))
  const step = isSearch(filters) ? mostAtOnce : pageSize
  const rows: JournalRow[] = []
  let scanned = 0
  while (next > first && rows.length < pageSize && scanned < scanCap) {
    const after = Math.max(first - 1, next - 1 - step)
    const entries = await entriesBetween(client, after, next)
    scanned += entries.length
    const reasons = reasonsOf(entries)
    const found = entries.toReversed().map((entry) => rowOf(entry, reasons))
    rows.push(...found.filter((row) => passes(row, filters)))
    next = after + 1
  }
  return { rows, next: next > first ? next : undefined, scanned }
}

/** The entries in a range, in as many pages as needed: the server also limits a page by size. */
async function entriesBetween(client: Realm, after: number, before: number): Promise<JournalEntry[]> {
  const read: JournalEntry[] = []
  for (let last = after; last < before - 1; ) {
    const { data } = await client.journal({ cursor: String(last), limit: before - 1 - last }).page()
    if (data.length === 0) break
    read.push(...data)
    last = Number(data.at(-1)?.seq)
  }
  return read
}

/** The number of the first entry at or after a time; one past the last when there is none, or no time. */
async function firstSince(client: Realm, moment: Date | undefined): Promise<number> {
  const { data, head } = await client.journal({ ...(moment ? { from: moment } : {}), limit: 1 }).page()
  const [found] = moment ? data : []
  return found ? Number(found.seq) : Number(head.seq) + 1
}

/** A batch's reason is stored on its first entry. */
type Reasons = ReadonlyMap<string, string | undefined>

const reasonsOf = (entries: readonly JournalEntry[]): Reasons =>
  new Map(
    entries.flatMap(({ seq, details }) =>
      details ? [[seq, (JSON.parse(details.text) as { reason?: string }).reason] as const] : [],
    ),
  )

function rowOf(entry: JournalEntry, reasons: Reasons): JournalRow {
  const { seq, atUs, type, realmPointId, tokens, fromId, toId, keyId, link, detailsHash } = entry
  const isFollower =
    link !== null &&
    detailsHash === null &&
    (type === 'adjust' || type === 'opening' || type === 'claim' || type === 'merge')
  return {
    seq,
    at: new Date(Number(atUs) / 1000).toISOString(),
    type,
    point: realmPointId,
    tokens,
    from: entry.fromAccount === 0 ? theRealm : fromId,
    to: entry.toAccount === 0 || type === 'claim' ? theRealm : toId,
    keyId,
    person: null,
    reason: reasons.get(isFollower ? link : seq) ?? null,
  }
}

type OfMember = Filters & { readonly member: string }

async function fromStatement(client: Realm, filters: OfMember, begin?: string): Promise<RowPage> {
  const { member, from, to } = filters
  const asked = { ...(from ? { from } : {}), ...(to ? { to } : {}) }
  const limit = isSearch(filters) ? mostAtOnce : pageSize
  const list = client.member(member).history({ ...asked, limit })
  const rows: JournalRow[] = []
  let scanned = 0
  for (let cursor = begin; ; ) {
    const { data, nextCursor } = await list.page(cursor === undefined ? {} : { cursor })
    scanned += data.length
    rows.push(...data.map((entry) => statementRow(entry, member)).filter((row) => passes(row, filters)))
    if (nextCursor === null) return { rows, next: undefined, scanned }
    if (rows.length >= pageSize || scanned >= scanCap) return { rows, next: nextCursor, scanned }
    cursor = nextCursor
  }
}

/** A hold moves points from the member's balance to the member's held points, a grant from its pending ones. */
function statementRow(entry: HistoryEntry, member: string): JournalRow {
  const { transactionId, at, type, realmPointId, tokens, heldTokens, counterpartyId, keyId } = entry
  const gains = tokens > 0 || type === 'award'
  const own = type === 'hold' || type === 'release' || type === 'expiry' || type === 'grant'
  const other = own ? member : (counterpartyId ?? (type === 'transfer' ? null : theRealm))
  return {
    seq: transactionId,
    at,
    type,
    point: realmPointId,
    tokens: Math.abs(tokens || heldTokens || entry.pendingTokens),
    from: gains ? other : member,
    to: gains ? member : other,
    keyId: keyId ?? '0',
    person: entry.person?.name ?? null,
    reason: entry.reason,
  }
}
