import { clocksApart, RefusalError } from '../errors.ts'
import type { Queryable, ReadStatement } from './session.ts'

/** Beyond this no entry is written: a wrong time would stay in the journal forever. */
const mostApartMs = 60_000

const clock: ReadStatement = {
  name: 'clock',
  text: 'select (extract(epoch from clock_timestamp()) * 1000000)::bigint as now_us',
}

/**
 * How far the database's clock is ahead of ours, or behind it (negative), in milliseconds: `nowUs` is its
 * answer to a query sent at `sentAtMs`. Any time between sending and answering counts as equal, however long
 * the answer took.
 */
export function clockGapMs(nowUs: bigint, sentAtMs: number): number {
  const itsMs = Number(nowUs / 1000n)
  const aheadMs = itsMs - Date.now()
  return aheadMs > 0 ? aheadMs : Math.min(0, itsMs - sentAtMs)
}

export const areApart = (gapMs: number): boolean => Math.abs(gapMs) > mostApartMs

export async function readClockGapMs(db: Queryable): Promise<number> {
  const sentAtMs = Date.now()
  const [row] = (await db.query<{ now_us: bigint }>(clock)).rows
  if (!row) throw new Error('the database did not return its time')
  return clockGapMs(row.now_us, sentAtMs)
}

/** Why the server can't write, and what to do; undefined when the clocks agree. */
export function clockProblem(gapMs: number): string | undefined {
  if (!areApart(gapMs)) return undefined
  const seconds = Math.round(Math.abs(gapMs) / 1000)
  const way = gapMs > 0 ? 'ahead of' : 'behind'
  return (
    `The clock of the database is ${seconds} seconds ${way} the clock of this server. ` +
    'Correct the one that is wrong; nothing is written until they agree to within a minute.'
  )
}

/** Refuses to write when the clock is wrong: `nowUs` is the database's time, requested at `sentAtMs`. */
export function refuseIfApart(nowUs: bigint, sentAtMs: number): void {
  const gapMs = clockGapMs(nowUs, sentAtMs)
  if (areApart(gapMs)) throw new RefusalError(clocksApart, new Error(clockProblem(gapMs)))
}
