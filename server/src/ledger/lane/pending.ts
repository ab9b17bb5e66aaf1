import { overloaded, type Refusal, Refused } from '../../errors.ts'
import type { Outcome, Posted, Rehearsed } from '../rules/command.ts'

/** A command whose caller waits for its outcome, until the deadline at the latest. */
export class Pending {
  readonly command: Posted
  readonly deadlineMs: number
  readonly outcome: Promise<Outcome | Rehearsed>
  /** Times that a database was lost under it. */
  attempts = 0
  /** Whether it was taken into a batch before: it no longer tells how long the queue is. */
  taken = false
  /** Whether it was ever sent to a database: what was not is answered sooner. */
  sent = false
  /** When it came, in the time in which this process ran. */
  sinceMs = 0
  /** Where it comes from, for whoever watches. */
  origin: unknown
  /** Whether it was answered: it must not be sent any more. */
  ended = false
  #resolve!: (outcome: Outcome | Rehearsed) => void
  #reject!: (error: Error) => void
  readonly #waiting: Set<Pending>

  /** Counts among those waiting until it has ended. */
  constructor(command: Posted, deadlineMs: number, waiting: Set<Pending>) {
    this.command = command
    this.deadlineMs = deadlineMs
    this.#waiting = waiting
    waiting.add(this)
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  end(outcome: Outcome | Rehearsed): void {
    this.#leave()
    this.#resolve(outcome)
  }

  refuse(refusal: Refusal): void {
    this.fail(new Refused(refusal))
  }

  fail(error: Error): void {
    this.#leave()
    this.#reject(error)
  }

  #leave(): void {
    this.ended = true
    this.#waiting.delete(this)
  }
}

/** Those that still wait and are in time; who waited too long is told so. */
export function dropExpired(pendings: readonly Pending[], nowMs: number): Pending[] {
  return pendings.filter((pending) => {
    if (pending.ended) return false
    if (pending.deadlineMs > nowMs) return true
    pending.refuse(overloaded)
    return false
  })
}

/** Those that still wait, from now on as sent. */
export function toSend(pendings: readonly Pending[]): Pending[] {
  const waiting = pendings.filter(({ ended }) => !ended)
  for (const pending of waiting) pending.sent = true
  return waiting
}

const idsCap = 20

/** Of the first of them: a line of the log must not grow with a batch. */
export const requestIdsOf = (pendings: readonly Pending[]): string[] => [
  ...new Set(pendings.slice(0, idsCap).map(({ command }) => command.requestId)),
]
