import type { Audit } from '../audit/index.ts'
import { readClockGapMs } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { withTimeout } from '../db/withTimeout.ts'
import type { Heard } from './gauges.ts'
import { readStandbys } from './store.ts'

/** However often it is requested, the database is queried no more often than this. */
const freshForMs = 1_000
const withinMs = 2_000
/** Verifications are hours apart. */
const verifiedForMs = 15_000

const silence: Heard = {
  up: false,
  standbys: undefined,
  standbyNeeded: undefined,
  clockGapMs: undefined,
  verified: undefined,
}

/** The database's status, for metrics and health. */
export class Hearing {
  readonly #db: Database
  readonly #audit: Audit
  #heard: Heard = silence
  #asking: Promise<void> | undefined
  #askedAtMs = Number.NEGATIVE_INFINITY
  #verified: Heard['verified']
  #verifiedAtMs = Number.NEGATIVE_INFINITY

  constructor(db: Database, audit: Audit) {
    this.#db = db
    this.#audit = audit
  }

  get latest(): Heard {
    return this.#heard
  }

  /** Resolves when the status is current, or the database has not answered in time. */
  refresh(): Promise<void> {
    if (this.#asking) return this.#asking
    if (performance.now() - this.#askedAtMs < freshForMs) return Promise.resolve()
    this.#askedAtMs = performance.now()
    this.#asking = withTimeout(this.#ask(), withinMs, () => new Error('no answer'))
      .then(
        (heard) => {
          this.#heard = heard
        },
        () => {
          this.#heard = silence
        },
      )
      .finally(() => {
        this.#asking = undefined
      })
    return this.#asking
  }

  async #ask(): Promise<Heard> {
    const found = await readStandbys(this.#db)
    const clockGapMs = await readClockGapMs(this.#db)
    if (performance.now() - this.#verifiedAtMs > verifiedForMs) {
      this.#verified = await this.#audit.lastVerified()
      this.#verifiedAtMs = performance.now()
    }
    return {
      up: true,
      standbys: found?.hidden ? undefined : found?.standbys,
      standbyNeeded: found?.needed,
      clockGapMs,
      verified: this.#verified,
    }
  }
}
