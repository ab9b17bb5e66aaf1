import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { sqlState } from '../../db/failures.ts'
import type { Queryable, Session } from '../../db/session.ts'
import { ownerStatements as cellStatements, lockArrival } from './cellStore.ts'
import { countBehind, readPosition } from './replicationStore.ts'
import { MoveError, type Step } from './steps.ts'

/** Longer than any statement of a move that does not copy: creating a slot waits for open transactions. */
const statementTimeout = '60s'

/** One move under way, and the three databases it works on. */
export type Mover = {
  readonly realm: number
  readonly id: string
  readonly place: number
  readonly from: number
  readonly to: number
  readonly directory: Session
  readonly source: Session
  readonly target: Session
  readonly targetDb: Database
  /** As the target's PostgreSQL connects to it. */
  readonly sourceUrl: string
  readonly options: MoveOptions
  /** Throws when another mover may have taken over. */
  readonly check: () => Promise<void>
}

export type MoveOptions = {
  /** Prints a line of progress. */
  readonly say: (line: string) => void
  /** Compares the whole chain on the target, and the head that was handed over if known; why it is wrong. */
  readonly verify: (db: Database, realm: number, against?: Checkpoint) => Promise<string | undefined>
  /** Realms with fewer entries are not copied by pages before the replication. */
  readonly copyFrom?: bigint
  /** For tests: ends after this step as if the process had been killed. */
  readonly stopAfter?: Step
}

export type Checkpoint = { readonly seq: bigint; readonly hash: string }

export const openSession = (db: Database): Promise<Session> =>
  db.open({ statement_timeout: statementTimeout, lock_timeout: '2s' })

/** One transaction of a dedicated session. */
export async function transact<T>(session: Session, work: (tx: Queryable) => Promise<T>): Promise<T> {
  await session.query(cellStatements.begin)
  let result: T
  try {
    result = await work(session)
  } catch (error) {
    if (!session.lost) await session.query(cellStatements.rollback).catch(() => {})
    throw error
  }
  const { command } = await session.commit()
  if (session.doubtful || command !== 'COMMIT')
    throw new MoveError('A commit was not confirmed by a standby. Run the same command again to go on.')
  return result
}

/**
 * A transaction on the target, only while this move may still write there: of two movers, one of which was
 * stopped for long, the row of the arrival decides.
 */
export function arriving<T>(mover: Mover, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return transact(mover.target, async (tx) => {
    const state = await lockArrival(tx, mover)
    if (state === 'arriving' || state === 'ready') return work(tx)
    throw new MoveError(
      `This move of realm ${mover.id} has ended: it is ${state ?? 'unknown'} in cell ${mover.to}.`,
    )
  })
}

const lockNotAvailable = '55P03'

/** Tries again when another session holds the lock for longer than lock_timeout. */
export async function retryLock<T>(times: number, work: () => Promise<T>): Promise<T> {
  for (let left = times; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable || left <= 1) throw error
      await sleep(500)
    }
  }
}

/** Asks until it is so; false when it takes longer. */
export async function waitUntil(
  isSo: () => Promise<boolean>,
  { withinMs, everyMs }: { readonly withinMs: number; readonly everyMs: number },
): Promise<boolean> {
  for (const untilMs = performance.now() + withinMs; ; await sleep(everyMs)) {
    if (await isSo()) return true
    if (performance.now() > untilMs) return false
  }
}

/** Whether every standby has all that was committed so far: what it lacks is lost when it takes over. */
export async function awaitStandbys(db: Queryable, withinMs: number): Promise<boolean> {
  const lsn = await readPosition(db)
  return waitUntil(async () => (await countBehind(db, lsn)) === 0, { withinMs, everyMs: 20 })
}
