import { Coalescer } from '../../db/coalesce.ts'
import type { RealmScoped, RealmWriter } from '../../db/rowSecurity.ts'
import { type HashAddress, hashAddressWith } from './address.ts'
import { makeKey, readKeys } from './addressStore.ts'

/**
 * Hashes addresses with the keys of their realms: one statement for all requests that wait. Keys are not
 * cached: a failover may lose the key that a realm was given a moment before.
 */
export class AddressKeys {
  readonly #db: RealmWriter
  readonly #reads: Coalescer<number, Buffer | null>

  constructor(db: RealmScoped & RealmWriter) {
    this.#db = db
    const read = async (asked: readonly number[]) => {
      const realms = [...new Set(asked)]
      const keys = await readKeys(db.within(realms), realms)
      return asked.map((realm) => keys.get(realm) ?? null)
    }
    this.#reads = new Coalescer(read, { cap: 128, parallel: 2 })
  }

  async hasher(realm: number): Promise<HashAddress> {
    const key = await this.#reads.get(realm)
    return hashAddressWith(key ?? (await makeKey(this.#db.writing([realm]), realm)))
  }
}
