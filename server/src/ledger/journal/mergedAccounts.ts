import type { MergeLink } from './mergeCheckStore.ts'

/** Which accounts belong to one member, as of an entry: its own, and those that were merged into it. */
export class MergedAccounts {
  readonly #merges: readonly MergeLink[]
  #next = 0
  readonly #merged = new Map<number, readonly number[]>()
  /** What each merge moved, to undo it. */
  readonly #moved = new Map<number, readonly number[]>()

  /** In the order in which they happened. */
  constructor(merges: readonly MergeLink[]) {
    this.#merges = merges
  }

  /** Before the entry `seq`, which is asked for in ascending order. */
  of(account: number, seq: bigint): readonly number[] {
    for (let merge = this.#merges[this.#next]; merge && merge.after_seq < seq; ) {
      this.#add(merge)
      merge = this.#merges[++this.#next]
    }
    return [account, ...(this.#merged.get(account) ?? [])]
  }

  #add({ number, from_account: from, to_account: to, undoes }: MergeLink): void {
    const has = this.#merged.get(to) ?? []
    if (undoes === null) {
      const moved = [from, ...(this.#merged.get(from) ?? [])]
      this.#moved.set(number, moved)
      this.#merged.delete(from)
      this.#merged.set(to, [...has, ...moved])
      return
    }
    const back = this.#moved.get(undoes) ?? []
    this.#merged.set(
      to,
      has.filter((account) => !back.includes(account)),
    )
    this.#merged.set(
      from,
      back.filter((account) => account !== from),
    )
  }
}
