import type { RealmScoped } from '../../db/rowSecurity.ts'
import type { Queryable } from '../../db/session.ts'

/** The time, and a way to wait. */
export type Clock = { nowMs(): number; sleep(ms: number): Promise<void> }

/** Milliseconds of pause for each millisecond of work. */
const restPerWork = 7
/** Less is not worth a timer: a small realm's few rows are read without a pause. */
const leastWorkMs = 2
/**
 * A page takes about 10 ms of computing, however long a busy machine makes it wait: with this cap that is 4
 * %.
 */
const longestRestMs = 250

/** How long to pause after this much work, including the wait for PostgreSQL. */
export function restAfter(workedMs: number): number {
  return workedMs < leastWorkMs ? 0 : Math.min(workedMs * restPerWork, longestRestMs)
}

/**
 * A reader that throttles itself: before a statement it pauses in proportion to the time since its last
 * pause, spent by PostgreSQL or on processing. A busy machine makes each page take longer, so the reader uses
 * less of a machine that has less to spare.
 */
export function gently(db: RealmScoped, clock: Clock): RealmScoped {
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
