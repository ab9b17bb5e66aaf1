import { type Actor, record } from '../audit/index.ts'
import type { Directory } from '../cells/index.ts'
import type { Database } from '../db/database.ts'
import { writeTransaction } from '../db/rowSecurity.ts'
import type { Queryable, Writable } from '../db/session.ts'
import { refuse } from '../errors.ts'
import { columnsOf, type LimitColumns, type LimitSetting, settingOf } from '../limits/index.ts'
import { addNotices, type Notice } from '../notices/index.ts'
import { expiryWithin, type KeyBounds, limitWithin, movesWithin, refuseNewKeys } from './bounds.ts'
import { type Key, keyOf } from './key.ts'
import { type ListQuery, later, liveCap, numberOf, pageOf } from './listed.ts'
import { type MoveLimits, type MoveWish, movesOf, movesText } from './moves.ts'
import type { Scope } from './scopes.ts'
import {
  changeKey,
  countLive,
  insertKey,
  type KeyRow,
  listEnded,
  listExpiring,
  listLive,
  lockKey,
  markExpiring,
  readKey,
  revokeKey,
  takeNumber,
} from './store.ts'
import { currentSecret, hashOf, type KeySecret, keyForm } from './text.ts'

export { type KeyBounds, refuseLimited } from './bounds.ts'
export { type Caller, checkKeys, type KeyCheck } from './caller.ts'
export { byHash, type ChangesQuery, eitherOf, KeyElsewhere, type KeyRecord, SecretCheck } from './check.ts'
export { Cipher } from './cipher.ts'
export {
  type Key,
  type KeyOfPerson,
  type KeyOfRealm,
  keysMadeBy,
  keysMadeByPeople,
  keysMadeIn,
} from './key.ts'
export {
  type ListedRow,
  type ListItem,
  type ListQuery,
  later,
  listedOf,
  liveAndEnded,
  liveCap,
  numberOf,
  pageOf,
} from './listed.ts'
export { withoutKeys } from './mask.ts'
export { type Scope, scopes } from './scopes.ts'
export { countKeysBySecret } from './secretStore.ts'
export { findSecretMismatch } from './secrets.ts'
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

/** With its secret, which can't be retrieved again. */
export type IssuedKey = Key & { readonly key: string }

export type NewKey = MoveWish & {
  readonly name?: string | undefined
  /** By default those that the original API had. */
  readonly scopes?: readonly Scope[] | undefined
  readonly expiresAt?: Date | undefined
  readonly rateLimit?: LimitSetting | undefined
  /** The bounds of the key that issues it. */
  readonly within?: KeyBounds | undefined
}

/** A key of a realm, by its id. */
export type KeyName = { readonly realm: number; readonly id: string }

/** The changes to a key; null clears its expiry, or a limit of points. */
export type KeyWish = MoveWish & {
  readonly name?: string | undefined
  readonly expiresAt?: Date | null | undefined
  readonly rateLimit?: LimitSetting | undefined
  readonly within?: KeyBounds | undefined
}

export type Rotation = { readonly overlapSeconds: number; readonly within?: KeyBounds | undefined }

/** How long the old and the new key both work, by default and at most. */
export const overlaps = { usual: 24 * 3600, longest: 30 * 24 * 3600 } as const

/** The keys of realms: issued, listed, rotated, changed, revoked. */
export class Keys {
  readonly #db: Database
  readonly #secrets: readonly KeySecret[]
  readonly #directory: Directory | undefined

  /** Without a directory, the database is the only cell. */
  constructor(db: Database, secrets: readonly KeySecret[], directory?: Directory) {
    this.#db = db
    this.#secrets = secrets
    this.#directory = directory
  }

