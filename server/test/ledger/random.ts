/** Numbers that are the same for the same seed. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0
    const mixed = Math.imul(this.#state ^ (this.#state >>> 13), 3_266_489_917) >>> 0
    return ((mixed ^ (mixed >>> 16)) >>> 0) % limit
  }

  pick<const T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }
}
