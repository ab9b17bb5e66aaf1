import { release } from '../config/release.ts'
import { clockProblem, readClockGapMs } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { checkDurability, type Durability } from '../db/durability.ts'
import { missingMigrations, readMigrations, SchemaMismatch } from '../db/migrate.ts'

export type Readiness = { readonly ready: boolean; readonly why?: string }

/** Any client may request it, so the database is queried no more often than this. */
const freshForMs = 500

/**
 * Whether this process can serve requests: the database is reachable and durable, its clock agrees with ours,
 * and its schema supports this release.
 */
export class Probe {
  readonly #db: Database
  readonly #durability: Durability
  readonly #migrations = readMigrations()
  #last: Promise<Readiness> | undefined
  #askedAtMs = 0

  constructor(db: Database, durability: Durability) {
    this.#db = db
    this.#durability = durability
  }

  check(): Promise<Readiness> {
    const nowMs = performance.now()
    if (!this.#last || nowMs - this.#askedAtMs > freshForMs) {
      this.#askedAtMs = nowMs
      this.#last = this.#ask()
    }
    return this.#last
  }

  async #ask(): Promise<Readiness> {
    try {
      const missing = await missingMigrations(this.#db, this.#migrations, release)
      if (missing > 0)
        return { ready: false, why: `The schema lacks ${missing} migrations; run the migrate command.` }
      const lack = await checkDurability(this.#db, this.#durability)
      const why = lack ?? clockProblem(await readClockGapMs(this.#db))
      return why === undefined ? { ready: true } : { ready: false, why }
    } catch (error) {
      if (error instanceof SchemaMismatch) return { ready: false, why: error.message }
      return { ready: false, why: 'The database can’t be reached.' }
    }
  }
}
