import type { Queryable } from '../../db/session.ts'
import { originHash } from '../../realms/index.ts'
import { ownerOf } from '../rules/accounts.ts'
import { detailsText } from '../rules/chain.ts'
import { type EntryType, entryTypeOf, rulesOf } from '../rules/entryTypes.ts'
import { readErased, readErasedBatches } from './erasureStore.ts'
import { readMemberIds, readSeqBefore } from './historyStore.ts'
import { type DetailsRow, type EntryRow, readHead, readPoints } from './journalStore.ts'
import { readFitting } from './pageSize.ts'

export type FeedEntry = Omit<EntryRow, 'details'> & {
  readonly kindName: EntryType
  readonly pointId: string
  /** The exact text that the details' hash covers, and its salt in hex; null when erased. */
  readonly said: { readonly salt: string; readonly text: string } | null
  /** The details of the whole batch, where its first entry, which carries them, was erased. */
  readonly batchSaid: string | null
  readonly fromId: string | null
  readonly toId: string | null
}

export type FeedQuery = {
  readonly after: bigint
  /** Only entries at or after this time. */
  readonly fromUs?: bigint | undefined
  /** Only entries before this time. */
  readonly toUs?: bigint | undefined
  readonly limit: number
}

export type Feed = {
  /** The entry that the page begins after. */
  readonly after: bigint
  /** The entries of the page, read on demand. */
  readonly pieces: AsyncIterable<readonly FeedEntry[]>
  /** The last entry of the range: the head, or the last one before `toUs`. */
  readonly end: bigint
  readonly head: { readonly seq: bigint; readonly hash: string }
  /** The hash before the first entry. */
  readonly origin: string
}

/**
 * The journal after an entry. The head is read first and bounds what is read: entries are added in order, so
 * none is missing up to a head.
 */
export async function readFeed(own: Queryable, realm: number, asked: FeedQuery): Promise<Feed> {
  const { limit, fromUs, toUs } = asked
  const { seq, hash, realm_id: realmId } = await readHead(own, realm)
  const since = fromUs === undefined ? 0n : await readSeqBefore(own, realm, fromUs)
  const after = since > asked.after ? since : asked.after
  const before = toUs === undefined ? seq : await readSeqBefore(own, realm, toUs)
  const end = before < seq ? before : seq
  const pieces = readPieces(own, realm, { after, upTo: end, limit })
  return { after, pieces, end, head: { seq, hash }, origin: originHash(realmId) }
}

type Range = { readonly after: bigint; readonly upTo: bigint; readonly limit: number }

/**
 * Streams in pieces from the database to the answer: a page held in memory as a whole blocked the main thread
 * for 6 ms.
 */
async function* readPieces(own: Queryable, realm: number, range: Range): AsyncGenerator<FeedEntry[]> {
  const points = await readPoints(own, realm)
  const ids = new Map<number, string | null>()
  let { after } = range
  for await (const rows of readFitting(own, realm, range)) {
    const upTo = rows.at(-1)?.seq ?? after
    const firsts = new Set(rows.flatMap((row) => (isFollower(row) && row.link !== null ? [row.link] : [])))
    const [erased, batches] = await Promise.all([
      readErased(own, realm, { after, upTo, limit: rows.length }),
      readErasedBatches(own, realm, [...firsts]),
      addMemberIds(own, realm, { ids, rows }),
    ])
    yield rows.map(({ details, ...row }) => ({
      ...row,
      said: details && !erased.has(row.seq) ? saidOf(details) : null,
      batchSaid: erased.has(row.seq) ? null : batchSaidOf(row, batches),
      kindName: entryTypeOf(row.kind),
      pointId: points.get(row.point) ?? '',
      fromId: ids.get(ownerOf(row.from_account)) ?? null,
      toId: ids.get(ownerOf(row.to_account)) ?? null,
    }))
    after = upTo
  }
}

type Known = { readonly ids: Map<number, string | null>; readonly rows: readonly EntryRow[] }

/** Looks up accounts not yet known; null for those that do not belong to a member. */
async function addMemberIds(own: Queryable, realm: number, { ids, rows }: Known): Promise<void> {
  const unknown = new Set<number>()
  for (const { from_account: from, to_account: to } of rows)
    for (const account of [ownerOf(from), ownerOf(to)]) if (!ids.has(account)) unknown.add(account)
  if (unknown.size === 0) return
  const found = await readMemberIds(own, realm, [...unknown])
  for (const account of unknown) ids.set(account, found.get(account) ?? null)
}

function saidOf({ salt, reason, reference, metadata, actor_id: actorId }: DetailsRow) {
  const given = {
    reason: reason ?? undefined,
    reference: reference ?? undefined,
    metadata: metadata ?? undefined,
    actorId: actorId === null ? undefined : String(actorId),
  }
  return { salt: salt.toString('hex'), text: detailsText(given) }
}

type FeedRow = Omit<EntryRow, 'details'>

/** Whether it is an entry of a batch, after the first. */
const isFollower = ({ kind, link }: FeedRow): boolean =>
  link !== null && rulesOf(entryTypeOf(kind)).sharesDetails === true

/** An entry with its own reason is not returned with the first entry's reason. */
function batchSaidOf(row: FeedRow, batches: ReadonlyMap<bigint, DetailsRow>): string | null {
  const said = isFollower(row) ? batches.get(row.link ?? 0n) : undefined
  if (!said) return null
  return saidOf(row.details_hash === null ? said : { ...said, reason: null }).text
}
