import type { Walled } from '../../db/rowSecurity.ts'
import type { Queryable } from '../../db/session.ts'

/** Tells the time, and lets it pass. */
export type Clock = { nowMs(): number; sleep(ms: number): Promise<void> }

/** Rest for each millisecond of work. */
const restPerWork = 7
/** Less is not worth a timer: a small realm's few rows are read in one go. */
const leastWorkMs = 2
/** A page is some 10 ms of computing, however long a busy machine makes it wait: with this it is 4 %. */
const longestRestMs = 250

/** How long to rest after so much work, the waiting for PostgreSQL included. */
export function restAfter(workedMs: number): number {
  return workedMs < leastWorkMs ? 0 : Math.min(workedMs * restPerWork, longestRestMs)
}

/**
 * A reader that leaves the machine to others: before a statement it rests in proportion to the time since it
 * last did, be that spent by PostgreSQL or on what was read. A busy machine makes each page take longer, so
 * the reader takes less when there is less to take.
 */
export function gently(db: Walled, clock: Clock): Walled {
  let restedAtMs = clock.nowMs()
  const rested = (reader: Queryable): Queryable => ({
    async query(statement, values) {
      const restMs = restAfter(clock.nowMs() - restedAtMs)
      if (restMs > 0) {
        await clock.sleep(restMs)
        restedAtMs = clock.nowMs()
      }
      return reader.query(statement, values)
    },
  })
  return { within: (realms) => rested(db.within(realms)) }
}
