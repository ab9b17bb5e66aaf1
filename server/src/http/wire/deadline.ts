import { type Refusal, RefusalError } from '../../errors.ts'
import { Line, Place } from '../../line.ts'

const reads: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'QUERY'])

function refusalOf(method: string | undefined): Refusal {
  const headers = { 'retry-after': '1' }
  if (reads.has(method)) return { code: 'unavailable', detail: 'The request timed out; try again.', headers }
  const detail =
    'The request timed out. The change may or may not have happened; retry with the same ' +
    'Idempotency-Key to find out.'
  return { code: 'outcome_unknown', detail, headers }
}

/** The response to a request that timed out: the outcome of a write is unknown. */
export const tooLate = (method: string | undefined): RefusalError => new RefusalError(refusalOf(method))

/** A request may be answered this much after its deadline, at most. */
const checkEveryMs = 100

/** A request that waits for its answer. */
export class Waiting extends Place {
  dueMs = 0
}

/** Answers requests that time out. All have the same time, so they are due in their order of arrival. */
export class Deadlines<One extends Waiting> {
  readonly #timeoutMs: number
  readonly #late: (waiting: One) => void
  readonly #line = new Line<One>()
  /** One for all. */
  #timer: NodeJS.Timeout | undefined

  constructor(timeoutMs: number, late: (waiting: One) => void) {
    this.#timeoutMs = timeoutMs
    this.#late = late
  }

  begin(waiting: One, nowMs: number): void {
    waiting.dueMs = nowMs + this.#timeoutMs
    this.#line.add(waiting)
    this.#timer ??= setInterval(() => this.#check(performance.now()), checkEveryMs)
  }

  end(waiting: One): void {
    this.#line.remove(waiting)
  }

  #check(nowMs: number): void {
    for (const waiting of this.#line) {
      if (waiting.dueMs > nowMs) return
      this.#line.remove(waiting)
      this.#late(waiting)
    }
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
