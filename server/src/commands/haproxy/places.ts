import { ConfigError } from '../../config/index.ts'
import type { Database } from '../../db/database.ts'
import { listOutside, listPlaced, readClock } from './store.ts'

/** A realm's cell before and now; undefined is cell 0, which has no entries. */
export type PlaceChange = {
  readonly id: string
  readonly before: number | undefined
  readonly now: number | undefined
}

/** The realms outside of cell 0, and what changed since HAProxy last had all of it. */
export class Places {
  readonly #cells = new Map<string, number>()
  /** The cell that HAProxy has, of each realm that changed. */
  readonly #changed = new Map<string, number | undefined>()
  /** Counts changes. */
  version = 0

  get size(): number {
    return this.#cells.size
  }

  get(id: string): number | undefined {
    return this.#cells.get(id)
  }

  put(id: string, cell: number): void {
    const before = this.#cells.get(id)
    const now = cell === 0 ? undefined : cell
    if (before === now) return
    if (!this.#changed.has(id)) this.#changed.set(id, before)
    if (now === undefined) this.#cells.delete(id)
    else this.#cells.set(id, now)
    this.version += 1
  }

  /** Every realm that is not among these is in cell 0. */
  retain(ids: ReadonlySet<string>): void {
    for (const id of this.#cells.keys()) if (!ids.has(id)) this.put(id, 0)
  }

  entries(): IterableIterator<[string, number]> {
    return this.#cells.entries()
  }

  changes(): PlaceChange[] {
    const all = Array.from(this.#changed, ([id, before]) => ({ id, before, now: this.#cells.get(id) }))
    return all.filter(({ before, now }) => before !== now)
  }

  /** HAProxy has everything now. */
  settle(): void {
    this.#changed.clear()
  }
}

/**
 * A placement has the time at which it was written, and is seen when it is committed: so far back each read
 * begins before the one before it. No transaction that places a realm lasts as long.
 */
const overlapUs = 10_000_000n
/** A read of everything, which finds whatever the overlap may have missed. */
const wholeEveryMs = 600_000

/** Follows the directory by the time of the last placement. */
export class PlaceReader {
  readonly #db: Database
  #sinceUs: bigint | undefined
  #wholeAtMs = 0

  constructor(db: Database) {
    this.#db = db
    // The clock of another primary may be behind, and it may lack the last placements.
    db.onFailover(() => {
      this.#sinceUs = undefined
    })
  }

  async read(places: Places): Promise<void> {
    if (performance.now() - this.#wholeAtMs > wholeEveryMs) this.#sinceUs = undefined
    const clock = await readClock(this.#db)
    if (clock.cell !== 0)
      throw new ConfigError(
        `This is the database of cell ${clock.cell}, not the directory. Set DIRECTORY_URL to that of cell 0.`,
      )
    const sinceUs = this.#sinceUs
    if (sinceUs === undefined) await this.#readAll(places)
    else await listPlaced(this.#db, sinceUs - overlapUs, (id, cell) => places.put(id, cell))
    this.#sinceUs = clock.at_us
  }

  async #readAll(places: Places): Promise<void> {
    const seen = new Set<string>()
    await listOutside(this.#db, (id, cell) => {
      seen.add(id)
      places.put(id, cell)
    })
    places.retain(seen)
    this.#wholeAtMs = performance.now()
  }
}
