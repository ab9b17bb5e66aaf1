import { Recent } from '../db/recent.ts'

/** Realms that may be due at once. A realm beyond it is folded when its board is requested. */
const dueCap = 50_000
/** How long a realm waits that was not requested lately, unless it is written to this often. */
const unreadWaitMs = 60_000
const unreadWrites = 64
/** How long a request makes a realm one that is read. */
const readForMs = 3_600_000
const readCap = 50_000
/** Boards that were requested lately and are further behind would be noticed. */
const noticedMs = 1_500

type Waiting = { readonly sinceMs: number; writes: number }

/**
 * Which realms are to be folded, and since when: at once if their boards were requested lately, otherwise
 * after a minute, as then many entries are folded together.
 */
export class Due {
  /** Since when each is due. */
  readonly #now = new Map<number, number>()
  /** Those that were not requested lately, oldest first. */
  readonly #unread = new Map<number, Waiting>()
  /** When a realm's boards were last requested. */
  readonly #read = new Recent<number, number>(readCap)
  readonly #nowMs: () => number

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  get size(): number {
    return this.#now.size + this.#unread.size
  }

  /** How long the realm that waits longest is due. */
  get lagMs(): number {
    const nowMs = this.#nowMs()
    let sinceMs = nowMs
    for (const since of this.#now.values()) sinceMs = Math.min(sinceMs, since)
    return nowMs - sinceMs
  }

  /** In how many milliseconds the next realm is due; undefined when there is none. */
  get nextInMs(): number | undefined {
    if (this.#now.size > 0) return 0
    const [first] = this.#unread.values()
    return first && Math.max(0, first.sinceMs + unreadWaitMs - this.#nowMs())
  }

  written(realm: number): void {
    if (this.#now.has(realm)) return
    const waiting = this.#unread.get(realm)
    if (waiting) {
      waiting.writes += 1
      if (waiting.writes >= unreadWrites) this.add(realm)
    } else if (this.size < dueCap) {
      if (this.#isRead(realm)) this.add(realm)
      else this.#unread.set(realm, { sinceMs: this.#nowMs(), writes: 1 })
    }
  }

  /** Notes that its boards were requested: from now on it follows writes at once. */
  asked(realm: number): void {
    this.#read.set(realm, this.#nowMs())
  }

  /** Makes a realm due: from now on, or since a time. */
  add(realm: number, sinceMs = this.#nowMs()): void {
    this.#unread.delete(realm)
    if (!this.#now.has(realm)) this.#now.set(realm, sinceMs)
  }

  /** Removes and returns all that are due, each with the time since when it is. */
  take(): Map<number, number> {
    const nowMs = this.#nowMs()
    for (const [realm, { sinceMs }] of this.#unread) {
      if (sinceMs + unreadWaitMs > nowMs) break
      this.add(realm, sinceMs + unreadWaitMs)
    }
    const taken = new Map(this.#now)
    this.#now.clear()
    return taken
  }

  /** Whether people would notice how far a realm's boards are behind, which is due since then. */
  isNoticed(realm: number, sinceMs = this.#nowMs()): boolean {
    return this.#nowMs() - sinceMs > noticedMs && this.#isRead(realm)
  }

  #isRead(realm: number): boolean {
    const atMs = this.#read.peek(realm)
    return atMs !== undefined && this.#nowMs() - atMs < readForMs
  }
}
