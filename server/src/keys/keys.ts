import { type Actor, record } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/session.ts'
import { refuse } from '../errors.ts'
import {
  type CallerLimits,
  columnsOf,
  type LimitColumns,
  type LimitSetting,
  settingOf,
} from '../limits/limits.ts'
import { SecretCheck } from './check.ts'
import { type Listed, later, listedOf, numberOf } from './listed.ts'
import { type Scope, scopesOf } from './scopes.ts'
import {
  changeKey,
  findKey,
  insertKey,
  type KeyRow,
  keepUse,
  listChanged,
  listKeys,
  lockKey,
  revokeKey,
  takeNumber,
} from './store.ts'
import { currentSecret, hashOf, type KeySecret, keyForm } from './text.ts'

export { SecretCheck } from './check.ts'
export { type Listed, type ListedRow, later, listedOf, numberOf } from './listed.ts'
export { type Scope, scopes } from './scopes.ts'
export {
  currentSecret,
  hashOf,
  type KeySecret,
  keyForm,
  linkForm,
  sessionForm,
  sessionKeyForm,
  tokenForm,
} from './text.ts'

/** Who is calling: the key's realm, its number there, and what it may do. */
export type Caller = {
  readonly realm: number
  readonly realmId: string
  readonly key: number
  /** In words, for the audit log. */
  readonly name: string
  /** Whose it is, where a person signed in for it. */
  readonly person?: number
  readonly scopes: ReadonlySet<Scope>
  /** How much it may ask for. */
  readonly limits: CallerLimits
}

/** Who opens a realm with this; undefined for what opens nothing. */
export type KeyCheck = { check(text: string): Caller | undefined | Promise<Caller | undefined> }

export function checkKeys(db: Queryable, secrets: readonly KeySecret[]): SecretCheck<Caller> {
  const idOf = ({ realm, number }: { realm: number; number: number }) => `${realm}:${number}`
  return new SecretCheck<Caller>(
    {
      fits: (text) => keyForm.fits(text),
      async find(hashes) {
        const row = await findKey(db, hashes)
        if (!row) return undefined
        const { realm, realm_id: realmId, number: key, expires_at: expiresAt } = row
        const name = `key ${key} (${row.name})`
        const limits = {
          realm: settingOf({ rate: row.realm_rate, burst: row.realm_burst }),
          key: settingOf(row),
          readAtMs: performance.now(),
        }
        const holder = { realm, realmId, key, name, scopes: scopesOf(row.scopes), limits }
        return { holder, id: idOf(row), changedAt: row.changed_at, expiresAt }
      },
      changed: async () =>
        new Map((await listChanged(db)).map((row) => [idOf(row), row.changed_at] as const)),
      used: (ids) =>
        keepUse(
          db,
          ids.map((id) => id.split(':').map(Number)).map(([realm = 0, number = 0]) => ({ realm, number })),
        ),
    },
    secrets,
  )
}

/** A key as it is listed. */
export type Key = Listed & {
  readonly scopes: readonly string[] | null
  readonly rateLimit: LimitSetting
}

/** With its text, which can't be had again. */
export type IssuedKey = Key & { readonly key: string }

function keyOf(row: KeyRow): Key {
  return { ...listedOf(row), scopes: row.scopes, rateLimit: settingOf(row) }
}

export type NewKey = {
  readonly name?: string | undefined
  /** None given: what the interface as given shows. */
  readonly scopes?: readonly Scope[] | undefined
  readonly expiresAt?: Date | undefined
  readonly rateLimit?: LimitSetting | undefined
}

/** A key of a realm, by its id. */
export type KeyName = { readonly realm: number; readonly id: string }

/** What is to change of a key; null clears its expiry. */
export type KeyWish = {
  readonly name?: string | undefined
  readonly expiresAt?: Date | null | undefined
  readonly rateLimit?: LimitSetting | undefined
}

/** How long the old and the new key both work, unless said otherwise, and at most. */
export const overlaps = { usual: 24 * 3600, longest: 30 * 24 * 3600 } as const

/** The keys of realms: issued, listed, rotated, given an expiry, revoked. */
export class Keys {
  readonly #db: Database
  readonly #secrets: readonly KeySecret[]

