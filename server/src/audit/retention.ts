import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { Lease } from '../db/lease.ts'
import { RefusalError } from '../errors.ts'
import { trimActs } from './store.ts'

export const auditEverySeconds = 3_600
const firstLookMs = 1_000
/** Rows deleted in one transaction: takes a few milliseconds. */
const most = 500
/** Transactions per hour: 100,000 rows. */
const passCap = 200
/** Longer than one pass and its pause. */
const leaseSeconds = 60

export type RetentionOptions = {
  readonly db: Database
  /** 0 keeps everything. */
  readonly keepDays: number
  /** Called after each pass, also when another process does it. */
  readonly onDone?: (() => void) | undefined
  readonly onTrimmed: (count: number) => void
  readonly onFault: (error: unknown) => void
}

/** Deletes audit rows older than the configured retention. One process at a time does it. */
export class AuditRetention {
  readonly #options: RetentionOptions
  readonly #lease: Lease
  readonly #timers: readonly NodeJS.Timeout[]
  #busy: Promise<void> | undefined
  #closed = false

  constructor(options: RetentionOptions) {
    this.#options = options
    this.#lease = new Lease(options.db, 'audit', leaseSeconds)
    this.#timers =
      options.keepDays === 0
        ? []
        : [
            setTimeout(() => this.#look(), firstLookMs).unref(),
            setInterval(() => this.#look(), auditEverySeconds * 1000).unref(),
          ]
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const timer of this.#timers) clearTimeout(timer)
    if (this.#timers.length === 0) return
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
    const { db, keepDays, onTrimmed } = this.#options
    let trimmed = 0
    for (let pass = 0; pass < passCap && !this.#closed; pass++) {
      if (!(await this.#lease.take())) break
      const startedMs = performance.now()
      const count = await trimActs(db, keepDays, most)
      trimmed += count
      if (count < most) break
      // Pauses for four times as long as the pass took, and leaves the database to clients.
      await sleep(4 * (performance.now() - startedMs), undefined, { ref: false })
    }
    if (trimmed > 0) onTrimmed(trimmed)
  }
}
