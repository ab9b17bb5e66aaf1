import { Coalescer } from '../db/coalesce.ts'
import { Recent } from '../db/recent.ts'
import { withTimeout } from '../db/withTimeout.ts'
import { RefusalError, unavailable, wrongCell } from '../errors.ts'
import { hashOf, type KeySecret, sessionKeyForm } from './text.ts'

/**
 * A revocation must take effect everywhere within a second, of which the handler may use a quarter to read a
 * body: what was last confirmed longer ago is queried again.
 */
const confirmedForMs = 700
/**
 * At most this long, whatever the list of changes says: it misses a change whose commit took longer than the
 * list reaches back.
 */
const believedForMs = 30_000
/**
 * How much further back than the last list of changes the next one reaches: longer than a request may take.
 */
const overlapMs = 60_000
/** Changes that one query returns. Beyond that everything remembered is queried again. */
const newsCap = 10_000
/** Changes are queried this often, for all secrets at once, so that none has to be queried alone. */
const newsEveryMs = 250
const answerWithinMs = 700
const remembered = 10_000

/** A valid key of a realm in another cell. */
export class KeyElsewhere extends RefusalError {
  readonly realmId: string

  constructor(realmId: string) {
    super(wrongCell)
    this.realmId = realmId
  }
}

/** What was found for a valid secret. */
export type KeyRecord<Holder> = {
  readonly holder: Holder
  readonly id: string
  /** Distinguishes one state of it from a later one. */
  readonly changedAt: string
  readonly expiresAt: Date | null
}

export type ChangesQuery = { readonly withinMs: number; readonly limit: number }

/** A secret as it may be stored: hashed with each of our key secrets. */
export type Hashes = readonly Buffer[]

/** Looks up all secrets at once: `find` gets the hashes of all, and each row says which hash it is for. */
export const byHash =
  <Row extends { readonly hash: Buffer }, Holder>(
    find: (hashes: Hashes) => Promise<readonly Row[]>,
    foundOf: (row: Row) => KeyRecord<Holder> | KeyElsewhere | undefined,
  ): Source<Holder>['find'] =>
  async (asked) => {
    const rows = await find(asked.flat())
    const known = new Map(rows.map((row) => [row.hash.toString('hex'), row]))
    return asked.map((hashes) => {
      const row = hashes.map((hash) => known.get(hash.toString('hex'))).find((one) => one !== undefined)
      return row && foundOf(row)
    })
  }

/** Secrets per query, and concurrent queries: unknown clients must leave the pool to others. */
const askedAtOnce = { cap: 50, parallel: 2 } as const

/** Where secrets of one kind are found. */
export type Source<Holder> = {
  readonly fits: (text: string) => boolean
  /** Each by its hashes under all key secrets; undefined for one that is unknown, revoked or expired. */
  readonly find: (
    asked: readonly Hashes[],
  ) => Promise<readonly (KeyRecord<Holder> | KeyElsewhere | undefined)[]>
  /** The realm of a secret that was not found, if it is one of another cell. */
  readonly elsewhere?: (hashes: Hashes) => Promise<{ readonly realmId: string } | undefined>
  /** Those changed within the last `withinMs` milliseconds, by id, with the time; not those only created. */
  readonly changed: (within: ChangesQuery) => Promise<ReadonlyMap<string, string>>
  /** Stores that these were used now. */
  readonly used: (ids: readonly string[]) => Promise<void>
}

type Confirmed<Holder> = KeyRecord<Holder> & { readonly atMs: number; used: boolean }

/** Checks secrets, from memory as long as the list of changes is current. */
export class SecretCheck<Holder> {
  readonly #source: Source<Holder>
  readonly #secrets: readonly KeySecret[]
  readonly #confirmed = new Recent<string, Confirmed<Holder>>(remembered)
  readonly #asking = new Map<string, Promise<Holder | undefined>>()
  readonly #finding: Coalescer<Hashes, KeyRecord<Holder> | undefined>
  /** When the last received list of changes was requested. */
  #newsAtMs = Number.NEGATIVE_INFINITY
  #askedNewsAtMs = Number.NEGATIVE_INFINITY
  #askingNews = false

