import { isPassing, sqlState } from '../../db/failures.ts'
import type { Session } from '../../db/session.ts'
import { outcomeUnknown, RefusalError, unavailable } from '../../errors.ts'
import type { BatchWatch } from './batchWatch.ts'
import { CommitUnknown, type Outcomes } from './commit.ts'
import { runAhead } from './optimistic.ts'
import { dropExpired, type Pending, toSend } from './pending.ts'
import { type LockMode, runLocked, type Tools } from './pessimistic.ts'
import { settle } from './settle.ts'

export type WriterOptions = Tools & {
  readonly open: () => Promise<Session>
  /** Receives commands that certainly did not happen and are worth a retry. */
  readonly again: (pendings: readonly Pending[]) => void
  readonly onFault: (error: unknown, pendings: readonly Pending[]) => void
  /** Called for each realm of a batch, once the batch is durable. */
  readonly onWritten: (realm: number) => void
  readonly watch: BatchWatch
}

const reportEveryMs = 1_000

/** One session that writes batches and answers their callers, whatever happens. */
export class Writer {
  readonly #options: WriterOptions
  #session: Session | undefined
  #closed = false
  #reportedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Ends every command except those of realms that another session has locked, which it returns. */
  async run(pendings: readonly Pending[], mode: LockMode): Promise<Pending[]> {
    const due = dropExpired(pendings, performance.now())
    if (due.length === 0) return []
    const session = await this.ready()
    if (!session) {
      for (const pending of due) pending.refuse(unavailable)
      return []
    }
    const sent = toSend(due)
    if (sent.length === 0) return []
    try {
      return await this.#write(session, sent, mode)
    } catch (error) {
      this.giveUp(error, sent)
      return []
    }
  }

  /**
   * Ends commands that can be decided from memory. Everything is sent when this returns its promise. Returns
   * those that memory was wrong about: nothing of them was changed, and they have to be decided under the
   * lock.
   */
  async runAhead(session: Session, pendings: readonly Pending[]): Promise<readonly Pending[]> {
    const { memory, watch } = this.#options
    if (session.lost) return pendings
    const ended = watch.began(pendings, 'ahead')
    const timer = this.#cutAfterDeadlines(session, pendings)
    try {
      const commands = pendings.map((pending) => pending.command)
      const outcomes = await runAhead(session, commands, this.#options)
      ended('committed')
      end(pendings, outcomes)
      this.#notifyWritten(pendings)
      return []
    } catch (error) {
      ended(error instanceof CommitUnknown ? 'unknown' : 'returned')
      for (const realm of new Set(pendings.map(({ command }) => command.realm))) memory.suspect(realm)
      if (!(error instanceof CommitUnknown)) return pendings
      session.destroy()
      return this.#settle(error, pendings)
    } finally {
      clearTimeout(timer)
    }
  }

  /** The session, opened if necessary; undefined when the database can't be reached. */
  async ready(): Promise<Session | undefined> {
    if (this.#session && !this.#session.lost) return this.#session
    try {
      const session = await this.#options.open()
      this.#session = session
      if (this.#closed) await session.close()
      return session
    } catch (error) {
      this.#reportOutage(error)
      return undefined
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#session?.close()
  }

  /** Should not happen. Still, every caller is answered and the lane goes on. */
  giveUp(error: unknown, pendings: readonly Pending[]): void {
    this.#options.onFault(error, pendings)
    for (const pending of pendings) pending.refuse(outcomeUnknown)
  }

  /**
   * After the last of its deadlines no caller waits for this batch any more: its connection counts as lost.
   */
  #cutAfterDeadlines(session: Session, pendings: readonly Pending[]): NodeJS.Timeout {
    const deadlineMs = Math.max(...pendings.map((pending) => pending.deadlineMs))
    return setTimeout(() => session.destroy(), deadlineMs - performance.now())
  }

  async #write(session: Session, pendings: readonly Pending[], mode: LockMode): Promise<Pending[]> {
    const ended = this.#options.watch.began(pendings, 'locked')
    const timer = this.#cutAfterDeadlines(session, pendings)
    try {
      const commands = pendings.map((pending) => pending.command)
      const outcomes = await runLocked(session, commands, { ...this.#options, mode })
      ended('committed')
      const left = end(pendings, outcomes)
      this.#notifyWritten(pendings)
      return left
    } catch (error) {
      ended(error instanceof CommitUnknown ? 'unknown' : 'failed')
      const passing = session.lost || (sqlState(error) !== undefined && isPassing(error))
      session.destroy()
      if (error instanceof CommitUnknown) return this.#settle(error, pendings)
      if (error instanceof RefusalError) return this.#refuse(error, pendings)
      if (passing) return this.#retry(pendings)
      return this.#isolate(error, pendings, mode)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Nothing can be written now, whatever the command. */
  #refuse(refused: RefusalError, pendings: readonly Pending[]): Pending[] {
    this.#reportOutage(refused.cause ?? refused)
    for (const pending of pendings) pending.refuse(refused.refusal)
    return []
  }

  /** One of these commands broke the transaction. Halving the batch finds the one that fails alone. */
  async #isolate(error: unknown, pendings: readonly Pending[], mode: LockMode): Promise<Pending[]> {
    this.#options.onFault(error, pendings)
    const [first] = pendings
    if (pendings.length === 1 && first) {
      first.fail(error instanceof Error ? error : new Error(String(error)))
      return []
    }
    const middle = Math.ceil(pendings.length / 2)
    const left = await this.run(pendings.slice(0, middle), mode)
    return [...left, ...(await this.run(pendings.slice(middle), mode))]
  }

  /** Reports an unreachable database to the operator, but not for every batch. */
  #reportOutage(error: unknown): void {
    if (performance.now() - this.#reportedAtMs < reportEveryMs) return
    this.#reportedAtMs = performance.now()
    this.#options.onFault(error, [])
  }

  #notifyWritten(pendings: readonly Pending[]): void {
    for (const realm of new Set(pendings.map(({ command }) => command.realm))) this.#options.onWritten(realm)
  }

  #settle(unknown: CommitUnknown, pendings: readonly Pending[]): Pending[] {
    const decided = pendings.filter((pending) => unknown.outcomes.has(pending.command))
    const { open, again, onFault, watch } = this.#options
    settle({ unknown, pendings: decided, open, again }).then(
      (found) => watch.settled(decided, found),
      (error: unknown) => onFault(error, decided),
    )
    return pendings.filter((pending) => !unknown.outcomes.has(pending.command))
  }

  /**
   * None of these was written. Retries once on a new session: a failover or a restart cuts every connection
   * once.
   */
  #retry(pendings: readonly Pending[]): Pending[] {
    const fresh: Pending[] = []
    for (const pending of pendings) {
      pending.attempts += 1
      if (pending.attempts > 1) pending.refuse(unavailable)
      else fresh.push(pending)
    }
    if (fresh.length > 0) this.#options.again(fresh)
    return []
  }
}

/** Ends those that have an outcome; returns the others. */
function end(pendings: readonly Pending[], outcomes: Outcomes): Pending[] {
  return pendings.filter((pending) => {
    const outcome = outcomes.get(pending.command)
    if (outcome) pending.end(outcome)
    return !outcome
  })
}