  constructor(db: Database, secrets: readonly KeySecret[]) {
    this.#db = db
    this.#secrets = secrets
  }

  issue(realm: number, input: NewKey, by: Actor): Promise<IssuedKey> {
    const expiresAt = later(input.expiresAt ?? null)
    return this.#db.transaction(async (tx) => {
      const limit = columnsOf(input.rateLimit ?? 'default')
      const made = { name: input.name ?? 'key', scopes: input.scopes ?? null, expiresAt, limit }
      const issued = await this.#insert(tx, realm, made)
      await record(tx, by, { realm, action: 'key.issue', subject: `key ${issued.id}` })
      return issued
    })
  }

  async of(realm: number): Promise<Key[]> {
    return (await listKeys(this.#db, realm)).map(keyOf)
  }

  /** A new key in place of an old one, which goes on working for a while. */
  rotate(name: KeyName, overlapSeconds: number, by: Actor): Promise<IssuedKey & { readonly replaced: Key }> {
    return this.#db.transaction(async (tx) => {
      const { realm } = name
      const old = await this.#live(tx, name)
      const issued = await this.#insert(tx, realm, { ...old, expiresAt: null, limit: old })
      const ends = new Date(Date.now() + overlapSeconds * 1000)
      const expiresAt = old.expires_at !== null && old.expires_at < ends ? old.expires_at : ends
      const change = { name: old.name, expiresAt, limit: old }
      const replaced =
        overlapSeconds === 0
          ? await revokeKey(tx, realm, old.number)
          : await changeKey(tx, { realm, number: old.number }, change)
      const subject = `key ${old.number} by key ${issued.id}, overlap ${overlapSeconds} s`
      await record(tx, by, { realm, action: 'key.rotate', subject })
      return { ...issued, replaced: keyOf(replaced ?? old) }
    })
  }

  /** Renames a key, sets its expiry, or clears it with null. */
  change(key: KeyName, change: KeyWish, by: Actor): Promise<Key> {
    const expiresAt = change.expiresAt === undefined ? undefined : later(change.expiresAt)
    return this.#db.transaction(async (tx) => {
      const { realm } = key
      const old = await this.#live(tx, key)
      const ends = expiresAt === undefined ? old.expires_at : expiresAt
      const limit = change.rateLimit === undefined ? old : columnsOf(change.rateLimit)
      const wanted = { name: change.name ?? old.name, expiresAt: ends, limit }
      const row = await changeKey(tx, { realm, number: old.number }, wanted)
      const subject = `key ${old.number}, expires ${ends?.toISOString() ?? 'never'}`
      await record(tx, by, { realm, action: 'key.change', subject })
      return keyOf(row ?? old)
    })
  }

  revoke({ realm, id }: KeyName, by: Actor): Promise<Key> {
    return this.#db.transaction(async (tx) => {
      const number = numberOf(id)
      const row = number === undefined ? undefined : await revokeKey(tx, realm, number)
      if (!row) throw notFound(id)
      await record(tx, by, { realm, action: 'key.revoke', subject: `key ${id}` })
      return keyOf(row)
    })
  }

  async #insert(
    tx: Queryable,
    realm: number,
    made: { name: string; scopes: readonly string[] | null; expiresAt: Date | null; limit: LimitColumns },
  ): Promise<IssuedKey> {
    const secret = currentSecret(this.#secrets)
    const text = keyForm.make()
    const number = await takeNumber(tx, realm)
    const { name, scopes, expiresAt, limit } = made
    const secretOf = { secretId: secret.id, hash: hashOf(text, secret) }
    const stored = { realm, number, ...secretOf, name, scopes, expiresAt, limit }
    return { ...keyOf(await insertKey(tx, { ...stored, ...keyForm.shown(text) })), key: text }
  }

  async #live(tx: Queryable, { realm, id }: KeyName): Promise<KeyRow> {
    const number = numberOf(id)
    const row = number === undefined ? undefined : await lockKey(tx, realm, number)
    if (!row) throw notFound(id)
    return row
  }
}

/** The next number among a realm's keys, for someone who makes entries without being one. */
export const takeKeyNumber = takeNumber

const notFound = (id: string) => refuse('key_not_found', `The realm has no key ${id} that still opens it.`)
