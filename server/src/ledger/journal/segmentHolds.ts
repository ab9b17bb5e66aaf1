import type { Queryable } from '../../db/session.ts'
import { heldOf } from '../rules/command.ts'
import { numbersWith } from '../rules/entryTypes.ts'
import { compareHold } from './holdCheck.ts'
import { type EntryRow, readSomeEntries, readStoredHolds, type StoredHold } from './journalStore.ts'
import { readHoldsOf, type SidesRow } from './segmentStore.ts'
import { Wrong } from './wrong.ts'

const ending = new Set(numbersWith('endsHold'))

/** The entries of a range that ended one hold. */
type Ending = { readonly first: bigint; readonly account: number; readonly point: number; amount: bigint }

const endsHold = ({ kind, link }: Pick<SidesRow, 'kind' | 'link'>): boolean =>
  link !== null && ending.has(kind)

/** Whether two entries that follow each other end the same hold. */
export const endTogether = (one: SidesRow | undefined, next: SidesRow | undefined): boolean =>
  one !== undefined && next !== undefined && endsHold(one) && endsHold(next) && one.link === next.link

export type SegmentRange = { readonly realm: number; readonly after: bigint; readonly upTo: bigint }

/**
 * Compares the holds that a range of entries created or ended with these entries: each is stored, as its
 * entry says; and each that was ended is stored as ended by these entries, which moved all of its points.
 */
export class SegmentHolds {
  readonly #endings = new Map<bigint, Ending>()

  add({ kind, link, seq, from_account: account, point, amount }: EntryRow): void {
    if (link === null || !ending.has(kind)) return
    const known = this.#endings.get(link)
    if (known) known.amount += amount
    else this.#endings.set(link, { first: seq, account, point, amount })
  }

  async check(db: Queryable, range: SegmentRange, made: number): Promise<void> {
    const { realm, after, upTo } = range
    let stored = 0
    for await (const rows of readStoredHolds(db, realm, { after, upTo })) {
      await compareRows(db, realm, rows)
      stored += rows.length
    }
    const which = `of entries ${after + 1n} to ${upTo}`
    if (stored !== made)
      throw new Wrong('holds', `${stored} ${which} are stored, ${made} entries created some`)
    const ended = [...this.#endings]
    const size = 1_000
    for (let from = 0; from < ended.length; from += size)
      await this.#checkEnded(db, range, ended.slice(from, from + size))
  }

  async #checkEnded(
    db: Queryable,
    { realm, after }: SegmentRange,
    ended: readonly (readonly [bigint, Ending])[],
  ): Promise<void> {
    const holds = await readHoldsOf(
      db,
      realm,
      ended.map(([hold]) => hold),
    )
    await compareRows(db, realm, [...holds.values()])
    for (const [seq, end] of ended) checkEnding(seq, { end, hold: holds.get(seq), after })
  }
}

async function compareRows(db: Queryable, realm: number, rows: readonly StoredHold[]): Promise<void> {
  const asked = rows.flatMap(({ seq, ended_seq: ended }) => (ended === null ? [seq] : [seq, ended]))
  const entries = await readSomeEntries(db, realm, asked)
  for (const row of rows) compareHold(row, entries)
}

type EndingCheck = { readonly end: Ending; readonly hold: StoredHold | undefined; readonly after: bigint }

function checkEnding(seq: bigint, { end, hold, after }: EndingCheck): void {
  const where = `hold ${seq}`
  if (!hold) throw new Wrong(where, `entry ${end.first} ended it, but it is not stored`)
  if (end.account !== heldOf(hold.account) || end.point !== hold.point)
    throw new Wrong(where, `entry ${end.first} moved points of account ${end.account}, not what was held`)
  // The range begins between the two entries that ended it.
  if (hold.ended_seq === after && end.first === after + 1n) return
  if (hold.ended_seq !== end.first)
    throw new Wrong(where, `entry ${end.first} ended it, ${hold.ended_seq ?? 'nothing'} is stored`)
  if (end.amount !== hold.amount)
    throw new Wrong(where, `${end.amount} of its ${hold.amount} points were given up`)
}
