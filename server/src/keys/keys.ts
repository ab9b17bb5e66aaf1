import type { Database } from '../db/database.ts'
import { refuse } from '../errors.ts'
import { columnsOf, type LimitSetting, settingOf } from '../limits/limits.ts'
import { insertKey, type KeyRow, listKeys, revokeKey, takeNumber } from './store.ts'
import { hashOf, type KeySecret, keyPrefix, makeKeyText } from './text.ts'

export { type Caller, KeyCheck } from './check.ts'
export { type KeySecret, keyPattern } from './text.ts'

/** A key as it is listed: never its text. */
export type Key = {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly revokedAt: Date | null
  readonly rateLimit: LimitSetting
}

export type NewKey = { readonly name: string; readonly rateLimit?: LimitSetting | undefined }

function keyOf(row: KeyRow): Key {
  const { number, name, prefix, last_four: lastFour, created_at: createdAt, revoked_at: revokedAt } = row
  return { id: String(number), name, prefix, lastFour, createdAt, revokedAt, rateLimit: settingOf(row) }
}

/** The keys of realms: issued, listed, revoked. */
export class Keys {
  readonly #db: Database
  readonly #secrets: readonly KeySecret[]

  constructor(db: Database, secrets: readonly KeySecret[]) {
    this.#db = db
    this.#secrets = secrets
  }

  /** Makes a key. Its text is returned here and can't be had again. */
  async issue(
    realm: number,
    { name, rateLimit = 'default' }: NewKey,
  ): Promise<Key & { readonly key: string }> {
    const [current] = this.#secrets
    if (!current) throw new Error('there is no secret to hash keys with')
    const text = makeKeyText()
    const row = await this.#db.transaction(async (tx) => {
      const number = await takeNumber(tx, realm)
      const shown = { prefix: text.slice(0, keyPrefix.length + 4), lastFour: text.slice(-4) }
      return insertKey(tx, {
        realm,
        number,
        secretId: current.id,
        hash: hashOf(text, current),
        name,
        limit: columnsOf(rateLimit),
        ...shown,
      })
    })
    return { ...keyOf(row), key: text }
  }

  async of(realm: number): Promise<Key[]> {
    return (await listKeys(this.#db, realm)).map(keyOf)
  }

  async revoke(realm: number, id: string): Promise<Key> {
    const row = /^[1-9][0-9]{0,8}$/.test(id) ? await revokeKey(this.#db, realm, Number(id)) : undefined
    if (!row) throw refuse('key_not_found', `The realm has no key ${id}.`)
    return keyOf(row)
  }
}
