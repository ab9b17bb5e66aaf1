import type { Queryable } from '../../db/session.ts'
import { heldOf } from '../rules/command.ts'
import { entryTypes, numbersWith } from '../rules/entryTypes.ts'
import type { Column } from './columns.ts'
import { type HoldEntry, readSomeEntries, readStoredHolds, type StoredHold } from './journalStore.ts'
import { Wrong } from './wrong.ts'

export type HoldCheck = {
  readonly realm: number
  /** The entry that the journal was replayed to. */
  readonly seq: bigint
  /** Entries up to there that reserved points. */
  readonly made: number
  /** What is held after it, by account, of one point type. */
  readonly heldOf: (point: number) => Column | undefined
  readonly points: ReadonlyMap<number, string>
  /** Of a realm that is being loaded: holds not stored yet. */
  readonly openHolds: readonly StoredHold[]
}

const ending = numbersWith('endsHold')

/**
 * Compares the holds as they were at an entry with the journal: each matches its entry, one that ended was
 * ended by an entry that links to it, none is missing, and the open ones add up to what was held.
 */
export async function checkHolds(db: Queryable, check: HoldCheck): Promise<void> {
  const { realm, seq, made, openHolds } = check
  const open = new Map<number, Map<number, bigint>>()
  let stored = 0
  for await (const rows of pagesOf(db, check)) {
    const asked = rows.flatMap(({ seq: own, ended_seq: ended }) => (ended === null ? [own] : [own, ended]))
    const entries = await readSomeEntries(db, realm, asked)
    for (const row of rows) {
      compareHold(row, entries)
      if (row.ended_seq === null || row.ended_seq > seq) add(open, row)
    }
    stored += rows.length
  }
  if (stored !== made) throw new Wrong('holds', `${stored} are stored, ${made} entries created some`)
  for (const point of check.points.keys()) compareSums(check, point, open.get(point) ?? new Map())
  if (openHolds.some((hold) => !check.points.has(hold.point))) throw new Wrong('holds', 'of unknown points')
}

async function* pagesOf(db: Queryable, { realm, seq, openHolds }: HoldCheck): AsyncGenerator<StoredHold[]> {
  yield* readStoredHolds(db, realm, { after: 0n, upTo: seq })
  const size = 1_000
  for (let from = 0; from < openHolds.length; from += size) yield openHolds.slice(from, from + size)
}

/** A hold matches the entry that created it, and the one that ended it. */
export function compareHold(row: StoredHold, entries: ReadonlyMap<bigint, HoldEntry>): void {
  const where = `hold ${row.seq}`
  const made = entries.get(row.seq)
  if (made?.kind !== entryTypes.hold.number) throw new Wrong(where, `entry ${row.seq} is not a hold`)
  if (made.to_account !== heldOf(row.account))
    throw new Wrong(where, `account ${row.account} is stored, ${-made.to_account} is right`)
  if (made.point !== row.point || made.amount !== row.amount)
    throw new Wrong(where, `${row.amount} of point ${row.point} are stored, not what entry ${row.seq} says`)
  if (row.ended_seq === null) return
  const end = entries.get(row.ended_seq)
  if (end?.link !== row.seq || !ending.includes(end.kind))
    throw new Wrong(where, `entry ${row.ended_seq} did not end it`)
}

function add(open: Map<number, Map<number, bigint>>, { point, account, amount }: StoredHold): void {
  const sums = open.get(point) ?? new Map<number, bigint>()
  sums.set(account, (sums.get(account) ?? 0n) + amount)
  open.set(point, sums)
}

function compareSums(check: HoldCheck, point: number, sums: ReadonlyMap<number, bigint>): void {
  const held = check.heldOf(point)
  const differ = (account: number, sum: bigint, is: bigint) =>
    new Wrong(
      `holds of account ${account} in ${check.points.get(point)}`,
      `open ones add up to ${sum}, ${is} is held`,
    )
  for (const [account, sum] of sums) {
    const is = held?.get(account)?.balance ?? 0n
    if (sum !== is) throw differ(account, sum, is)
  }
  held?.balances.forEach((is, account) => {
    if (is !== 0n && !sums.has(account)) throw differ(account, 0n, is)
  })
}
