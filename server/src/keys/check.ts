import type { Queryable } from '../db/session.ts'
import { Refused, unavailable } from '../errors.ts'
import { type CallerLimits, settingOf } from '../limits/limits.ts'
import { findKey, listRevoked } from './store.ts'
import { hashOf, isKeyText, type KeySecret } from './text.ts'

/** Who is calling: the key's realm and its number there, and how much they may ask for. */
export type Caller = {
  readonly realm: number
  readonly realmId: string
  readonly key: number
  readonly limits: CallerLimits
}

/**
 * A revocation must hold everywhere within a second, of which the door may use a quarter to read a body: what
 * was last confirmed before this is asked for.
 */
const confirmedForMs = 700
/** Whatever the news: it does not tell of a revocation that took longer than it reaches back. */
const believedForMs = 30_000
/** Revocations are asked for this often, for all keys at once, so that none has to be asked for alone. */
const newsEveryMs = 250
const answerWithinMs = 700
const remembered = 10_000

type Confirmed = { readonly caller: Caller; readonly atMs: number }

/** An answer that took longer confirms nothing, and nobody waits for it. */
function inTime<T>(asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Refused(unavailable)), answerWithinMs)
    asked.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Checks keys, from memory as long as the news of revocations is fresh. */
export class KeyCheck {
  readonly #db: Queryable
  readonly #secrets: readonly KeySecret[]
  readonly #confirmed = new Map<string, Confirmed>()
  readonly #asking = new Map<string, Promise<Caller | undefined>>()
  /** When the last news that came was asked for. */
  #newsAtMs = Number.NEGATIVE_INFINITY
  #askedNewsAtMs = Number.NEGATIVE_INFINITY
  #askingNews = false

  constructor(db: Queryable, secrets: readonly KeySecret[]) {
    this.#db = db
    this.#secrets = secrets
  }

  /** Undefined for a key that opens nothing. A key that can't be confirmed is answered 503. */
  check(text: string): Caller | undefined | Promise<Caller | undefined> {
    const nowMs = performance.now()
    // One at a time: a database that is slow is not asked more often for it.
    if (!this.#askingNews && nowMs - this.#askedNewsAtMs > newsEveryMs) void this.#askNews(nowMs)
    const known = this.#confirmed.get(text)
    if (known && nowMs - known.atMs < believedForMs) {
      if (nowMs - Math.max(known.atMs, this.#newsAtMs) < confirmedForMs) return known.caller
    }
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
    const row = await inTime(findKey(this.#db, hashes))
    this.#confirmed.delete(text)
    if (!row) return undefined
    const limits = {
      realm: settingOf({ rate: row.realm_rate, burst: row.realm_burst }),
      key: settingOf(row),
      readAtMs: atMs,
    }
    const caller = { realm: row.realm, realmId: row.realm_id, key: row.number, limits }
    // News that was asked for later may have told of this very key.
    if (this.#newsAtMs <= atMs) this.#confirmed.set(text, { caller, atMs })
    if (this.#confirmed.size > remembered) {
      const [oldest] = this.#confirmed.keys()
      if (oldest !== undefined) this.#confirmed.delete(oldest)
    }
    return caller
  }

  /** Takes out what was revoked of late. */
  async #askNews(atMs: number): Promise<void> {
    this.#askedNewsAtMs = atMs
    this.#askingNews = true
    try {
      const revoked = new Set((await listRevoked(this.#db)).map((row) => `${row.realm}:${row.number}`))
      if (performance.now() - atMs > answerWithinMs) return
      for (const [text, { caller }] of revoked.size > 0 ? this.#confirmed : []) {
        if (revoked.has(`${caller.realm}:${caller.key}`)) this.#confirmed.delete(text)
      }
      this.#newsAtMs = atMs
    } catch {
      // Keys are asked for one by one then, and whoever asks is told that the database is away.
    } finally {
      this.#askingNews = false
    }
  }
}
