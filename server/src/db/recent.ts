/**
 * The entries that were used last: at least `least` of them, at most twice as many. They are in two
 * generations. One that is used moves into the young one; when that is full, the old one is dropped and the
 * young one takes its place.
 *
 * A single Map in the order of use would be far slower: it keeps the place of each removed entry until it
 * grows, and looking for the oldest entry walks over all of these places.
 */
export class Recent<Key, Value> {
  readonly #least: number
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()

  constructor(least: number) {
    this.#least = least
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  /** Without counting as a use. */
  peek(key: Key): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key)
  }

  /** Counts as a use. */
  get(key: Key): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: Key, value: Value): void {
    this.#old.delete(key)
    this.#young.set(key, value)
    if (this.#young.size < this.#least) return
    this.#old = this.#young
    this.#young = new Map()
  }

  delete(key: Key): boolean {
    const isYoung = this.#young.delete(key)
    return this.#old.delete(key) || isYoung
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }

  *[Symbol.iterator](): Generator<readonly [Key, Value]> {
    yield* this.#young
    yield* this.#old
  }
}
