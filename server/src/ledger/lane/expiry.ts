import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { Lease } from '../../db/lease.ts'
import { RefusalError } from '../../errors.ts'
import type { EndAward, Outcome, Release } from '../rules/command.ts'
import { type Due, readDue } from './expiryStore.ts'

export const expiryEverySeconds = 1
/** Few enough that clients' commands, which share the lanes, wait 20 ms at most. */
const most = 200
/** Passes without waiting for the next interval: 10,000 holds, and as many awards. */
const passCap = 50
const leaseSeconds = 4

export type ExpiryOptions = {
  readonly db: Database
  readonly post: (command: Release | EndAward) => Promise<Outcome>
  /** Called after each pass, also when another process does it. */
  readonly onDone?: (() => void) | undefined
  readonly onFault: (error: unknown) => void
}

/**
 * Releases holds that have expired and grants awards that are due. One process does it, which holds a lease;
 * if two did, each would still end once. One that can't end is postponed by the decision itself.
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
    this.#looking = setInterval(() => this.#look(), expiryEverySeconds * 1000).unref()
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
    for (let pass = 0; pass < passCap && !this.#closed; pass++) {
      if (!(await this.#lease.take())) return
      const due = await readDue(db, most)
      const startedMs = performance.now()
      const isAnyDecided = await this.#end(due)
      // What could not even be decided is retried a second later.
      if (due.length < most || !isAnyDecided) return
      // Pauses for as long as the pass took, and leaves the lanes to clients.
      await sleep(performance.now() - startedMs, undefined, { ref: false })
    }
  }

  async #end(due: readonly Due[]): Promise<boolean> {
    const { post } = this.#options
    const common = { key: 0, requestId: 'expiry', retry: undefined, details: undefined } as const
    const ended = await Promise.allSettled(
      due.map(({ realm, seq, what }) =>
        post(
          what === 'hold'
            ? { ...common, kind: 'expire', realm, hold: seq }
            : { ...common, kind: 'due', realm, award: seq },
        ),
      ),
    )
    return ended.some(({ status }) => status === 'fulfilled')
  }
}
