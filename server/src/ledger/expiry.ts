import type { Database } from '../db/database.ts'
import { Refused } from '../errors.ts'
import { dueHolds } from './asideStore.ts'
import type { Outcome, Release } from './command.ts'

const lookEveryMs = 1_000
const most = 500
/** Holds that can't end yet, such as at the greatest balance, keep others waiting only beyond so many. */
const stuckCap = 2_000

export type ExpiryOptions = {
  readonly db: Database
  readonly post: (command: Release) => Promise<Outcome>
  readonly onFault: (error: unknown) => void
}

/** Ends holds whose time has run out. Several processes may: each hold ends once. */
export class Expiry {
  readonly #options: ExpiryOptions
  readonly #looking: NodeJS.Timeout
  #busy: Promise<void> | undefined
  #stuck = 0

  constructor(options: ExpiryOptions) {
    this.#options = options
    this.#looking = setInterval(() => this.#look(), lookEveryMs).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#looking)
    await this.#busy
  }

  #look(): void {
    this.#busy ??= this.#end()
      .catch((error: unknown) => {
        // A database that is away is told of by whoever writes.
        if (!(error instanceof Refused)) this.#options.onFault(error)
      })
      .finally(() => {
        this.#busy = undefined
      })
  }

  async #end(): Promise<void> {
    const { db, post } = this.#options
    const common = {
      kind: 'expire',
      key: 0,
      requestId: 'expiry',
      retry: undefined,
      details: undefined,
    } as const
    // One that another process has just ended, or that can't be reached now, is looked at again.
    const due = await dueHolds(db, most + this.#stuck)
    const ended = await Promise.allSettled(due.map(({ realm, seq }) => post({ ...common, realm, hold: seq })))
    const stuck = ended.filter((one) => one.status === 'fulfilled' && isStuck(one.value))
    this.#stuck = Math.min(stuck.length, stuckCap)
  }
}

const isStuck = (outcome: Outcome): boolean =>
  outcome.kind === 'refused' && outcome.refusal.code === 'balance_limit'
