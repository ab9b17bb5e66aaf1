import type { Queryable } from '../../db/session.ts'
import { accountOn } from '../rules/accounts.ts'
import { compareAside, holds, type Noun } from './asideCheck.ts'
import { type EntryRow, readSomeEntries, readStoredAside, type StoredAside } from './journalStore.ts'
import { readAsideOf, type SidesRow } from './segmentStore.ts'
import { Wrong } from './wrong.ts'

/** The entries of a range that ended one hold or award. */
type Ending = { readonly first: bigint; readonly account: number; readonly point: number; amount: bigint }

const endsHold = ({ kind, link }: Pick<SidesRow, 'kind' | 'link'>): boolean =>
  link !== null && holds.ending.has(kind)

/** Whether two entries that follow each other end the same hold. */
export const endTogether = (one: SidesRow | undefined, next: SidesRow | undefined): boolean =>
  one !== undefined && next !== undefined && endsHold(one) && endsHold(next) && one.link === next.link

export type SegmentRange = { readonly realm: number; readonly after: bigint; readonly upTo: bigint }

/**
 * Compares the holds, or the awards, that a range of entries created or ended with these entries: each is
 * stored, as its entry says; and each that was ended is stored as ended by these entries, which moved all
 * of its points.
 */
export class SegmentAside {
  readonly #noun: Noun
  readonly #endings = new Map<bigint, Ending>()

  constructor(noun: Noun) {
    this.#noun = noun
  }

  add({ kind, link, seq, from_account: account, point, amount }: EntryRow): void {
    if (link === null || !this.#noun.ending.has(kind)) return
    const known = this.#endings.get(link)
    if (known) known.amount += amount
    else this.#endings.set(link, { first: seq, account, point, amount })
  }

  async check(db: Queryable, range: SegmentRange, made: number): Promise<void> {
    const { realm, after, upTo } = range
    const { table } = this.#noun
    let stored = 0
    for await (const rows of readStoredAside(db, realm, { table, after, upTo })) {
      await this.#compareRows(db, realm, rows)
      stored += rows.length
    }
    const which = `of entries ${after + 1n} to ${upTo}`
    if (stored !== made) throw new Wrong(table, `${stored} ${which} are stored, ${made} entries created some`)
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
    const seqs = ended.map(([seq]) => seq)
    const found = await readAsideOf(db, realm, { table: this.#noun.table, seqs })
    await this.#compareRows(db, realm, [...found.values()])
    for (const [seq, end] of ended) checkEnding(seq, { noun: this.#noun, end, stored: found.get(seq), after })
  }

  async #compareRows(db: Queryable, realm: number, rows: readonly StoredAside[]): Promise<void> {
    const asked = rows.flatMap(({ seq, ended_seq: ended }) => (ended === null ? [seq] : [seq, ended]))
    const entries = await readSomeEntries(db, realm, asked)
    for (const row of rows) compareAside(this.#noun, row, entries)
  }
}

type EndingCheck = {
  readonly noun: Noun
  readonly end: Ending
  readonly stored: StoredAside | undefined
  readonly after: bigint
}

function checkEnding(seq: bigint, { noun, end, stored, after }: EndingCheck): void {
  const where = `${noun.one} ${seq}`
  if (!stored) throw new Wrong(where, `entry ${end.first} ended it, but it is not stored`)
  if (end.account !== accountOn(noun.side, stored.account) || end.point !== stored.point)
    throw new Wrong(
      where,
      `entry ${end.first} moved points of account ${end.account}, not what was set aside`,
    )
  // The range begins between the two entries that ended it.
  if (stored.ended_seq === after && end.first === after + 1n) return
  if (stored.ended_seq !== end.first)
    throw new Wrong(where, `entry ${end.first} ended it, ${stored.ended_seq ?? 'nothing'} is stored`)
  if (end.amount !== stored.amount)
    throw new Wrong(where, `${end.amount} of its ${stored.amount} points were given up`)
}