  async issue(realm: number, input: NewKey, by: Actor): Promise<IssuedKey> {
    const expiresAt = later(expiryWithin(input.expiresAt, input.within))
    const limit = columnsOf(limitWithin(input.rateLimit, input.within))
    const moves = movesWithin(input, input.within)
    refuseNewKeys(input.within)
    const secret = await this.#newSecret(realm)
    return writeTransaction(this.#db, [realm], async (tx) => {
      const made = { name: input.name ?? 'key', scopes: input.scopes ?? null, expiresAt, limit, moves }
      const issued = await this.#insert(tx, { realm, ...made, secret }, by)
      const subject = `key ${issued.id}${movesText(moves)}`
      await record(tx, by, { realm, action: 'key.issue', subject })
      await addNotices(tx, realm, [createdNotice(issued, null)])
      return issued
    })
  }

  /** Active keys, or ended ones, in pages. */
  async of(realm: number, asked: ListQuery): Promise<Key[]> {
    const rows = await pageOf(asked, {
      live: (page) => listLive(this.#db, realm, page),
      ended: (page) => listEnded(this.#db, realm, page),
    })
    return rows.map(keyOf)
  }

  /** Also one that was revoked. */
  async get({ realm, id }: KeyName): Promise<Key> {
    const number = numberOf(id)
    const row = number === undefined ? undefined : await readKey(this.#db, realm, number)
    if (!row) throw refuse('key_not_found', `The realm has no key ${id}.`)
    return keyOf(row)
  }

  /** A new key in place of an old one, which keeps working for a while. */
  async rotate(
    name: KeyName,
    { overlapSeconds, within }: Rotation,
    by: Actor,
  ): Promise<IssuedKey & { readonly replaced: Key }> {
    const { realm } = name
    refuseNewKeys(within)
    const secret = await this.#newSecret(realm)
    return writeTransaction(this.#db, [realm], async (tx) => {
      const old = await this.#live(tx, name)
      const limit = columnsOf(limitWithin(settingOf(old), within))
      const moves = movesWithin(movesOf(old), within)
      const ends = new Date(Date.now() + overlapSeconds * 1000)
      const expiresAt = old.expires_at !== null && old.expires_at < ends ? old.expires_at : ends
      const change = { name: old.name, expiresAt, limit: old, moves: movesOf(old) }
      const replaced =
        overlapSeconds === 0
          ? await revokeKey(tx, realm, old.number)
          : await changeKey(tx, { realm, number: old.number }, change)
      const { name: named, scopes } = old
      const ending = expiryWithin(undefined, within)
      const made = { realm, name: named, scopes, expiresAt: ending, limit, moves, secret }
      const issued = await this.#insert(tx, made, by)
      const subject = `key ${old.number} by key ${issued.id}, overlap ${overlapSeconds} s${movesText(moves)}`
      await record(tx, by, { realm, action: 'key.rotate', subject })
      const revoked = overlapSeconds === 0 ? [keyNotice('key.revoked', keyOf(old))] : []
      await addNotices(tx, realm, [createdNotice(issued, String(old.number)), ...revoked])
      return { ...issued, replaced: keyOf(replaced ?? old) }
    })
  }

  /** Renames a key, sets its expiry and its limits, or clears them with null. */
  change(key: KeyName, change: KeyWish, by: Actor): Promise<Key> {
    const { within, rateLimit } = change
    const expiresAt =
      change.expiresAt === undefined ? undefined : later(expiryWithin(change.expiresAt, within))
    const limits = rateLimit === undefined ? undefined : columnsOf(limitWithin(rateLimit, within))
    const wished = movesWithin(change, within)
    const { realm } = key
    return writeTransaction(this.#db, [realm], async (tx) => {
      const old = await this.#live(tx, key)
      const ends = expiresAt === undefined ? old.expires_at : expiresAt
      const limit = limits ?? old
      const moves = {
        maxPerChange: change.maxPerChange === undefined ? old.max_per_change : wished.maxPerChange,
        maxPerDay: change.maxPerDay === undefined ? old.max_per_day : wished.maxPerDay,
      }
      const wanted = { name: change.name ?? old.name, expiresAt: ends, limit, moves }
      const row = await changeKey(tx, { realm, number: old.number }, wanted)
      const subject = `key ${old.number}, expires ${ends?.toISOString() ?? 'never'}${movesText(moves)}`
      await record(tx, by, { realm, action: 'key.change', subject })
      return keyOf(row ?? old)
    })
  }

  revoke({ realm, id }: KeyName, by: Actor): Promise<Key> {
    return writeTransaction(this.#db, [realm], async (tx) => {
      const number = numberOf(id)
      const row = number === undefined ? undefined : await revokeKey(tx, realm, number)
      if (!row) throw notFound(id)
      await record(tx, by, { realm, action: 'key.revoke', subject: `key ${id}` })
      await addNotices(tx, realm, [keyNotice('key.revoked', keyOf(row))])
      return keyOf(row)
    })
  }

  /** A new key's text, which other cells know before it can be used. */
  async #newSecret(realm: number): Promise<NewSecret> {
    const secret = currentSecret(this.#secrets)
    const text = keyForm.make()
    const hash = hashOf(text, secret)
    if (this.#directory?.isAlone === false) await this.#directory.addKeys([{ hash, realm }])
    return { text, secretId: secret.id, hash }
  }

  async #insert(tx: Writable, made: Made, by: Actor): Promise<IssuedKey> {
    // Concurrent issues wait here, so that the count is exact.
    const number = await takeNumber(tx, made.realm)
    if ((await countLive(tx, made.realm, liveCap)) >= liveCap) throw tooMany()
    const { realm, name, scopes, expiresAt, limit, moves } = made
    const { text, ...secretOf } = made.secret
    const maker = { madeBy: by.name, person: by.behind ?? null }
    const stored = { realm, number, ...secretOf, name, scopes, expiresAt, limit, moves, ...maker }
    return { ...keyOf(await insertKey(tx, { ...stored, ...keyForm.shown(text) })), key: text }
  }

  async #live(tx: Queryable, { realm, id }: KeyName): Promise<KeyRow> {
    const number = numberOf(id)
    const row = number === undefined ? undefined : await lockKey(tx, realm, number)
    if (!row) throw notFound(id)
    return row
  }
}

/** `replaces` is the key that a rotation replaces. */
const createdNotice = ({ id: keyId, name, scopes, expiresAt }: Key, replaces: string | null): Notice => ({
  type: 'key.created',
  data: { keyId, name, scopes, expiresAt, replaces },
})

const keyNotice = (type: 'key.revoked' | 'key.expiring', { id: keyId, name, expiresAt }: Key): Notice => ({
  type,
  data: { keyId, name, expiresAt },
})

/**
 * Adds a notice for each key of any realm that expires soon, once; returns how many there were, `most` or
 * less.
 */
export async function announceExpiring(db: Database, most: number): Promise<number> {
  const due = await listExpiring(db, most)
  for (const { realm, number } of due) {
    await writeTransaction(db, [realm], async (tx) => {
      const row = await markExpiring(tx, realm, number)
      if (row) await addNotices(tx, realm, [keyNotice('key.expiring', keyOf(row))])
    })
  }
  return due.length
}

type NewSecret = { readonly text: string; readonly secretId: string; readonly hash: Buffer }

type Made = {
  readonly secret: NewSecret
  readonly realm: number
  readonly name: string
  readonly scopes: readonly string[] | null
  readonly expiresAt: Date | null
  readonly limit: LimitColumns
  readonly moves: MoveLimits
}

const tooMany = () =>
  refuse('key_limit', `The realm has ${liveCap} keys that still work. Revoke one that is not used.`, {
    limit: liveCap,
  })

const notFound = (id: string) => refuse('key_not_found', `The realm has no active key ${id}.`)
