import type { Database } from '../db/database.ts'
import type { Directory } from './directory.ts'
import { type DroppedHead, dropHeads, findMisplaced, ownHeads } from './store.ts'

/** Heads compared in one statement. */
const pageSize = 1_000
const retryMs = 1_000

export type ReconciliationOptions = {
  readonly directory: Directory
  /** The cell's database by sessions of its own: others are refused after a failover until this is done. */
  readonly direct: Database
  /** Called with heads that were deleted because their realms are elsewhere. */
  readonly onDropped: (heads: readonly DroppedHead[]) => void
  readonly onFault: (error: unknown) => void
}

/**
 * Compares the heads of this cell with the directory, at start and after each failover: a database that was
 * restored, or lost its last transactions, may have heads of realms that have moved away since. They are
 * deleted before this process is ready; after a failover, before it uses any session of the new primary.
 */
export class Reconciliation {
  readonly #options: ReconciliationOptions
  #isDone: boolean
  /** Whether transactions were lost, perhaps those with which realms left, and heads are not compared. */
  #isDoubtful = false
  #runs = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ReconciliationOptions) {
    this.#options = options
    this.#isDone = options.directory.isAlone
    const { own } = options.directory
    own.onFailover(() => {
      this.#isDoubtful = !options.directory.isAlone
      void this.run()
    })
    // A lane writes as soon as it has a session: before it could learn that the realm is elsewhere.
    own.onSession(() => {
      if (this.#isDoubtful) throw new Error('the realms of this cell are being compared with the directory')
    })
  }

  /** Whether the heads are known to be right. */
  get isDone(): boolean {
    return this.#isDone
  }

  /** Resolves after the first attempt; a failed one is repeated until it succeeds. */
  async run(): Promise<void> {
    const { directory, onFault } = this.#options
    this.#isDone = directory.isAlone
    if (this.#isDone || this.#isClosed) return
    clearTimeout(this.#timer)
    const run = ++this.#runs
    try {
      await this.#compare()
      // A failover during the comparison begins another one.
      if (run !== this.#runs) return
      this.#isDone = true
      this.#isDoubtful = false
    } catch (error) {
      onFault(error)
      if (run === this.#runs && !this.#isClosed)
        this.#timer = setTimeout(() => void this.run(), retryMs).unref()
    }
  }

  async #compare(): Promise<void> {
    const { directory, direct, onDropped } = this.#options
    const { db, cell } = directory
    for (let after: number | undefined = 0; after !== undefined; ) {
      const heads = await ownHeads(direct, after, pageSize)
      after = heads.at(-1)?.realm
      const misplaced = heads.length === 0 ? [] : await findMisplaced(db, cell, heads)
      if (misplaced.length > 0) onDropped(await dropHeads(direct, misplaced))
    }
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }
}
