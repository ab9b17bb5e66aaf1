/** How often the time is sampled, and how much of it counts at most per sample. */
const tickMs = 50
const mostMs = 2 * tickMs

/**
 * The time this process was running, in milliseconds. While the process or its machine was suspended it could
 * not read answers: that time says nothing about the database.
 */
export class OwnTime {
  readonly #ticking: NodeJS.Timeout
  readonly #nowMs: () => number
  #lastMs: number
  #ranMs = 0

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
    this.#lastMs = nowMs()
    this.#ticking = setInterval(() => this.ms, tickMs).unref()
  }

  get ms(): number {
    const nowMs = this.#nowMs()
    this.#ranMs += Math.min(nowMs - this.#lastMs, mostMs)
    this.#lastMs = nowMs
    return this.#ranMs
  }

  close(): void {
    clearInterval(this.#ticking)
  }
}
