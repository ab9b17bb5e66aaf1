import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Reply } from '../problem.ts'

/** Characters that are made into an answer before other requests have their turn. */
const pieceChars = 64 * 1024
/** A character takes at most three bytes: those that take four count as two. */
const charBytes = 3

/**
 * The JSON of an answer with a long list, made in pieces: other requests are answered in between. What was
 * added is kept as bytes, outside of the heap that the garbage collector copies.
 */
export class LongList {
  readonly #full: Buffer[] = []
  #open: Buffer = Buffer.allocUnsafe(pieceChars)
  #used = 0
  #count = 0

  constructor(name: string) {
    this.#write(`{${JSON.stringify(name)}:[`)
  }

  async add<Item>(items: Iterable<Item>, bodyOf: (item: Item) => object): Promise<void> {
    let chars = 0
    for (const item of items) {
      const text = JSON.stringify(bodyOf(item))
      if (this.#count > 0) this.#write(',')
      this.#write(text)
      this.#count += 1
      chars += text.length
      if (chars < pieceChars) continue
      chars = 0
      await othersTurn()
    }
  }

  /** With the other fields of the answer, at least one. */
  end(rest: object): Reply {
    this.#write(`],${JSON.stringify(rest).slice(1)}`)
    this.#close()
    return { status: 200, body: Buffer.concat(this.#full), isOwn: true }
  }

  /** Each text by itself: one that was put together first would be copied once more, for 2 ms of a MiB. */
  #write(text: string): void {
    const most = charBytes * text.length
    if (this.#used + most > this.#open.length) {
      this.#close()
      this.#open = Buffer.allocUnsafe(Math.max(pieceChars, most))
    }
    this.#used += this.#open.write(text, this.#used)
  }

  #close(): void {
    this.#full.push(this.#open.subarray(0, this.#used))
    this.#used = 0
  }
}
