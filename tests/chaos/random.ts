/** Random numbers that a seed reproduces. */
export class Random {
  #state: number

  /** `purpose` gives each user of a seed its own sequence, independent of the others. */
  constructor(seed: number, purpose: string) {
    this.#state = seed
    for (const letter of purpose) this.#state = Math.imul(this.#state ^ letter.charCodeAt(0), 0x01000193)
  }

  /** From 0 up to 1: mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  between(least: number, most: number): number {
    return Math.floor(least + this.next() * (most - least + 1))
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(list: readonly T[]): T {
    const one = list[this.between(0, list.length - 1)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }
}
