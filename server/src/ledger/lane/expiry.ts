import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { Lease } from '../../db/lease.ts'
import { Refused } from '../../errors.ts'
import type { Outcome, Release } from '../rules/command.ts'
import { type DueHold, dueHolds } from './expiryStore.ts'

const lookEveryMs = 1_000
/** Few enough that commands of clients, which they share lanes with, wait some 20 ms at most. */
const most = 200
/** Passes without a look at the clock between them: 10,000 holds. */
const passCap = 50
const leaseSeconds = 4

export type ExpiryOptions = {
  readonly db: Database
  readonly post: (command: Release) => Promise<Outcome>
  readonly onFault: (error: unknown) => void
}

/**
 * Ends holds whose time has run out. One process of all does it, which holds a lease; were there two, each
 * hold would still end once. A hold that can't end is put off by the decision itself.
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

  /** Leaves the lease to the others. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#looking)
    await this.#busy
    await this.#lease.leave().catch(() => {})
  }

  #look(): void {
    this.#busy ??= this.#run()
      .catch((error: unknown) => {
        // A database that is away is logged by the lanes.
        if (!(error instanceof Refused)) this.#options.onFault(error)
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
      // What could not even be decided is looked at again a second later.
      if (due.length < most || !isAnyDecided) return
      // Clients have as much of the lanes as it took.
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
