import type { JournalEntry, Statistics } from '@exchequer/sdk'

/** Activity in an hour or a day, in one point type. */
export type Bucket = {
  /** A day such as 2026-01-31, or the hour's beginning in milliseconds. */
  readonly at: string | number
  readonly issued: number
  /** Claimed and lapsed points count as spent. */
  readonly spent: number
  readonly entries: number
  readonly active: number
  /** What members could spend at the end of the bucket. */
  readonly circulation: number
}

type Change = Omit<Bucket, 'circulation' | 'active'> & { readonly active: number; readonly held: number }

/** Computed backwards from the current circulation. */
function withCirculation(changes: readonly Change[], now: number): readonly Bucket[] {
  let circulation = now
  const buckets: Bucket[] = []
  for (const { held, ...change } of changes.toReversed()) {
    buckets.push({ ...change, circulation })
    circulation -= change.issued - change.spent - held
  }
  return buckets.reverse()
}

const circulationOf = ({ supply }: Statistics, point: string): number =>
  Number(supply.find(({ realmPointId }) => realmPointId === point)?.circulation ?? 0)

export function dayBuckets(statistics: Statistics, point: string): readonly Bucket[] {
  const changes = statistics.days.map(({ day, active, entries, supply }) => {
    const moved = supply.find(({ realmPointId }) => realmPointId === point)
    return {
      at: day,
      active,
      entries: entries.reduce((sum, one) => sum + (one.realmPointId === point ? one.entries : 0), 0),
      issued: Number(moved?.issued ?? 0),
      spent: [moved?.spent, moved?.lapsed, moved?.claimed].reduce((sum, one) => sum + Number(one ?? 0), 0),
      held: Number(moved?.held ?? 0),
    }
  })
  return withCirculation(changes, circulationOf(statistics, point))
}

/** Rounded to whole percents; undefined where there was nothing before. */
export const changeInPercent = (now: number, before: number): number | undefined =>
  before > 0 ? Math.round(((now - before) / before) * 100) : undefined

export const hourMs = 3_600_000
export const hoursShown = 24

type Hour = { issued: number; spent: number; held: number; entries: number; readonly who: Set<number> }

/** The last 24 hours, from the entries of the journal since then. */
export function hourBuckets(
  entries: readonly JournalEntry[],
  statistics: Statistics,
  { point, nowMs }: { readonly point: string; readonly nowMs: number },
): readonly Bucket[] {
  const first = Math.floor(nowMs / hourMs) - hoursShown + 1
  const hours = Array.from({ length: hoursShown }, (): Hour => {
    return { issued: 0, spent: 0, held: 0, entries: 0, who: new Set() }
  })
  for (const entry of entries) {
    const hour = hours[Math.floor(Number(entry.atUs) / 1000 / hourMs) - first]
    if (!hour) continue
    if (!passiveTypes.has(entry.type))
      for (const account of [entry.fromAccount, entry.toAccount]) if (account > 0) hour.who.add(account)
    if (entry.realmPointId === point) add(hour, entry)
  }
  const changes = hours.map(({ who, ...rest }, nth) => ({
    at: (first + nth) * hourMs,
    active: who.size,
    ...rest,
  }))
  return withCirculation(changes, circulationOf(statistics, point))
}

/** Entry types that are not member activity. */
const passiveTypes: ReadonlySet<string> = new Set(['opening', 'expiry', 'claim', 'lapse', 'merge'])

/** Below it, an account has pending points, which are not issued before they are granted. */
const pendingFloor = -(2 ** 30)

/** Account 0 is the realm itself; a negative account holds a member's held points. */
function add(hour: Hour, { fromAccount: from, toAccount: to, tokens, type }: JournalEntry): void {
  const back = type === 'reversal'
  hour.entries += 1
  if (type === 'award' || type === 'cancel') return
  if (from === 0 && back) hour.spent -= tokens
  else if (from === 0 || from < pendingFloor) hour.issued += tokens
  if (to === 0 && back) hour.issued -= tokens
  else if (to === 0 || type === 'claim') hour.spent += tokens
  if (from < 0 && from > pendingFloor) hour.held -= tokens
  if (to < 0) hour.held += tokens
}