  constructor(source: Source<Holder>, secrets: readonly KeySecret[]) {
    this.#source = source
    this.#secrets = secrets
    this.#finding = new Coalescer<Hashes, KeyRecord<Holder> | undefined>(
      (asked) => source.find(asked),
      askedAtOnce,
    )
  }

  /**
   * Undefined for an invalid secret. One that can't be confirmed is answered 503. Waits for `unknown` before
   * the database is queried for a secret that this process does not know.
   */
  check(text: string, unknown?: () => Promise<void>): Holder | undefined | Promise<Holder | undefined> {
    const nowMs = performance.now()
    // One at a time: a slow database is not queried more often.
    if (!this.#askingNews && nowMs - this.#askedNewsAtMs > newsEveryMs) void this.#askNews(nowMs)
    const known = this.#confirmed.get(text)
    if (known && nowMs - known.atMs < believedForMs && isLive(known)) {
      known.used = true
      if (nowMs - Math.max(known.atMs, this.#newsAtMs) < confirmedForMs) return known.holder
    }
    if (!this.#source.fits(text)) return undefined
    let asking = this.#asking.get(text)
    if (!asking) {
      const asked = known || !unknown ? this.#ask(text) : unknown().then(() => this.#ask(text))
      asking = asked.finally(() => this.#asking.delete(text))
      this.#asking.set(text, asking)
    }
    return asking
  }

  /** Stores when secrets were last used, as of now: to be called once a minute. */
  async storeUse(): Promise<void> {
    const used = Array.from(this.#confirmed, ([, one]) => one).filter((one) => one.used)
    for (const one of used) one.used = false
    if (used.length > 0) await this.#source.used([...new Set(used.map(({ id }) => id))])
  }

  async #ask(text: string): Promise<Holder | undefined> {
    const atMs = performance.now()
    const asked = this.#find(this.#secrets.map((secret) => hashOf(text, secret)))
    // An answer that took longer confirms nothing, and no caller waits for it.
    const found = await withTimeout(asked, answerWithinMs, () => new RefusalError(unavailable))
    this.#confirmed.delete(text)
    if (!found) return undefined
    // A list of changes requested later may have contained this very secret.
    if (this.#newsAtMs <= atMs) this.#confirmed.set(text, { ...found, atMs, used: true })
    return found.holder
  }

  /** A secret of another cell is refused, never invalid. */
  async #find(hashes: Hashes): Promise<KeyRecord<Holder> | undefined> {
    const found = await this.#finding.get(hashes)
    const other = found ? undefined : await this.#source.elsewhere?.(hashes)
    if (other) throw new KeyElsewhere(other.realmId)
    return found
  }

  /** Drops what was changed recently. */
  async #askNews(atMs: number): Promise<void> {
    this.#askedNewsAtMs = atMs
    this.#askingNews = true
    try {
      const withinMs = Math.min(atMs - this.#newsAtMs, believedForMs) + overlapMs
      const changed = await this.#source.changed({ withinMs, limit: newsCap })
      if (performance.now() - atMs > answerWithinMs) return
      if (changed.size >= newsCap) this.#confirmed.clear()
      for (const [text, { id, changedAt }] of changed.size > 0 ? this.#confirmed : []) {
        if ((changed.get(id) ?? changedAt) !== changedAt) this.#confirmed.delete(text)
      }
      this.#newsAtMs = atMs
    } catch {
      // Each secret is queried alone then, and its caller gets the error of an unreachable database.
    } finally {
      this.#askingNews = false
    }
  }
}

const isLive = ({ expiresAt }: KeyRecord<unknown>): boolean =>
  expiresAt === null || expiresAt.getTime() > Date.now()

type Check<Holder> = {
  check(text: string, unknown?: () => Promise<void>): Holder | undefined | Promise<Holder | undefined>
}

/** Issued keys, and keys of sessions: distinguished by their prefix. */
export function eitherOf<Holder>(issued: Check<Holder>, ofSessions: Check<Holder>): Check<Holder> {
  return {
    check: (text, unknown) =>
      (text.startsWith(sessionKeyForm.prefix) ? ofSessions : issued).check(text, unknown),
  }
}
