import type { Queryable } from '../db/session.ts'
import { type EntryRow, readEntries } from '../ledger/ledger.ts'
import { readClaimants, readSnapshots } from './snapshotStore.ts'
import { readHolds, readMembers, readWallets, type Whole } from './store.ts'

/** Of the lines below; docs/inout.md describes them. */
export const realmFormat = { format: 'exchequer-realm', version: 1 } as const

/** Whole numbers beyond 2^53 are text, as ids are. */
const line = (value: object): string =>
  `${JSON.stringify(value, (_key, field: unknown) => (typeof field === 'bigint' ? String(field) : field))}\n`

/** A realm in lines: what it is, members with their wallets, journal, holds, snapshots, and an end. */
export async function* realmLines(db: Queryable, realm: number, whole: Whole): AsyncGenerator<string> {
  const counts = { members: 0, wallets: 0, entries: 0, holds: 0 }
  const points = new Map(whole.points.map(({ number, id }) => [number, id]))
  yield line(headerOf(whole))
  for await (const { rows, ...range } of readMembers(db, realm, whole.next_account)) {
    const wallets = await readWallets(db, realm, range)
    counts.members += rows.length
    counts.wallets += wallets.length
    yield [...rows.map((member) => line({ member })), ...wallets.map((wallet) => line({ wallet }))].join('')
  }
  for await (const rows of readEntries(db, realm, { after: 0n, upTo: whole.seq })) {
    counts.entries += rows.length
    yield rows.map((row) => line({ entry: entryOf(row, points) })).join('')
  }
  for await (const rows of readHolds(db, realm, whole.seq)) {
    counts.holds += rows.length
    yield rows.map((hold) => line({ hold: { ...hold, point: points.get(hold.point) } })).join('')
  }
  const taken = { snapshots: 0, claimants: 0 }
  for (const { point, ...snapshot } of await readSnapshots(db, realm, whole.seq)) {
    taken.snapshots += 1
    yield line({ snapshot: { ...snapshot, point: points.get(point) } })
    for await (const rows of readClaimants(db, realm, snapshot.id)) {
      taken.claimants += rows.length
      yield rows.map((claimant) => line({ claimant })).join('')
    }
  }
  yield line({ end: true, counts: taken.snapshots > 0 ? { ...counts, ...taken } : counts })
}

function headerOf(whole: Whole) {
  const { id: realmId, seq, hash, at_us, next_account, next_key, points, default_point, ...settings } = whole
  const defaultPoint = points.find(({ number }) => number === default_point)?.id
  return { ...realmFormat, realmId, seq, hash, at_us, next_account, next_key, settings, points, defaultPoint }
}

/** With its kind of points by public id, as it is hashed. */
function entryOf({ details, ...row }: EntryRow, points: ReadonlyMap<number, string>) {
  const entry = { ...row, point: points.get(row.point) }
  if (!details) return entry
  const { seq: _seq, salt, ...said } = details
  return { ...entry, details: { salt: salt.toString('hex'), ...said } }
}
