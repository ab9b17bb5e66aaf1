import { type Actor, installation, record } from '../audit/index.ts'
import type { Directory } from '../cells/index.ts'
import { Coalescer } from '../db/coalesce.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/session.ts'
import { RefusalError, refuse } from '../errors.ts'
import {
  currentSecret,
  hashOf,
  type KeySecret,
  type Scope,
  sessionForm,
  sessionKeyForm,
} from '../keys/index.ts'
import { takeNumber } from './numberStore.ts'
import { type Person, personName } from './person.ts'
import { type Role, type Standing, scopesFor, standingOf } from './roles.ts'
import {
  countKeys,
  endSession,
  findSession,
  insertKey,
  insertSession,
  type SessionRow,
  touch,
} from './sessionStore.ts'
import { findSeat, insertRole, rolesOf, seeIn } from './store.ts'

/** How long a session key is valid. */
const keySeconds = 15 * 60
/** Valid keys of one session at the same time. Each page that is opened takes one. */
export const liveKeysCap = 300

/** Sessions that a process remembers as valid. */
const remembered = 10_000

export type SessionTimes = {
  /** Without activity. */
  readonly idleSeconds: number
  /** In total. */
  readonly longestSeconds: number
}

/** A person who has signed in. */
export type SignedIn = {
  readonly session: bigint
  readonly person: number
  /** For the audit log. */
  readonly name: string
  readonly shown: Person
  /** The address that the provider has verified; null for a person who signs in by link. */
  readonly provenEmail: string | null
  readonly operator: boolean
  readonly expiresAt: Date
}

export type SessionKey = {
  readonly key: string
  readonly expiresAt: Date
  readonly role: Standing
  readonly scopes: readonly Scope[]
}

export type SessionOptions = {
  readonly directory: Directory
  readonly secrets: readonly KeySecret[]
  readonly times: SessionTimes
}

/** Sessions, and their short-lived keys. */
export class Sessions {
  readonly #db: Database
  readonly #secrets: readonly KeySecret[]
  readonly #directory: Directory
  readonly #times: SessionTimes
  /** Sessions that were valid when last looked up: they are never throttled. */
  readonly #known = new Set<string>()
  /** The others are looked up two at a time, so that they leave the pool to others. */
  readonly #strangers: Coalescer<readonly Buffer[], SessionRow | undefined>

  constructor({ directory, secrets, times }: SessionOptions) {
    this.#db = directory.db
    this.#secrets = secrets
    this.#directory = directory
    this.#times = times
    const find = async (asked: readonly (readonly Buffer[])[]) =>
      Promise.all(asked.map((hashes) => this.#row(hashes)))
    this.#strangers = new Coalescer(find, { cap: 1, parallel: 2 })
  }

  get longestSeconds(): number {
    return this.#times.longestSeconds
  }

  /** Signs a person in. The session's secret is returned here and can't be retrieved again. */
  async start(tx: Queryable, person: number, how: { readonly by: Actor; readonly means: string }) {
    const text = sessionForm.make()
    const seconds = this.#times.longestSeconds
    await insertSession(tx, this.#secretOf(text), { person, seconds })
    const by = { ...how.by, name: personName(person), person }
    const subject = `${personName(person)}, by ${how.means}`
    await record(tx, by, { realm: installation, action: 'session.start', subject })
    return text
  }

  /**
   * The person of a session; undefined for an invalid one. Waits for `unknown` before the database is queried
   * for a session that this process has not seen valid.
   */
  async find(text: string, unknown?: () => Promise<void>): Promise<SignedIn | undefined> {
    if (!sessionForm.fits(text)) return undefined
    const hashes = this.#secrets.map((secret) => hashOf(text, secret))
    const isKnown = this.#known.delete(text)
    if (!isKnown) await unknown?.()
    const row = isKnown ? await this.#row(hashes) : await this.#strangers.get(hashes)
    if (!row) return undefined
    this.#remember(text)
    const { session, person, name, email, operator } = row
    await touch(this.#db, session)
    const idleUntil = Date.now() + this.#times.idleSeconds * 1000
    const expiresAt = new Date(Math.min(row.expires_at.getTime(), idleUntil))
    const shown = { id: String(person), name, email }
    const provenEmail = row.by_provider ? email : null
    return { session, person, name: personName(person), shown, provenEmail, operator, expiresAt }
  }

  #row(hashes: readonly Buffer[]): Promise<SessionRow | undefined> {
    return findSession(this.#db, hashes, this.#times.idleSeconds)
  }

  #remember(text: string): void {
    this.#known.add(text)
    const [oldest] = this.#known.size > remembered ? this.#known : []
    if (oldest !== undefined) this.#known.delete(oldest)
  }

  /** The realms in which a person has a role. */
  async realmsOf(person: number): Promise<{ id: string; name: string; role: Role }[]> {
    return (await rolesOf(this.#db, person)).map(({ id, name, role }) => ({ id, name, role }))
  }

  /** A key for a realm of any cell, with the scopes of the person's role there. */
  async keyFor(signedIn: SignedIn, realmId: string): Promise<SessionKey> {
    const { person, operator } = signedIn
    const place = await this.#directory.find(realmId)
    if (place === undefined || place.purged) throw noRole()
    const { realm } = place
    const text = sessionKeyForm.make()
    return this.#db.transaction(async (tx) => {
      const seat = await findSeat(tx, realm, person)
      const role = standingOf(seat?.role ?? null, operator)
      if (!role) throw noRole()
      if (!seat) await insertRole(tx, { realm, person, key: await takeNumber(tx, realm), role: null })
      await seeIn(tx, realm, person)
      const expiresAt = await this.#issue(tx, signedIn, { text, realm })
      return { key: text, expiresAt, role, scopes: scopesFor[role] }
    })
  }

  async operatorTokenFor(signedIn: SignedIn): Promise<{ token: string; expiresAt: Date }> {
    if (!signedIn.operator) throw refuse('forbidden', 'Only operators of the installation can do this.')
    const text = sessionKeyForm.make()
    const expiresAt = await this.#db.transaction((tx) => this.#issue(tx, signedIn, { text, realm: null }))
    return { token: text, expiresAt }
  }

  /** Ends a session and every key of it; everywhere within a second. */
  async end({ session, name }: SignedIn, by: Actor): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await endSession(tx, session)
      await record(tx, by, { realm: installation, action: 'session.end', subject: name })
    })
  }

  async #issue(
    tx: Queryable,
    { session }: SignedIn,
    { text, realm }: { readonly text: string; readonly realm: number | null },
  ): Promise<Date> {
    if ((await countKeys(tx, session, liveKeysCap)) >= liveKeysCap) throw tooManyKeys()
    const made = { ...this.#secretOf(text), session, realm, seconds: keySeconds }
    const expiresAt = await insertKey(tx, made)
    if (!expiresAt) throw refuse('unauthorized', 'This session has ended. Sign in again.')
    return expiresAt
  }

  #secretOf(text: string) {
    const secret = currentSecret(this.#secrets)
    return { secretId: secret.id, hash: hashOf(text, secret) }
  }
}

const tooManyKeys = () =>
  new RefusalError({
    code: 'rate_limited',
    detail:
      `This session has ${liveKeysCap} keys that still work, and gets no more. ` +
      'Each works for 15 minutes: use one again, or wait.',
    headers: { 'retry-after': '60' },
  })

/** The same answer whether or not the realm exists. */
const noRole = () => refuse('forbidden', 'You have no role in this realm. One of its owners can invite you.')
