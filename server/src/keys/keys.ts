import { createHmac } from 'node:crypto'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/session.ts'
import { Refused, refuse, unavailable } from '../errors.ts'
import { findKey, insertKey, type KeyRow, listKeys, revokeKey, takeNumber } from './store.ts'
import { isKeyText, keyPrefix, makeKeyText } from './text.ts'

export { keyPattern } from './text.ts'

/** What keys are hashed with. The first is used for new keys; the others still open what they once made. */
export type KeySecret = { readonly id: string; readonly secret: string }

/** A key as it is listed: never its text. */
export type Key = {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly revokedAt: Date | null
}

/** Who is calling: the key's realm and its number there. */
export type Caller = { readonly realm: number; readonly realmId: string; readonly key: number }

const hashOf = (text: string, { secret }: KeySecret): Buffer =>
  createHmac('sha256', secret).update(text).digest()

function keyOf(row: KeyRow): Key {
  const { number, name, prefix, last_four: lastFour, created_at: createdAt, revoked_at: revokedAt } = row
  return { id: String(number), name, prefix, lastFour, createdAt, revokedAt }
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
  async issue(realm: number, name: string): Promise<Key & { readonly key: string }> {
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

/**
 * A revocation must hold everywhere within a second, so what was confirmed is asked for again after half of
 * one.
 */
const confirmedForMs = 500
const confirmWithinMs = 1_000
const remembered = 10_000

type Confirmed = { readonly caller: Caller; readonly atMs: number }

/** Checks keys, from memory while a key's last confirmation is fresh. */
export class KeyCheck {
  readonly #db: Queryable
  readonly #secrets: readonly KeySecret[]
  readonly #confirmed = new Map<string, Confirmed>()
  readonly #asking = new Map<string, Promise<Caller | undefined>>()

  constructor(db: Queryable, secrets: readonly KeySecret[]) {
    this.#db = db
    this.#secrets = secrets
  }

  /** Undefined for a key that opens nothing. A key that can't be confirmed is answered 503. */
  check(text: string): Caller | undefined | Promise<Caller | undefined> {
    const known = this.#confirmed.get(text)
    if (known && performance.now() - known.atMs < confirmedForMs) return known.caller
    if (!isKeyText(text)) return undefined
    let asking = this.#asking.get(text)
    if (!asking) {
      asking = this.#ask(text).finally(() => this.#asking.delete(text))
      this.#asking.set(text, asking)
    }
    return asking
  }

  async #ask(text: string): Promise<Caller | undefined> {
    const atMs = performance.now()
    const hashes = this.#secrets.map((secret) => hashOf(text, secret))
    const row = await findKey(this.#db, hashes)
    this.#confirmed.delete(text)
    // An answer that is older than a second confirms nothing.
    if (performance.now() - atMs > confirmWithinMs) throw new Refused(unavailable)
    if (!row) return undefined
    const caller = { realm: row.realm, realmId: row.realm_id, key: row.number }
    this.#confirmed.set(text, { caller, atMs })
    if (this.#confirmed.size > remembered) {
      const [oldest] = this.#confirmed.keys()
      if (oldest !== undefined) this.#confirmed.delete(oldest)
    }
    return caller
  }
}
