import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { Lease } from '../../db/lease.ts'
import { RefusalError } from '../../errors.ts'
import { endFeed, trimChanges } from './store.ts'

const firstLookMs = 1_000
/** While the feed is on: a busy server adds some 6,000 rows a second. */
const everySeconds = 60
/** While it is off, there is little to do. */
const everySecondsOff = 3_600

export const feedEverySeconds = (isOn: boolean): number => (isOn ? everySeconds : everySecondsOff)

/** While it is off and another process deletes: that one may keep what this one has to delete. */
const againAfterMs = 1_000
/** Rows deleted in one transaction: takes some 50 milliseconds. */
const most = 5_000
/** Transactions per look: 500,000 rows. */
const passCap = 100
/** Longer than one pass and its pause. */
const leaseSeconds = 60

export type FeedRetentionOptions = {
  readonly db: Database
  readonly isOn: boolean
  readonly keepHours: number
  /** Called after each pass, also when another process does it. */
  readonly onDone?: (() => void) | undefined
  readonly onFault: (error: unknown) => void
}

/**
 * Deletes old changes. One process at a time does it. Where the feed is off, it deletes all of them and ends
 * the use of earlier cursors, as this process records nothing.
 */
export class FeedRetention {
  readonly #options: FeedRetentionOptions
  readonly #lease: Lease
  readonly #timers: readonly NodeJS.Timeout[]
  #again: NodeJS.Timeout | undefined
  #busy: Promise<void> | undefined
  #closed = false

  constructor(options: FeedRetentionOptions) {
    this.#options = options
    this.#lease = new Lease(options.db, 'changes', leaseSeconds)
    const everyMs = feedEverySeconds(options.isOn) * 1000
    this.#timers = [
      setTimeout(() => void this.trim(), firstLookMs).unref(),
      setInterval(() => void this.trim(), everyMs).unref(),
    ]
  }

  trim(): Promise<void> {
    this.#busy ??= this.#run()
      .then(() => this.#options.onDone?.())
      .catch((error: unknown) => {
        // The lanes log an unreachable database.
        if (!(error instanceof RefusalError)) this.#options.onFault(error)
      })
      .finally(() => {
        this.#busy = undefined
      })
    return this.#busy
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const timer of this.#timers) clearTimeout(timer)
    clearTimeout(this.#again)
    await this.#busy
  }

  async #run(): Promise<void> {
    const { db, isOn, keepHours } = this.#options
    // Not only for the process with the lease: each has its own setting.
    if (!isOn) await endFeed(db)
    try {
      for (let pass = 0; pass < passCap && !this.#closed; pass++) {
        if (!(await this.#lease.take())) {
          if (!isOn) this.#trimAgain()
          return
        }
        const startedMs = performance.now()
        if ((await trimChanges(db, isOn ? keepHours : 0, most)) < most) return
        await sleep(performance.now() - startedMs, undefined, { ref: false })
      }
    } finally {
      await this.#lease.leave().catch(() => {})
    }
  }

  #trimAgain(): void {
    if (!this.#closed) this.#again = setTimeout(() => void this.trim(), againAfterMs).unref()
  }
}
