import type { Queryable } from '../../db/session.ts'
import { accountOn, ownerOf } from '../rules/accounts.ts'
import { entryTypes, numbersWith } from '../rules/entryTypes.ts'
import type { Column } from './columns.ts'
import { type AsideEntry, readSomeEntries, readStoredAside, type StoredAside } from './journalStore.ts'
import { Wrong } from './wrong.ts'

/** What is compared: holds or awards. */
export type Noun = {
  readonly table: 'holds' | 'awards'
  readonly one: 'hold' | 'award'
  /** The side of a member that has the points. */
  readonly side: 'held' | 'pending'
  /** The number of the type of entry that creates one, and of those that end one. */
  readonly made: number
  readonly ending: ReadonlySet<number>
}

export const holds: Noun = {
  table: 'holds',
  one: 'hold',
  side: 'held',
  made: entryTypes.hold.number,
  ending: new Set(numbersWith('endsHold')),
}

export const awards: Noun = {
  table: 'awards',
  one: 'award',
  side: 'pending',
  made: entryTypes.award.number,
  ending: new Set(numbersWith('endsAward')),
}

export type AsideCheck = {
  readonly noun: Noun
  readonly realm: number
  /** The entry that the journal was replayed to. */
  readonly seq: bigint
  /** Entries up to there that created one. */
  readonly made: number
  /** What is set aside after it, by point type and account. */
  readonly columns: ReadonlyMap<number, Column>
  readonly points: ReadonlyMap<number, string>
  /** Of a realm that is being loaded: those not stored yet. */
  readonly open: readonly StoredAside[]
}

/**
 * Compares the holds, or the awards, as they were at an entry with the journal: each matches its entry, one
 * that ended was ended by an entry that links to it, none is missing, and the open ones add up to what the
 * members have there.
 */
export async function checkAside(db: Queryable, check: AsideCheck): Promise<void> {
  const { noun, realm, seq, made } = check
  const open = new Map<number, Map<number, bigint>>()
  let stored = 0
  for await (const rows of pagesOf(db, check)) {
    const asked = rows.flatMap(({ seq: own, ended_seq: ended }) => (ended === null ? [own] : [own, ended]))
    const entries = await readSomeEntries(db, realm, asked)
    for (const row of rows) {
      compareAside(noun, row, entries)
      if (row.ended_seq === null || row.ended_seq > seq) add(open, row)
    }
    stored += rows.length
  }
  if (stored !== made) throw new Wrong(noun.table, `${stored} are stored, ${made} entries created some`)
  for (const point of check.points.keys()) compareSums(check, point, open.get(point) ?? new Map())
  if (check.open.some(({ point }) => !check.points.has(point)))
    throw new Wrong(noun.table, 'of unknown points')
}

async function* pagesOf(db: Queryable, check: AsideCheck): AsyncGenerator<StoredAside[]> {
  const { noun, realm, seq, open } = check
  yield* readStoredAside(db, realm, { table: noun.table, after: 0n, upTo: seq })
  const size = 1_000
  for (let from = 0; from < open.length; from += size) yield open.slice(from, from + size)
}

/** Each matches the entry that created it, and the one that ended it. */
export function compareAside(
  { one, side, made: kind, ending }: Noun,
  row: StoredAside,
  entries: ReadonlyMap<bigint, AsideEntry>,
): void {
  const where = `${one} ${row.seq}`
  const made = entries.get(row.seq)
  if (made?.kind !== kind)
    throw new Wrong(where, `entry ${row.seq} is not ${one === 'hold' ? 'a' : 'an'} ${one}`)
  if (made.to_account !== accountOn(side, row.account))
    throw new Wrong(where, `account ${row.account} is stored, ${ownerOf(made.to_account)} is right`)
  if (made.point !== row.point || made.amount !== row.amount)
    throw new Wrong(where, `${row.amount} of point ${row.point} are stored, not what entry ${row.seq} says`)
  if (row.ended_seq === null) return
  const end = entries.get(row.ended_seq)
  if (end?.link !== row.seq || !ending.has(end.kind))
    throw new Wrong(where, `entry ${row.ended_seq} did not end it`)
}

function add(open: Map<number, Map<number, bigint>>, { point, account, amount }: StoredAside): void {
  const sums = open.get(point) ?? new Map<number, bigint>()
  sums.set(account, (sums.get(account) ?? 0n) + amount)
  open.set(point, sums)
}

function compareSums(check: AsideCheck, point: number, sums: ReadonlyMap<number, bigint>): void {
  const column = check.columns.get(point)
  const { table, side } = check.noun
  const differ = (account: number, sum: bigint, is: bigint) =>
    new Wrong(
      `${table} of account ${account} in ${check.points.get(point)}`,
      `open ones add up to ${sum}, ${is} is ${side}`,
    )
  for (const [account, sum] of sums) {
    const is = column?.get(account)?.balance ?? 0n
    if (sum !== is) throw differ(account, sum, is)
  }
  column?.balances.forEach((is, account) => {
    if (is !== 0n && !sums.has(account)) throw differ(account, 0n, is)
  })
}
