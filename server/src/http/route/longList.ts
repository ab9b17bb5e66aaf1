import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Reply } from '../problem.ts'

/** Characters that are serialized before other requests get a turn. */
const pieceChars = 64 * 1024
/** A UTF-16 code unit takes at most three bytes: characters of four bytes are two code units. */
const charBytes = 3

/**
 * The JSON of a response with a long list, written in pieces so that other requests are served in between.
 * It is stored as bytes, outside of the heap that the garbage collector copies.
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

  /** Adds the other fields of the response, at least one. */
  end(rest: object): Reply {
    this.#write(`],${JSON.stringify(rest).slice(1)}`)
    this.#close()
    return { status: 200, body: Buffer.concat(this.#full), isOwn: true }
  }

  /** Writes each text separately: joining them first would copy them again, 2 ms for a MiB. */
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
