import type { Database } from '../../db/database.ts'
import type { Chains } from '../chains/index.ts'
import { leaseSeconds, Reading } from './reading.ts'
import { type Due, due, fail, type LeasedReading, lease } from './readingStore.ts'

export const holdingsEverySeconds = 1
/** At a time, in this process. */
const readingsCap = 2
/** At the latest, after a chain could not be read; its endpoints back off by themselves. */
const againSeconds = 10

export type WorkerOptions = {
  readonly db: Database
  readonly chains: Chains
  readonly everySeconds: number
  readonly onFault: (error: unknown, due: Due) => void
  /** Called after each look at what is due. */
  readonly onLooked?: (() => void) | undefined
}

/**
 * Reads what is due, in the background. In several processes too: one of them reads each chain of a realm.
 */
export class Worker {
  readonly #options: WorkerOptions
  readonly #looking: NodeJS.Timeout | undefined
  readonly #underWay = new Set<Promise<void>>()
  #looks = false
  #closed = false

  constructor(options: WorkerOptions) {
    this.#options = options
    if (options.chains.ids.length > 0)
      this.#looking = setInterval(() => void this.#look(), holdingsEverySeconds * 1000).unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#looking)
    await Promise.all(this.#underWay)
  }

  async #look(): Promise<void> {
    const free = readingsCap - this.#underWay.size
    if (this.#looks || this.#closed || free <= 0) return
    this.#looks = true
    try {
      const { db, chains } = this.#options
      for (const one of await due(db, chains.ids, free)) this.#begin(one)
      this.#options.onLooked?.()
    } catch {
      // The lanes log an unreachable database.
    } finally {
      this.#looks = false
    }
  }

  #begin(one: Due): void {
    const reading = this.#read(one).finally(() => this.#underWay.delete(reading))
    this.#underWay.add(reading)
  }

  async #read(one: Due): Promise<void> {
    const { db, chains, everySeconds, onFault } = this.#options
    const own = db.writing([one.realm])
    let mine: LeasedReading | undefined
    try {
      const chain = chains.get(one.chain)
      if (!chain || this.#closed) return
      mine = await lease(own, one, { seconds: leaseSeconds, everySeconds })
      if (mine) await new Reading(db, chain, mine).run()
    } catch (error) {
      if (!mine) return
      // Logged once, until the chain is read again. The lanes log an unreachable database.
      const isNew = await fail(own, mine, Math.min(againSeconds, everySeconds)).catch(() => false)
      if (isNew) onFault(error, one)
    }
  }
}
