import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const mostIds = 10_000

/** The newest ids of webhooks that were handled; in a file, so that a restart does not forget them. */
export class HandledIds {
  readonly #ids: Set<string>
  readonly #file: string | undefined
  #lines = 0

  constructor(file?: string) {
    this.#file = file
    const lines = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    this.#ids = new Set(lines.filter((line) => line !== '').slice(-mostIds))
    this.#lines = lines.length
    this.#shorten()
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  add(id: string): void {
    this.#ids.add(id)
    if (this.#ids.size > mostIds) {
      const [oldest] = this.#ids
      if (oldest !== undefined) this.#ids.delete(oldest)
    }
    if (this.#file === undefined) return
    // A line that a crash cut off is an id that no webhook has.
    appendFileSync(this.#file, `\n${id}`)
    this.#lines += 1
    this.#shorten()
  }

  #shorten(): void {
    if (this.#file === undefined || this.#lines <= 2 * mostIds) return
    writeFileSync(`${this.#file}.new`, [...this.#ids].join('\n'))
    renameSync(`${this.#file}.new`, this.#file)
    this.#lines = this.#ids.size
  }
}
