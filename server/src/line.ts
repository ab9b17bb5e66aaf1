/** A place in a line, between its neighbours. */
export class Place {
  before: Place | undefined
  after: Place | undefined
}

/**
 * Those that wait, in the order in which they came; each can leave at any time. Not a Set or Map: one that is
 * filled and emptied all the time moves to a new table again and again, and each old table keeps what it held
 * in memory until the next full collection. Measured: 4 KB for each request, and pauses of 30 ms.
 */
export class Line<One extends Place> {
  #first: Place | undefined
  #last: Place | undefined
  #size = 0

  get first(): One | undefined {
    return this.#first as One | undefined
  }

  get size(): number {
    return this.#size
  }

  add(one: One): void {
    one.before = this.#last
    if (this.#last) this.#last.after = one
    else this.#first = one
    this.#last = one
    this.#size += 1
  }

  /** Does nothing if it has left already. */
  remove(one: One): void {
    const { before, after } = one
    if (!before && this.#first !== one) return
    if (before) before.after = after
    else this.#first = after
    if (after) after.before = before
    else this.#last = before
    // What has left must not hold on to what still waits.
    one.before = undefined
    one.after = undefined
    this.#size -= 1
  }

  /** All that wait. The one that was just yielded may leave. */
  *[Symbol.iterator](): Iterator<One> {
    for (let one = this.#first; one; ) {
      const { after } = one
      yield one as One
      one = after
    }
  }
}
