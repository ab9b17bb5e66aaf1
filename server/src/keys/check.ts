import { Refused, unavailable } from '../errors.ts'
import { inTime } from '../inTime.ts'
import { hashOf, type KeySecret } from './text.ts'

/**
 * A revocation must hold everywhere within a second, of which the door may use a quarter to read a body: what
 * was last confirmed before this is asked for.
 */
const confirmedForMs = 700
/** Whatever the news: it does not tell of a change whose commit took longer than it reaches back. */
const believedForMs = 30_000
/** Changes are asked for this often, for all at once, so that none has to be asked for alone. */
const newsEveryMs = 250
const answerWithinMs = 700
const remembered = 10_000

/** What was found for a secret that opens something. */
export type Found<Holder> = {
  readonly holder: Holder
  readonly id: string
  /** Tells one state of it from a later one. */
  readonly changedAt: string
  readonly expiresAt: Date | null
}

/** Where secrets of one kind are found. */
export type Source<Holder> = {
  readonly fits: (text: string) => boolean
  /** Undefined for one that is unknown, revoked or expired. */
  readonly find: (hashes: readonly Buffer[]) => Promise<Found<Holder> | undefined>
  /** Those that were changed of late, by id, with when. */
  readonly changed: () => Promise<ReadonlyMap<string, string>>
  /** Keeps that these were used now. */
  readonly used: (ids: readonly string[]) => Promise<void>
}

type Confirmed<Holder> = Found<Holder> & { readonly atMs: number; used: boolean }

/** Checks secrets, from memory as long as the news of changes is fresh. */
export class SecretCheck<Holder> {
  readonly #source: Source<Holder>
  readonly #secrets: readonly KeySecret[]
  readonly #confirmed = new Map<string, Confirmed<Holder>>()
  readonly #asking = new Map<string, Promise<Holder | undefined>>()
  /** When the last news that came was asked for. */
  #newsAtMs = Number.NEGATIVE_INFINITY
  #askedNewsAtMs = Number.NEGATIVE_INFINITY
  #askingNews = false

  constructor(source: Source<Holder>, secrets: readonly KeySecret[]) {
    this.#source = source
    this.#secrets = secrets
  }

  /** Undefined for one that opens nothing. One that can't be confirmed is answered 503. */
  check(text: string): Holder | undefined | Promise<Holder | undefined> {
    const nowMs = performance.now()
    // One at a time: a database that is slow is not asked more often for it.
    if (!this.#askingNews && nowMs - this.#askedNewsAtMs > newsEveryMs) void this.#askNews(nowMs)
    const known = this.#confirmed.get(text)
    if (known && nowMs - known.atMs < believedForMs && isLive(known)) {
      known.used = true
      if (nowMs - Math.max(known.atMs, this.#newsAtMs) < confirmedForMs) return known.holder
    }
    if (!this.#source.fits(text)) return undefined
    let asking = this.#asking.get(text)
    if (!asking) {
      asking = this.#ask(text).finally(() => this.#asking.delete(text))
      this.#asking.set(text, asking)
    }
    return asking
  }

  /** Keeps when secrets were last used, as of now: to be called once a minute. */
  async tellUse(): Promise<void> {
    const used = [...this.#confirmed.values()].filter((one) => one.used)
    for (const one of used) one.used = false
    if (used.length > 0) await this.#source.used([...new Set(used.map(({ id }) => id))])
  }

  async #ask(text: string): Promise<Holder | undefined> {
    const atMs = performance.now()
    const asked = this.#source.find(this.#secrets.map((secret) => hashOf(text, secret)))
    // An answer that took longer confirms nothing, and nobody waits for it.
    const found = await inTime(asked, answerWithinMs, () => new Refused(unavailable))
    this.#confirmed.delete(text)
    if (!found) return undefined
    // News that was asked for later may have told of this very one.
    if (this.#newsAtMs <= atMs) this.#confirmed.set(text, { ...found, atMs, used: true })
    if (this.#confirmed.size > remembered) {
      const [oldest] = this.#confirmed.keys()
      if (oldest !== undefined) this.#confirmed.delete(oldest)
    }
    return found.holder
  }

  /** Takes out what was changed of late. */
  async #askNews(atMs: number): Promise<void> {
    this.#askedNewsAtMs = atMs
    this.#askingNews = true
    try {
      const changed = await this.#source.changed()
      if (performance.now() - atMs > answerWithinMs) return
      for (const [text, { id, changedAt }] of changed.size > 0 ? this.#confirmed : []) {
        if ((changed.get(id) ?? changedAt) !== changedAt) this.#confirmed.delete(text)
      }
      this.#newsAtMs = atMs
    } catch {
      // Each is asked for alone then, and whoever asks is told that the database is away.
    } finally {
      this.#askingNews = false
    }
  }
}

const isLive = ({ expiresAt }: Found<unknown>): boolean =>
  expiresAt === null || expiresAt.getTime() > Date.now()
