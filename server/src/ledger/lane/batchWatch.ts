import type { Pending } from './pending.ts'

/** How a batch was decided: from memory, ahead of the lock, or under it. */
export type BatchPath = 'ahead' | 'locked'
/** `returned`: memory was wrong; `failed`: PostgreSQL refused or was lost; `unknown`: no answer to COMMIT. */
export type BatchEnd = 'committed' | 'returned' | 'failed' | 'unknown'
/** What was found out about a COMMIT without an answer. */
export type Found = 'done' | 'undone' | 'unknown'

/** Whoever watches batches. */
export type BatchWatch = {
  /** Where a command comes from, asked when it arrives and kept with it: a place in a trace. */
  origin(): unknown
  /** A batch is about to be sent; what is returned is told how it ended. */
  began(pendings: readonly Pending[], path: BatchPath): (end: BatchEnd) => void
  settled(pendings: readonly Pending[], found: Found): void
}

export const noBatchWatch: BatchWatch = {
  origin: () => undefined,
  began: () => () => {},
  settled: () => {},
}
