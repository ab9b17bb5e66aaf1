/** An entry as it is sent. */
export type Frame = { readonly seq: bigint; readonly text: string }

/** Recent entries that all readers of a realm share, so that each is read from the database once. */
const keptBytes = 256 * 1024

/** Reads entries after this one, at least one if there are any. */
type ReadAfter = (seq: bigint) => Promise<readonly Frame[]>

/** The newest entries of one realm, in memory while someone reads them. */
export class LiveJournal {
  readonly #readAfter: ReadAfter
  /** Without gaps; they end with the last entry that was read. */
  #kept: Frame[] = []
  #keptBytes = 0
  #reading = new Map<bigint, Promise<readonly Frame[]>>()

  constructor(readAfter: ReadAfter) {
    this.#readAfter = readAfter
  }

  /** Entries after this one, from memory or the database; at least one if there are any. */
  async after(seq: bigint): Promise<readonly Frame[]> {
    const [first] = this.#kept
    const last = this.#kept.at(-1)
    if (first && last && first.seq <= seq + 1n && seq < last.seq)
      return this.#kept.slice(Number(seq + 1n - first.seq))
    return this.#read(seq)
  }

  /** Readers at the same entry share one read. */
  #read(seq: bigint): Promise<readonly Frame[]> {
    const known = this.#reading.get(seq)
    if (known) return known
    const reading = this.#readPage(seq).finally(() => this.#reading.delete(seq))
    this.#reading.set(seq, reading)
    return reading
  }

  async #readPage(after: bigint): Promise<readonly Frame[]> {
    const frames = await this.#readAfter(after)
    this.#keep(after, frames)
    return frames
  }

  /** Only what continues, or begins later than, what is kept: a reader that is far behind changes nothing. */
  #keep(after: bigint, frames: readonly Frame[]): void {
    const last = this.#kept.at(-1)?.seq ?? 0n
    const newest = frames.at(-1)?.seq ?? 0n
    if (newest <= last) return
    if (after > last) this.#kept = []
    if (this.#kept.length === 0) this.#keptBytes = 0
    for (const frame of frames) {
      if (frame.seq <= last) continue
      this.#kept.push(frame)
      this.#keptBytes += frame.text.length
    }
    let dropped = 0
    while (this.#keptBytes > keptBytes && dropped < this.#kept.length - 1) {
      this.#keptBytes -= this.#kept[dropped]?.text.length ?? 0
      dropped += 1
    }
    this.#kept.splice(0, dropped)
  }
}
