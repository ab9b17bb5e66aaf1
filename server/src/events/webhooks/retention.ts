import type { Database } from '../../db/database.ts'
import { Lease } from '../../db/lease.ts'
import { RefusalError } from '../../errors.ts'
import { trimLogs } from './logStore.ts'

const lookEveryMs = 600_000
const leaseSeconds = 60
/** Rows deleted in one transaction. */
const most = 500
/** Transactions at a time: 50,000 rows. */
const passCap = 100

/** Deletes old deliveries and notices. One process at a time does it. */
export class DeliveryRetention {
  readonly #db: Database
  readonly #onFault: (error: unknown) => void
  readonly #lease: Lease
  readonly #timer: NodeJS.Timeout
  #busy: Promise<void> | undefined
  #isClosed = false

  constructor(db: Database, onFault: (error: unknown) => void) {
    this.#db = db
    this.#onFault = onFault
    this.#lease = new Lease(db, 'deliveries', leaseSeconds)
    this.#timer = setInterval(() => void this.trim(), lookEveryMs).unref()
  }

  trim(): Promise<void> {
    this.#busy ??= this.#run()
      .catch((error: unknown) => {
        if (!(error instanceof RefusalError)) this.#onFault(error)
      })
      .finally(() => {
        this.#busy = undefined
      })
    return this.#busy
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#busy
  }

  async #run(): Promise<void> {
    for (let pass = 0; pass < passCap && !this.#isClosed; pass++) {
      if (!(await this.#lease.take())) return
      if ((await trimLogs(this.#db, most)) < most) return
    }
  }
}
