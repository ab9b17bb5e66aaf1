import type { Database } from './db/database.ts'
import { missingMigrations, readMigrations, SchemaMismatch } from './db/migrate.ts'
import { release } from './release.ts'

export type Readiness = { readonly ready: boolean; readonly why?: string }

/** Anyone may ask, so the database is asked no more often than this. */
const freshForMs = 500

/** Can this process serve: is the database there, and does its schema carry this release? */
export class Probe {
  readonly #db: Database
  readonly #migrations = readMigrations()
  #last: Promise<Readiness> | undefined
  #askedAtMs = 0

  constructor(db: Database) {
    this.#db = db
  }

  check(): Promise<Readiness> {
    const nowMs = Date.now()
    if (!this.#last || nowMs - this.#askedAtMs > freshForMs) {
      this.#askedAtMs = nowMs
      this.#last = this.#ask()
    }
    return this.#last
  }

  async #ask(): Promise<Readiness> {
    try {
      const missing = await missingMigrations(this.#db, this.#migrations, release)
      if (missing === 0) return { ready: true }
      return { ready: false, why: `The schema lacks ${missing} migrations; run the migrate command.` }
    } catch (error) {
      if (error instanceof SchemaMismatch) return { ready: false, why: error.message }
      return { ready: false, why: 'The database can’t be reached.' }
    }
  }
}
