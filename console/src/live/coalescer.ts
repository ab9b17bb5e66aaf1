import type { Changes } from './entry.ts'

const none: Changes = { entries: [], everything: false }
const everyMs = 1_000

/** Passes changes on: the first at once, then all of a second together. */
export class Coalescer {
  /** Returns whether it is to be called again, even without changes. */
  readonly #apply: (changes: Changes) => boolean
  #pending = none
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(apply: (changes: Changes) => boolean) {
    this.#apply = apply
  }

  add({ entries, everything }: Changes): void {
    this.#pending = {
      entries: [...this.#pending.entries, ...entries],
      everything: this.#pending.everything || everything,
    }
    if (this.#timer === undefined) this.#flush()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#pending = none
  }

  #flush(): void {
    const changes = this.#pending
    this.#pending = none
    const isAgain = this.#apply(changes)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (isAgain || this.#pending !== none) this.#flush()
    }, everyMs)
  }
}
