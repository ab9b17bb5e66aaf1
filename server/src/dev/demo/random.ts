import { hash as digest } from 'node:crypto'

/** Deterministic random numbers: xoshiro128**, seeded with a hash of the seed. */
export class Random {
  readonly #state: Uint32Array

  constructor(seed: string) {
    const hash = digest('sha256', seed, 'buffer')
    this.#state = Uint32Array.from([0, 4, 8, 12], (at) => hash.readUInt32LE(at))
  }

  #next(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.#state
    const turned = (value: number, by: number) => (value << by) | (value >>> (32 - by))
    const made = Math.imul(turned(Math.imul(b, 5), 7), 9) >>> 0
    const third = c ^ a
    const fourth = d ^ b
    this.#state.set([a ^ fourth, b ^ third, third ^ (b << 9), turned(fourth, 11)])
    return made
  }

  /** From 0 to below 1. */
  share(): number {
    return this.#next() / 2 ** 32
  }

  /** A whole number, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.share() * (to - from + 1))
  }

  chance(probability: number): boolean {
    return this.share() < probability
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.whole(0, list.length - 1)]
    if (found === undefined) throw new Error('nothing to pick from')
    return found
  }

  /** One of them, with a probability in proportion to its weight. */
  weighed<T>(list: readonly T[], weightOf: (one: T) => number): T {
    let left = this.share() * list.reduce((sum, one) => sum + weightOf(one), 0)
    for (const one of list) {
      left -= weightOf(one)
      if (left < 0) return one
    }
    return this.pick(list)
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.whole(0, 255)))
  }
}
