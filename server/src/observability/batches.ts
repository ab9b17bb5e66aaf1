import type { Logger } from 'pino'
import type { Histogram } from 'prom-client'
import {
  type BatchEnd,
  type BatchPath,
  type BatchWatch,
  type Pending,
  requestIdsOf,
  type SettledAs,
} from '../ledger/index.ts'
import type { Metrics } from './metrics.ts'
import type { Tracing } from './tracing.ts'

/** A transaction that takes longer is logged: all commands behind it wait. */
const slowMs = 1_000

type Counted = Readonly<Record<'commands' | 'duration', Histogram.Internal<'path'>>>

/** Counts and traces batches, and logs slow and unknown ones. */
export class Batches implements BatchWatch {
  readonly #metrics: Metrics
  readonly #tracing: Tracing | undefined
  readonly #log: Logger
  readonly #counted: Readonly<Record<BatchPath, Counted>>

  constructor(metrics: Metrics, tracing: Tracing | undefined, log: Logger) {
    this.#metrics = metrics
    this.#tracing = tracing
    this.#log = log
    const countedOf = (path: BatchPath) => ({
      commands: metrics.batchCommands.labels(path),
      duration: metrics.batchDurations.labels(path),
    })
    this.#counted = { optimistic: countedOf('optimistic'), pessimistic: countedOf('pessimistic') }
  }

  origin(): unknown {
    return this.#tracing?.here()
  }

  began(pendings: readonly Pending[], path: BatchPath): (end: BatchEnd) => void {
    const startedMs = performance.now()
    const span = this.#tracing?.batch(pendings, path)
    return (end) => {
      const tookMs = performance.now() - startedMs
      const { commands, duration } = this.#counted[path]
      commands.observe(pendings.length)
      duration.observe(tookMs / 1000)
      this.#metrics.batches.inc({ path, end })
      span?.(end)
      if (tookMs < slowMs && end !== 'unknown') return
      const words = end === 'unknown' ? 'a COMMIT got no answer' : 'a slow batch'
      this.#log.warn(
        { path, end, commands: pendings.length, ms: Math.round(tookMs), requestIds: requestIdsOf(pendings) },
        words,
      )
    }
  }

  settled(pendings: readonly Pending[], found: SettledAs): void {
    this.#metrics.lostCommits.inc({ found })
    const fields = { found, commands: pendings.length, requestIds: requestIdsOf(pendings) }
    this.#log.warn(fields, 'the outcome of a COMMIT without an answer')
  }
}
