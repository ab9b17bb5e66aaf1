import { setTimeout as sleep } from 'node:timers/promises'
import { bind } from '../../db/rowSecurity.ts'
import type { Session } from '../../db/session.ts'
import { outcomeUnknown, type RefusalError, unavailable } from '../../errors.ts'
import type { BatchWatch, SettledAs } from './batchWatch.ts'
import type { CommitUnknown } from './commit.ts'
import type { Pending } from './pending.ts'
import { begin, fenceHead, findEntry, hasDeparted, lockHeads, type Proof } from './store.ts'

const pauseMs = 100

/**
 * Whether the batch was committed. Checked under the head lock; if it was not, it no longer can be: its bytes
 * may still be on their way, unread.
 */
async function happened(session: Session, proof: Proof): Promise<boolean> {
  const [, , heads, departed, found, , ended] = await session.together(() =>
    Promise.all([
      begin(session),
      bind(session, [proof.realm]),
      lockHeads(session, [proof.realm], 'wait'),
      hasDeparted(session, proof.realm),
      findEntry(session, proof),
      fenceHead(session, proof),
      session.commit(),
    ]),
  )
  // Where not even the head is visible, a missing entry proves nothing; unless the realm has moved away. Then
  // the head was deleted under its lock, and comes back with another configuration version, if it does.
  if (heads.rows.length !== 1 && !departed) throw new Error(`the head of realm ${proof.realm} is missing`)
  if (ended.command !== 'COMMIT' || session.doubtful) throw new Error('could not settle')
  return found
}

export type FailureOptions = {
  readonly open: () => Promise<Session>
  /** Receives commands that certainly did not happen and are worth a retry. */
  readonly again: (pendings: readonly Pending[]) => void
  readonly onFault: (error: unknown, pendings: readonly Pending[]) => void
  readonly watch: BatchWatch
}

const reportEveryMs = 1_000

/** What becomes of commands whose batch failed: each is answered, or tried again. */
export class Failures {
  readonly #options: FailureOptions
  #reportedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: FailureOptions) {
    this.#options = options
  }

  /** Reports an unreachable database to the operator, but not for every batch. */
  report(error: unknown): void {
    if (performance.now() - this.#reportedAtMs < reportEveryMs) return
    this.#reportedAtMs = performance.now()
    this.#options.onFault(error, [])
  }

  /** Nothing can be written now, whatever the command. */
  refuse(refused: RefusalError, pendings: readonly Pending[]): void {
    this.report(refused.cause ?? refused)
    for (const pending of pendings) pending.refuse(refused.refusal)
  }

  /**
   * None of these was written. Retries once on a new session: a failover or a restart cuts every connection
   * once.
   */
  retry(pendings: readonly Pending[]): void {
    const fresh: Pending[] = []
    for (const pending of pendings) {
      pending.attempts += 1
      if (pending.attempts > 1) pending.refuse(unavailable)
      else fresh.push(pending)
    }
    if (fresh.length > 0) this.#options.again(fresh)
  }

  /** Their COMMIT was not answered. Returns those that were not in it. */
  settle(unknown: CommitUnknown, pendings: readonly Pending[]): Pending[] {
    const decided = pendings.filter((pending) => unknown.outcomes.has(pending.command))
    const { open, again, onFault, watch } = this.#options
    settle({ unknown, pendings: decided, open, again }).then(
      (found) => watch.settled(decided, found),
      (error: unknown) => onFault(error, decided),
    )
    return pendings.filter((pending) => !unknown.outcomes.has(pending.command))
  }
}

type Settle = Pick<FailureOptions, 'open' | 'again'> & {
  readonly unknown: CommitUnknown
  readonly pendings: readonly Pending[]
}

/** Finds out how a COMMIT without an answer ended and answers its callers, within their deadline. */
async function settle({ unknown, pendings, open, again }: Settle): Promise<SettledAs> {
  const repeat = (): SettledAs => {
    again(pendings)
    return 'undone'
  }
  // A batch without entries changed no balance: it can be retried without a check.
  const { proof } = unknown
  if (!proof) return repeat()
  const deadlineMs = Math.min(...pendings.map((pending) => pending.deadlineMs))
  while (performance.now() < deadlineMs) {
    let session: Session | undefined
    // PostgreSQL has no timeout for a wait for a standby.
    const timer = setTimeout(() => session?.destroy(), deadlineMs - performance.now())
    try {
      session = await open()
      if (performance.now() >= deadlineMs) break
      if (!(await happened(session, proof))) return repeat()
      answer(unknown, pendings)
      return 'done'
    } catch {
      await sleep(pauseMs)
    } finally {
      clearTimeout(timer)
      session?.destroy()
    }
  }
  for (const pending of pendings) pending.refuse(outcomeUnknown)
  return 'unknown'
}

function answer(unknown: CommitUnknown, pendings: readonly Pending[]): void {
  for (const pending of pendings) {
    const outcome = unknown.outcomes.get(pending.command)
    if (outcome) pending.end(outcome)
    else pending.refuse(outcomeUnknown)
  }
}
