import type { Log } from '../bot.ts'

const betweenMs = 60_000

/** Counts what was not awarded, by its reason, and logs it at most once a minute. */
export class Losses {
  readonly #log: Log
  readonly #counts = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  /** Since the start. */
  total = 0

  constructor(log: Log) {
    this.#log = log
  }

  /** Reasons are of a fixed number: codes of the points server, and the bot's own. */
  add(reason: string, count = 1): void {
    this.total += count
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count)
    if (!this.#timer) this.flush()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#counts.size === 0) return
    const reasons = Array.from(this.#counts, ([reason, count]) => `${count} ${reason}`).join(', ')
    this.#log(`Awards that were lost: ${reasons}; ${this.total} since the start.`)
    this.#counts.clear()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.flush()
    }, betweenMs)
    this.#timer.unref()
  }
}
