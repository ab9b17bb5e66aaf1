import type { Database } from '../db/database.ts'
import { Lease } from '../db/lease.ts'
import { withTimeout } from '../db/withTimeout.ts'
import {
  readArchive,
  readBasics,
  readCheckpoints,
  readLargest,
  readSlots,
  readStandbyLag,
  readWalFolder,
  readWalWritten,
} from './postgresStore.ts'

/** However often it is scraped. A scrape waits for the first answer, not longer than this. */
export const factsEverySeconds = 30
const withinMs = 2_000
/** Reading the heads of a million realms takes a second: one process does it, this often. */
const largestEveryMs = 600_000
const leaseSeconds = 900

const none = async (): Promise<undefined> => undefined

/** A part that PostgreSQL does not let this role read, or that a managed service lacks, is absent. */
const unlessDenied = async <T>(part: Promise<T>): Promise<T | undefined> => part.catch(() => undefined)

async function readFacts(db: Database) {
  const basics = await readBasics(db)
  // One after the other: they take a session from requests.
  const archive = await unlessDenied(readArchive(db))
  const walWritten = await unlessDenied(readWalWritten(db))
  const walFolder = await unlessDenied(basics.sees_wal ? readWalFolder(db) : none())
  const checkpoints = await unlessDenied(readCheckpoints(db, basics.version))
  const slots = await unlessDenied(readSlots(db))
  const standbys = await unlessDenied(readStandbyLag(db))
  return { basics, archive, walWritten, walFolder, checkpoints, slots, standbys }
}

export type Facts = Awaited<ReturnType<typeof readFacts>> & {
  readonly largest: Awaited<ReturnType<typeof readLargest>>
}

export type PostgresFactsOptions = {
  readonly db: Database
  readonly onDone: () => void
  readonly nowMs?: () => number
}

/** What PostgreSQL reports of itself, read when it is scraped, twice a minute at most. */
export class PostgresFacts {
  readonly #db: Database
  readonly #lease: Lease
  readonly #onDone: () => void
  readonly #nowMs: () => number
  #facts: Facts | undefined
  #asking: Promise<void> | undefined
  #askedAtMs = Number.NEGATIVE_INFINITY
  #largest: Facts['largest'] = []
  #largestAtMs = Number.NEGATIVE_INFINITY

  constructor({ db, onDone, nowMs = () => performance.now() }: PostgresFactsOptions) {
    this.#db = db
    this.#lease = new Lease(db, 'watch', leaseSeconds)
    this.#onDone = onDone
    this.#nowMs = nowMs
  }

  /** Undefined while PostgreSQL does not answer. */
  get latest(): Facts | undefined {
    return this.#facts
  }

  async refresh(): Promise<void> {
    if (!this.#asking && this.#nowMs() - this.#askedAtMs >= factsEverySeconds * 1000) {
      this.#askedAtMs = this.#nowMs()
      this.#asking = this.#ask().finally(() => {
        this.#asking = undefined
      })
    }
    if (this.#asking) await withTimeout(this.#asking, withinMs, () => new Error('no answer')).catch(() => {})
  }

  /** Another process can read the largest realms. */
  async close(): Promise<void> {
    await this.#asking
    if (this.#largestAtMs > Number.NEGATIVE_INFINITY) await this.#lease.leave().catch(() => {})
  }

  async #ask(): Promise<void> {
    try {
      const facts = await readFacts(this.#db)
      await this.#readLargest()
      this.#facts = { ...facts, largest: this.#largest }
      this.#onDone()
    } catch {
      // The lanes log an unreachable database.
      this.#facts = undefined
    }
  }

  async #readLargest(): Promise<void> {
    if (this.#nowMs() - this.#largestAtMs < largestEveryMs) return
    this.#largestAtMs = this.#nowMs()
    this.#largest = (await this.#lease.take()) ? await readLargest(this.#db) : []
  }
}
