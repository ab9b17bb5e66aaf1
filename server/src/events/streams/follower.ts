import type { Frame } from './liveJournal.ts'

/** Less than the 15 s after which common proxies, and the one in deploy/ha, close a silent connection. */
const quietMs = 10_000
/** A client connects again after this long; spread, so that not all that were cut off come back at once. */
const retryMs = { least: 1_000, spread: 2_000 }
/** A stream ends after this long, so that connections move to new processes; spread for the same reason. */
const lastsMs = { least: 14 * 60_000, spread: 60_000 }
/** The most that is sent in one piece. */
const pieceChars = 64 * 1024

const spread = ({ least, spread: width }: typeof retryMs): number => Math.round(least + Math.random() * width)

export type FollowerOptions = {
  /** It is sent what comes after this entry. */
  readonly after: bigint
  /** What to send, now that the last entry is `head`; nothing if there is nothing to send. */
  readonly newer: (after: bigint, head: bigint) => Promise<readonly Frame[]>
  /** At least so long between two pieces. */
  readonly spacingMs: number
  readonly onEnd: () => void
}

/** One open stream of server-sent events: the next piece is made when the one before was read. */
export class Follower implements AsyncIterableIterator<string> {
  readonly #options: FollowerOptions
  readonly #endsAtMs = performance.now() + spread(lastsMs)
  #at: bigint
  #head: bigint
  #greeted = false
  #ended = false
  #sentAtMs = Number.NEGATIVE_INFINITY
  #wake: (() => void) | undefined

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#at = options.after
    this.#head = options.after
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Notes the realm's last entry. */
  moved(head: bigint): void {
    // Entries were lost in a failover: the client connects again, and gets a 400 if it has one of them.
    if (head < this.#at) this.end()
    if (head <= this.#head) return
    this.#head = head
    this.#wake?.()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#options.onEnd()
    this.#wake?.()
  }

  async next(): Promise<IteratorResult<string>> {
    if (!this.#greeted) {
      this.#greeted = true
      // With an id, so that a client which is cut off before its first event continues from here.
      return { done: false, value: `retry: ${spread(retryMs)}\nid: ${this.#at}\n\n` }
    }
    const quietAtMs = performance.now() + quietMs
    while (!this.#isOver()) {
      const text = this.#head > this.#at && this.#waitMs() <= 0 ? await this.#newer() : ''
      if (text !== '') return { done: false, value: text }
      const nowMs = performance.now()
      if (nowMs >= quietAtMs) return { done: false, value: ':\n\n' }
      const restMs = this.#head > this.#at ? Math.max(1, this.#waitMs()) : quietAtMs - nowMs
      await this.#pause(Math.min(restMs, quietAtMs - nowMs))
    }
    this.end()
    return { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<string>> {
    this.end()
    return { done: true, value: undefined }
  }

  #isOver(): boolean {
    return this.#ended || performance.now() >= this.#endsAtMs
  }

  /** How long until the next piece may be sent. */
  #waitMs(): number {
    return this.#sentAtMs + this.#options.spacingMs - performance.now()
  }

  async #newer(): Promise<string> {
    let text = ''
    for (const frame of await this.#options.newer(this.#at, this.#head)) {
      if (text.length + frame.text.length > pieceChars && text !== '') break
      text += frame.text
      this.#at = frame.seq
    }
    this.#sentAtMs = performance.now()
    return text
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), ms).unref()
      this.#wake = () => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve()
      }
    })
  }
}
