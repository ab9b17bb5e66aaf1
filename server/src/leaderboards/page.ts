import { bindPresent } from '../db/rowSecurity.ts'
import type { Queryable, Writable } from '../db/session.ts'
import { Days } from './days.ts'
import { activityOf, type Changes, fold } from './fold.ts'
import { foldMerges } from './mergeStore.ts'
import {
  type EntryRow,
  form,
  insertProgress,
  type Locked,
  lightly,
  lockProgress,
  pageSize,
  readActivity,
  readEntries,
  startBuild,
  writePages,
} from './store.ts'
import { endSweep, sweep } from './sweepStore.ts'

/** How a step ended for a realm: nothing more to do, more to do, or another process is doing it. */
export type Step = 'done' | 'more' | 'busy'

/** Folds a page of the entries of these realms, all or nothing; returns how it ended for each. */
export async function foldPage(
  unbound: Queryable,
  realms: readonly number[],
): Promise<ReadonlyMap<number, Step>> {
  await lightly(unbound)
  const { tx, realms: here } = await bindPresent(unbound, realms)
  // A realm may be purged, or moved away, while it is due.
  const steps = new Map<number, Step>(realms.map((realm) => [realm, 'done']))
  for (const realm of here) steps.set(realm, 'busy')
  if (here.length === 0) return steps
  const locked = await lockAll(tx, here)
  const isOld = (one: Locked) => one.time_zone !== one.wanted || one.form !== form
  for (const { realm } of locked.filter(isOld)) {
    await startBuild(tx, realm)
    steps.set(realm, 'more')
  }
  const current = locked.filter((one) => !isOld(one))
  const { unfinished, reached } = await foldEntries(tx, current)
  for (const { realm, build, swept, merged, merges, seq } of current) {
    const folded = { realm, build, merged, seq: reached.get(realm) ?? seq }
    if (merges > merged) {
      await foldMerges(tx, folded)
      // Entries behind it may be left.
      unfinished.add(realm)
    }
    const more = unfinished.has(realm) || (swept !== build && (await sweepOne(tx, realm, build)))
    steps.set(realm, more ? 'more' : 'done')
  }
  return steps
}

async function lockAll(tx: Writable, realms: readonly number[]): Promise<Locked[]> {
  const locked = await lockProgress(tx, realms)
  if (locked.length === realms.length) return locked
  const known = new Set(locked.map(({ realm }) => realm))
  const others = realms.filter((realm) => !known.has(realm))
  // New realms; those that another process is folding stay locked.
  await insertProgress(tx, others)
  return [...locked, ...(await lockProgress(tx, others))]
}

type Folded = {
  /** The realms that may have more entries. */
  readonly unfinished: Set<number>
  /** The last entry that was folded now. */
  readonly reached: ReadonlyMap<number, bigint>
}

async function foldEntries(tx: Writable, current: readonly Locked[]): Promise<Folded> {
  if (current.length === 0) return { unfinished: new Set(), reached: new Map() }
  const rows = await readEntries(tx, current, pageSize)
  const byRealm = Map.groupBy(rows, ({ realm }) => realm)
  const found = current.flatMap((one) => {
    const entries = byRealm.get(one.realm)
    return entries
      ? [{ ...one, seq: lastOf(one, entries), changes: fold(entries, daysOf(one.time_zone)) }]
      : []
  })
  if (found.length > 0) {
    const before = await readActivity(
      tx,
      found.flatMap(({ realm, build, changes }) =>
        accountsIn(changes).map((account) => ({ realm, build, account })),
      ),
    )
    const none: ReadonlyMap<number, number> = new Map()
    const pages = found.map((page) => ({
      ...page,
      activity: activityOf(page.changes.moved, before.get(page.realm) ?? none),
    }))
    await writePages(tx, pages)
  }
  const reached = new Map(found.map(({ realm, seq }) => [realm, seq]))
  if (rows.length < pageSize) return { unfinished: new Set(), reached }
  const cut = current.filter(({ realm }) => !byRealm.has(realm) || realm === rows.at(-1)?.realm)
  return { unfinished: new Set(cut.map(({ realm }) => realm)), reached }
}

/** A page is a part of the journal without gaps: anything else would be folded wrongly, and for good. */
function lastOf({ realm, seq }: Locked, entries: readonly EntryRow[]): bigint {
  const last = seq + BigInt(entries.length)
  if (entries.every((entry, index) => BigInt(entry.seq) === seq + BigInt(index + 1))) return last
  throw new Error(`the entries ${seq + 1n} to ${last} of realm ${realm} were not read in their order`)
}

const accountsIn = ({ moved }: Changes): number[] => [
  ...new Set([...moved.values()].flatMap((accounts) => [...accounts])),
]

/**
 * The old build is deleted once everything is folded again: until then it does not interfere. Always more to
 * do: the next step sees that nothing is left.
 */
async function sweepOne(tx: Writable, realm: number, build: number): Promise<true> {
  if (!(await sweep(tx, realm, build))) await endSweep(tx, realm, build)
  return true
}

/** A calendar is slow to make, and most realms share a few. */
const calendars = new Map<string, Days>()
const calendarsCap = 100

function daysOf(timeZone: string): Days {
  let days = calendars.get(timeZone)
  if (!days) {
    if (calendars.size >= calendarsCap) calendars.clear()
    days = new Days(timeZone)
    calendars.set(timeZone, days)
  }
  return days
}
