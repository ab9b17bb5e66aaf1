import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { Lease } from '../../db/lease.ts'
import { RefusalError } from '../../errors.ts'
import type { Outcome, Release } from '../rules/command.ts'
import { type DueHold, dueHolds } from './expiryStore.ts'

const lookEveryMs = 1_000
/** Few enough that clients' commands, which share the lanes, wait 20 ms at most. */
const most = 200
/** Passes without waiting for the next interval: 10,000 holds. */
const passCap = 50
const leaseSeconds = 4

export type ExpiryOptions = {
  readonly db: Database
  readonly post: (command: Release) => Promise<Outcome>
  readonly onFault: (error: unknown) => void
}

/**
 * Releases holds that have expired. One process does it, which holds a lease; if two did, each hold would
 * still end once. A hold that can't end is postponed by the decision itself.
 */
export class Expiry {
  readonly #options: ExpiryOptions
  readonly #lease: Lease
  readonly #looking: NodeJS.Timeout
  #busy: Promise<void> | undefined
  #closed = false

  constructor(options: ExpiryOptions) {
    this.#options = options
    this.#lease = new Lease(options.db, 'expiry', leaseSeconds)
    this.#looking = setInterval(() => this.#look(), lookEveryMs).unref()
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
    for (let pass = 0; pass < passCap && !this.#closed; pass++) {
      if (!(await this.#lease.take())) return
      const due = await dueHolds(db, most)
      const startedMs = performance.now()
      const isAnyDecided = await this.#end(due)
      // What could not even be decided is retried a second later.
      if (due.length < most || !isAnyDecided) return
      // Pauses for as long as the pass took, and leaves the lanes to clients.
      await sleep(performance.now() - startedMs, undefined, { ref: false })
    }
  }

  async #end(due: readonly DueHold[]): Promise<boolean> {
    const { post } = this.#options
    const common = {
      kind: 'expire',
      key: 0,
      requestId: 'expiry',
      retry: undefined,
      details: undefined,
    } as const
    const ended = await Promise.allSettled(due.map(({ realm, seq }) => post({ ...common, realm, hold: seq })))
    return ended.some(({ status }) => status === 'fulfilled')
  }
}
