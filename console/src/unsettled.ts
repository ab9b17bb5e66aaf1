import { ExchequerError } from '@exchequer/sdk'
import { newKey } from './newKey.ts'

/** The ledger has responded, so the outcome of the request with this key is known. */
const decided: readonly number[] = [404, 412, 422]
const isDecided = (error: unknown): boolean =>
  error instanceof ExchequerError && decided.includes(error.status)

/**
 * Idempotency keys of changes whose outcome is unknown. They outlive pages and dialogs: a retry uses the same
 * key, so the change is applied once, even when the form was closed and opened in between.
 */
export class IdempotencyKeys {
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
