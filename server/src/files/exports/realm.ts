import type { Queryable } from '../../db/session.ts'
import { type EntryRow, Orphans, readEntries, readErased } from '../../ledger/index.ts'
import { readIdentities, readLastMerge, readMerges } from './identityStore.ts'
import { piecesOf } from './pieces.ts'
import {
  awardOf,
  batchOf,
  claimantOf,
  entryOf,
  headerOf,
  holdOf,
  identityOf,
  memberOf,
  mergeOf,
  type Points,
  snapshotOf,
  walletOf,
} from './realmLines.ts'
import { readClaimants, readSnapshots } from './snapshotStore.ts'
import { MemberLeft, readAwards, readHolds, readMembers, readWallets, type Whole } from './store.ts'

/** Whole numbers beyond 2^53 are strings, as ids are. */
const line = (value: object): string =>
  `${JSON.stringify(value, (_key, field: unknown) => (typeof field === 'bigint' ? String(field) : field))}\n`

/**
 * A realm in lines: header, members with wallets and identities, journal, holds, awards, snapshots, merges,
 * and an end.
 */
export async function* realmLines(db: Queryable, realm: number, whole: Whole): AsyncGenerator<string> {
  const counts = { members: 0, wallets: 0, entries: 0, holds: 0 }
  const points = new Map(whole.points.map(({ number, id }) => [number, id]))
  const orphans = new Orphans()
  const erased = { batches: 0, erasures: 0 }
  let identities = 0
  const lastMerge = await readLastMerge(db, realm)
  let awards = 0
  yield line(headerOf(whole))
  for await (const { rows, ...range } of readMembers(db, realm, whole.next_account)) {
    const [wallets, named] = await Promise.all([
      readWallets(db, realm, range),
      readIdentities(db, realm, range),
    ])
    for (const { account } of rows) orphans.addMember(account)
    counts.members += rows.length
    counts.wallets += wallets.length
    identities += named.length
    yield* piecesOf(rows, (row) => line({ member: memberOf(row) }))
    yield* piecesOf(wallets, (row) => line({ wallet: walletOf(row) }))
    yield* piecesOf(named, (row) => line({ identity: identityOf(row) }))
  }
  for await (const rows of readEntries(db, realm, { after: 0n, upTo: whole.seq })) {
    for (const row of rows) orphans.addEntry(row)
    counts.entries += rows.length
    yield* entryLines(db, realm, { rows, points, erased })
  }
  // A merge meanwhile: members and identities were read partly before it, partly after it.
  const isMerged = (await readLastMerge(db, realm)) !== lastMerge
  if (isMerged || orphans.first() !== undefined) throw new MemberLeft()
  for await (const rows of readHolds(db, realm, whole.seq)) {
    counts.holds += rows.length
    yield* piecesOf(rows, (row) => line({ hold: holdOf(row, points) }))
  }
  for await (const rows of readAwards(db, realm, whole.seq)) {
    awards += rows.length
    yield* piecesOf(rows, (row) => line({ award: awardOf(row, points) }))
  }
  const taken = { snapshots: 0, claimants: 0 }
  for (const snapshot of await readSnapshots(db, realm, whole.seq)) {
    taken.snapshots += 1
    yield line({ snapshot: snapshotOf(snapshot, points) })
    for await (const rows of readClaimants(db, realm, snapshot.id)) {
      taken.claimants += rows.length
      yield* piecesOf(rows, (row) => line({ claimant: claimantOf(row) }))
    }
  }
  let merges = 0
  for await (const rows of readMerges(db, realm)) {
    merges += rows.length
    yield* piecesOf(rows, (row) => line({ merge: mergeOf(row) }))
  }
  const some = Object.entries({ identities, awards, merges, ...erased }).filter(([, count]) => count > 0)
  const withErased = { ...counts, ...Object.fromEntries(some) }
  yield line({ end: true, counts: taken.snapshots > 0 ? { ...withErased, ...taken } : withErased })
}

type Listed = {
  readonly rows: readonly EntryRow[]
  readonly points: Points
  readonly erased: { batches: number; erasures: number }
}

/**
 * A page of entries; then those that were erased, and the details of their batches, stored for other members.
 */
async function* entryLines(
  db: Queryable,
  realm: number,
  { rows, points, erased }: Listed,
): AsyncGenerator<string> {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return
  const range = { after: first.seq - 1n, upTo: last.seq, limit: rows.length }
  const gone = await readErased(db, realm, range)
  const batches = rows.flatMap((row) => (row.details && gone.has(row.seq) ? [row.details] : []))
  erased.erasures += gone.size
  erased.batches += batches.length
  const shown = (row: EntryRow): EntryRow => {
    if (!gone.has(row.seq)) return row
    const { details: _, ...rest } = row
    return rest
  }
  yield* piecesOf(rows, (row) => line({ entry: entryOf(shown(row), points) }))
  yield* piecesOf(batches, (said) => line({ batch: batchOf(said) }))
  yield* piecesOf([...gone], (seq) => line({ erasure: { seq } }))
}
