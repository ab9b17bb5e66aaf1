import { overloaded, type Refusal, RefusalError } from '../../errors.ts'
import { type Line, Place } from '../../line.ts'
import type { Outcome, PostedCommand, RehearsalOutcome } from '../rules/command.ts'

/**
 * A command whose caller waits for its outcome, until the deadline at the latest.
 *
 *     queued ──► taken into a batch ──► sent ──► ended: outcome, refusal or error
 *       ▲               │                │
 *       └───────────────┴────────────────┘
 *        memory was wrong, the head is held by another process,
 *        the database was lost (once), or the COMMIT did not happen
 *
 * It can also end in any earlier state, refused: queue too long, deadline passed, database unreachable.
 */
export class Pending extends Place {
  readonly command: PostedCommand
  readonly deadlineMs: number
  readonly outcome: Promise<Outcome | RehearsalOutcome>
  /** How often the database connection was lost while it was being written. */
  attempts = 0
  /** How often it was left out of a batch, because another process held the head of its realm. */
  passed = 0
  /** Whether it was in a batch before: then it no longer shows how long the queue is. */
  taken = false
  /** Whether it was ever sent to a database: one that was not is refused sooner. */
  sent = false
  /** When it arrived, in the time this process was running. */
  sinceMs = 0
  /** Where it comes from, for traces. */
  origin: unknown
  /** Whether it was answered: it must not be sent any more. */
  ended = false
  #resolve!: (outcome: Outcome | RehearsalOutcome) => void
  #reject!: (error: Error) => void
  readonly #waiting: Line<Pending>

  /** Adds itself to `waiting` until it has ended. */
  constructor(command: PostedCommand, deadlineMs: number, waiting: Line<Pending>) {
    super()
    this.command = command
    this.deadlineMs = deadlineMs
    this.#waiting = waiting
    waiting.add(this)
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  end(outcome: Outcome | RehearsalOutcome): void {
    this.#leave()
    this.#resolve(outcome)
  }

  refuse(refusal: Refusal): void {
    this.fail(new RefusalError(refusal))
  }

  fail(error: Error): void {
    this.#leave()
    this.#reject(error)
  }

  #leave(): void {
    this.ended = true
    this.#waiting.remove(this)
  }
}

/** Those that still wait and are in time; refuses those past their deadline. */
export function dropExpired(pendings: readonly Pending[], nowMs: number): Pending[] {
  return pendings.filter((pending) => {
    if (pending.ended) return false
    if (pending.deadlineMs > nowMs) return true
    pending.refuse(overloaded)
    return false
  })
}

/** Those that still wait; marks them as sent. */
export function toSend(pendings: readonly Pending[]): Pending[] {
  const waiting = pendings.filter(({ ended }) => !ended)
  for (const pending of waiting) pending.sent = true
  return waiting
}

const idsCap = 20

/** Only of the first 20: a log line must not grow with the batch. */
export const requestIdsOf = (pendings: readonly Pending[]): string[] => [
  ...new Set(pendings.slice(0, idsCap).map(({ command }) => command.requestId)),
]
