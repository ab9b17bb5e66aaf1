import type { RealmScoped } from '../../db/rowSecurity.ts'
import { RefusalError } from '../../errors.ts'
import { readHeads } from './headsStore.ts'

/** How soon an entry of another process is seen: one statement for all watched realms this often. */
const lookEveryMs = 250
/** After a write of this process, and at most this often while it writes without pause. */
const lookAfterMs = 20

type Moved = (seq: bigint) => void

type HeadsOptions = { readonly db: RealmScoped; readonly onFault: (error: unknown) => void }

/**
 * Notices new entries in realms that someone watches, whichever process wrote them. Nothing is asked while
 * no realm is watched. Not with LISTEN and NOTIFY: they lock all commits of a server against each other,
 * and do not work through every connection pooler.
 */
export class Heads {
  readonly #options: HeadsOptions
  readonly #watched = new Map<number, Set<Moved>>()
  #timer: NodeJS.Timeout | undefined
  #nextMs = Number.POSITIVE_INFINITY
  #isLooking = false
  #closed = false

  constructor(options: HeadsOptions) {
    this.#options = options
  }

  /** Calls back with a realm's last entry, again and again, until the returned function is called. */
  watch(realm: number, moved: Moved): () => void {
    const all = this.#watched.get(realm) ?? new Set()
    this.#watched.set(realm, all.add(moved))
    this.#lookIn(lookEveryMs)
    return () => {
      all.delete(moved)
      if (all.size === 0 && this.#watched.get(realm) === all) this.#watched.delete(realm)
    }
  }

  /** Notes that this process wrote to a realm. */
  written(realm: number): void {
    if (this.#watched.has(realm)) this.#lookIn(lookAfterMs)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #lookIn(ms: number): void {
    const atMs = performance.now() + ms
    if (this.#closed || atMs >= this.#nextMs) return
    this.#nextMs = atMs
    if (this.#isLooking) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#look(), ms).unref()
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    this.#nextMs = Number.POSITIVE_INFINITY
    try {
      const heads = await readHeads(this.#options.db, [...this.#watched.keys()])
      for (const [realm, seq] of heads) for (const moved of this.#watched.get(realm) ?? []) moved(seq)
    } catch (error) {
      // The lanes log an unreachable database; here it would be a line every 250 ms.
      if (!(error instanceof RefusalError)) this.#options.onFault(error)
    }
    this.#isLooking = false
    // What was written meanwhile may be due already.
    const dueInMs = Math.max(0, this.#nextMs - performance.now())
    this.#nextMs = Number.POSITIVE_INFINITY
    if (this.#watched.size > 0) this.#lookIn(Math.min(dueInMs, lookEveryMs))
  }
}
