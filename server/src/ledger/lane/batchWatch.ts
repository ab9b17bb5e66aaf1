import type { Pending } from './pending.ts'

/** How a batch was decided: `optimistic` from memory, `pessimistic` under the head lock. */
export type BatchPath = 'optimistic' | 'pessimistic'
/**
 * `returned`: memory was wrong; `failed`: PostgreSQL rejected it or was lost; `unknown`: COMMIT was not
 * answered.
 */
export type BatchEnd = 'committed' | 'returned' | 'failed' | 'unknown'
/** What was found out about a COMMIT without an answer. */
export type SettledAs = 'done' | 'undone' | 'unknown'

/** Observes batches, for metrics and traces. */
export type BatchWatch = {
  /** Where a command comes from, read when it arrives and stored with it: a span of a trace. */
  origin(): unknown
  /** Called before a batch is sent; the returned function is called with how it ended. */
  began(pendings: readonly Pending[], path: BatchPath): (end: BatchEnd) => void
  settled(pendings: readonly Pending[], found: SettledAs): void
}

export const noBatchWatch: BatchWatch = {
  origin: () => undefined,
  began: () => () => {},
  settled: () => {},
}
