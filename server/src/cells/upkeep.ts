import type { Directory } from './directory.ts'
import { confirmNew, forgetUnmade, listUnmade, ownHeads, readNames, setNames } from './store.ts'

const everyMs = 600_000
const firstMs = 30_000
const pageSize = 1_000

/**
 * What a cell does now and then in a directory of its own: ends creations that were cut off, and copies names
 * that were changed while the directory was away.
 */
export class CellUpkeep {
  readonly #directory: Directory
  readonly #onFault: (error: unknown) => void
  readonly #timers: readonly NodeJS.Timeout[]

  constructor(directory: Directory, onFault: (error: unknown) => void) {
    this.#directory = directory
    this.#onFault = onFault
    const look = () => void this.run().catch(this.#onFault)
    this.#timers = directory.isOwn
      ? []
      : [setTimeout(look, firstMs).unref(), setInterval(look, everyMs).unref()]
  }

  async run(): Promise<void> {
    await this.endUnmade()
    await this.#copyNames()
  }

  /** A realm with a head here exists: only its confirmation was lost. Without one, its id is free again. */
  async endUnmade(): Promise<void> {
    const { db, own, cell } = this.#directory
    for (const realm of await listUnmade(db, cell, pageSize)) {
      const [head] = await ownHeads(own, realm - 1, 1)
      if (head?.realm === realm) await confirmNew(db, [realm])
      else await forgetUnmade(db, realm)
    }
  }

  async #copyNames(): Promise<void> {
    const { db, own } = this.#directory
    for (let after: number | undefined = 0; after !== undefined; ) {
      const heads = await ownHeads(own, after, pageSize)
      after = heads.at(-1)?.realm
      if (heads.length === 0) return
      const realms = heads.map(({ realm }) => realm)
      await setNames(db, await readNames(own, realms))
    }
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }
}
