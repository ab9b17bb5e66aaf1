import { areApart, clockProblem, readClockGapMs } from '../../db/clock.ts'
import { Lease } from '../../db/lease.ts'
import { RefusalError } from '../../errors.ts'
import { type PageEnd, type SweepTools, sweepPage } from './sweep.ts'
import { type DuePoint, dueLapses } from './sweepStore.ts'

export const lapsesEverySeconds = 5
/** Point types searched in turn, a page of each at a time, so that none waits for a large one. */
const most = 100
const leaseSeconds = 30

export type LapsesOptions = SweepTools & {
  /** Called after each pass, also when another process does it. */
  readonly onDone?: (() => void) | undefined
  readonly onFault: (error: unknown) => void
}

/**
 * Lapses points that are due: once a day in each point type with a rule, from midnight in its time zone. One
 * process does it, which holds a lease; if two did, each lot would still lapse once, as the amount is decided
 * under the head lock. A process that ends in between leaves the place from which the next one goes on.
 */
export class Lapses {
  readonly #options: LapsesOptions
  readonly #lease: Lease
  readonly #looking: NodeJS.Timeout
  #busy: Promise<void> | undefined
  #closed = false

  constructor(options: LapsesOptions) {
    this.#options = options
    this.#lease = new Lease(options.db, 'lapse', leaseSeconds)
    this.#looking = setInterval(() => this.#look(), lapsesEverySeconds * 1000).unref()
  }

  /** Releases the lease to the other processes. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#looking)
    await this.#busy
    await this.#lease.leave().catch(() => {})
  }

  #look(): void {
    this.#busy ??= this.#run()
      .then(() => this.#options.onDone?.())
      .catch((error: unknown) => {
        // The lanes log an unreachable database.
        if (!(error instanceof RefusalError)) this.#options.onFault(error)
      })
      .finally(() => {
        this.#busy = undefined
      })
  }

  async #run(): Promise<void> {
    const { db } = this.#options
    while (!this.#closed && (await this.#lease.take())) {
      const due = await dueLapses(db, most)
      if (due.length === 0) return
      // By a wrong clock points would lapse on a wrong day.
      const gapMs = await readClockGapMs(db)
      if (areApart(gapMs)) throw new Error(clockProblem(gapMs))
      let isAnyDone = false
      for (const point of due) {
        if (this.#closed) return
        const end = await this.#page(point).catch((error: unknown) => this.#failed(error))
        if (end === 'lost') return
        isAnyDone ||= end !== 'later'
      }
      if (!isAnyDone) return
    }
  }

  /** One realm's error must not keep the others waiting. */
  #failed(error: unknown): PageEnd {
    // The lanes log an unreachable database.
    if (!(error instanceof RefusalError)) this.#options.onFault(error)
    return 'later'
  }

  #page(point: DuePoint): Promise<PageEnd> {
    const isStopped = async () => this.#closed || !(await this.#lease.take())
    return sweepPage(point, { ...this.#options, isStopped })
  }
}
