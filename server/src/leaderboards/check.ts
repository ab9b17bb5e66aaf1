import type { Database } from '../db/database.ts'
import { bind } from '../db/rowSecurity.ts'
import type { Queryable } from '../db/session.ts'
import { lock, readKept } from './checkStore.ts'
import { Days } from './days.ts'
import { type ActiveDay, activityOf, type Daily, fold, type Supply } from './fold.ts'
import { type FoldedMerge, readMerges } from './mergeStore.ts'
import { readEntries, readProgress } from './store.ts'

/** Whether the stored standings equal the journal up to `seq`. */
export type StandingsVerdict =
  | { readonly ok: true; readonly seq: bigint }
  | { readonly ok: false; readonly why: string }

type Sums = Pick<Supply, 'issued' | 'spent' | 'lapsed' | 'held'>

function addSupply(known: Sums, more: Sums): void {
  known.issued += more.issued
  known.spent += more.spent
  known.lapsed += more.lapsed
  known.held += more.held
}

const suppliedWords = ({ issued, spent, lapsed, held }: Sums): string =>
  `${issued} issued, ${spent} spent, ${lapsed} lapsed, ${held} held`

type End = { readonly seq: bigint; readonly merged: number }

/** Folds from entry 1 in memory. */
class Refold {
  seq = 0n
  #merged = 0
  readonly days: Days
  readonly #gains = new Map<string, bigint>()
  readonly #daily = new Map<string, Daily>()
  readonly #supply = new Map<number, Supply>()
  readonly #activeDays = new Map<number, ActiveDay>()
  readonly #latest = new Map<number, number>()

  constructor(timeZone: string) {
    this.days = new Days(timeZone)
  }

  /** Ends at the given entry, with the merges up to that number. */
  async read(db: Queryable, realm: number, { seq: upTo, merged }: End): Promise<void> {
    const merges = await readMerges(db, realm, { after: this.#merged, upTo: merged })
    for (const merge of merges) {
      await this.#readUpTo(db, realm, merge.after_seq)
      this.#merge(merge)
    }
    this.#merged = merged
    await this.#readUpTo(db, realm, upTo)
  }

  async #readUpTo(db: Queryable, realm: number, upTo: bigint): Promise<void> {
    while (this.seq < upTo) {
      const page = await readEntries(db, [{ realm, seq: this.seq }])
      const rows = page.filter(({ seq }) => BigInt(seq) <= upTo)
      const last = rows.at(-1)
      if (!last) throw new Error(`entry ${this.seq + 1n} is missing`)
      this.#add(rows)
      this.seq = BigInt(last.seq)
    }
  }

  /** The same as folding a merge does with the stored rows. */
  #merge({ from_account: from, to_account: to }: FoldedMerge): void {
    const prefix = `gained ${from} `
    for (const [key, by] of this.#gains) {
      if (!key.startsWith(prefix)) continue
      const own = `gained ${to} ${key.slice(prefix.length)}`
      this.#gains.delete(key)
      this.#gains.set(own, (this.#gains.get(own) ?? 0n) + by)
    }
    const [theirs, own] = [this.#latest.get(from), this.#latest.get(to)]
    if (theirs === undefined) return
    this.#latest.delete(from)
    this.#latest.set(to, Math.max(theirs, own ?? theirs))
    const day = own === undefined ? undefined : this.#activeDays.get(Math.min(theirs, own))
    if (day) day.latest -= 1
  }

  #add(rows: Parameters<typeof fold>[0]): void {
    const { gains, daily, supply, moved } = fold(rows, this.days)
    const { latest, days } = activityOf(moved, this.#latest)
    for (const [account, day] of latest) this.#latest.set(account, day)
    for (const { account, day, point, by } of gains) {
      const key = `gained ${account} ${day} ${point}`
      this.#gains.set(key, (this.#gains.get(key) ?? 0n) + by)
    }
    for (const one of daily) {
      const key = `entries ${one.day} ${one.point} ${one.kind}`
      const known = this.#daily.get(key)
      if (known) {
        known.entries += one.entries
        known.amount += one.amount
        addSupply(known, one)
      } else this.#daily.set(key, one)
    }
    for (const one of supply) {
      const known = this.#supply.get(one.point)
      if (known) {
        addSupply(known, one)
        known.claimed += one.claimed
      } else this.#supply.set(one.point, one)
    }
    for (const [day, one] of days) {
      const known = this.#activeDays.get(day)
      if (known) {
        known.active += one.active
        known.latest += one.latest
      } else this.#activeDays.set(day, one)
    }
  }

  /** In the same format as the stored rows. */
  expectedRows(): Map<string, string> {
    const rows = new Map<string, string>()
    for (const [key, by] of this.#gains) rows.set(key, String(by))
    for (const [account, day] of this.#latest) rows.set(`last active ${account}`, String(day))
    for (const [key, { entries, amount, ...sums }] of this.#daily)
      rows.set(key, `${entries} of ${amount}: ${suppliedWords(sums)}`)
    for (const { point, claimed, ...sums } of this.#supply.values())
      rows.set(`supply ${point}`, `${suppliedWords(sums)}, ${claimed} claimed`)
    for (const { day, active, latest } of this.#activeDays.values())
      rows.set(`active ${day}`, `${active}, ${latest} the last time`)
    return rows
  }
}

/**
 * Folds a realm's journal from entry 1 and compares it with the stored standings, while writes go on. Folding
 * pauses only for the comparison: entries that came while the journal was read are read under its lock.
 */
export async function check(db: Database, realm: number): Promise<StandingsVerdict> {
  const { seq, time_zone: zone, merged } = await readProgress(db.within([realm]), realm)
  if (seq === null || zone === null) return { ok: true, seq: 0n }
  const refold = new Refold(zone)
  await refold.read(db.within([realm]), realm, { seq, merged: merged ?? 0 })
  return db.transaction(async (tx) => {
    await bind(tx, [realm])
    const kept = await lock(tx, realm)
    if (!kept || kept.time_zone !== zone || kept.seq < refold.seq)
      return { ok: false, why: 'it was rebuilt meanwhile: check it again' }
    await refold.read(tx, realm, kept)
    const expected = refold.expectedRows()
    for await (const rows of readKept(tx, realm, kept.build)) {
      for (const [what, value] of rows) {
        if (expected.get(what) !== value)
          return {
            ok: false,
            why: `${what}: ${value} is stored, ${expected.get(what) ?? 'nothing'} is right`,
          }
        expected.delete(what)
      }
    }
    for (const [what, value] of expected)
      return { ok: false, why: `${what}: ${value} is right, nothing stored` }
    return { ok: true, seq: kept.seq }
  })
}
