import { ExchequerError } from '@exchequer/sdk'
import { newKey } from './newKey.ts'

/** The ledger has answered, so nothing that was sent under the key is in doubt any more. */
const decided: readonly number[] = [404, 412, 422]
const isDecided = (error: unknown): boolean =>
  error instanceof ExchequerError && decided.includes(error.status)

/**
 * Keys of changes whose outcome is not known. They are kept above every page and dialog: what may have been done
 * is sent under the same key again, so that it is done once, whatever was closed and opened in between.
 */
export class Unsettled {
  readonly #keys = new Map<string, string>()

  async send<T>(what: string, run: (idempotencyKey: string) => Promise<T>): Promise<T> {
    const key = this.#keys.get(what) ?? newKey()
    this.#keys.set(what, key)
    try {
      const done = await run(key)
      this.#keys.delete(what)
      return done
    } catch (error) {
      if (isDecided(error)) this.#keys.delete(what)
      throw error
    }
  }
}
