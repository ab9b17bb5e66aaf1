import { overloaded, RefusalError } from '../../errors.ts'

/** The most concurrent exports of a process, and of one realm. */
const slots = 8
const slotsOfRealm = 2
const retryAfterSeconds = '5'

/** Limits concurrent exports: each holds a page of rows in memory while its client reads. */
export class ExportSlots {
  readonly #perRealm = new Map<number, number>()
  #open = 0

  /** Takes a slot and returns what frees it; 429 or 503 when there is none. */
  take(realm: number): () => void {
    const ofRealm = this.#perRealm.get(realm) ?? 0
    if (ofRealm >= slotsOfRealm) throw tooMany()
    if (this.#open >= slots) throw busy()
    this.#open += 1
    this.#perRealm.set(realm, ofRealm + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#open -= 1
      const left = (this.#perRealm.get(realm) ?? 1) - 1
      if (left > 0) this.#perRealm.set(realm, left)
      else this.#perRealm.delete(realm)
    }
  }
}

const headers = { 'retry-after': retryAfterSeconds }

const tooMany = (): RefusalError =>
  new RefusalError({
    code: 'rate_limited',
    detail: `This realm has ${slotsOfRealm} exports in progress. Try again when one has finished.`,
    headers,
  })

const busy = (): RefusalError =>
  new RefusalError({
    ...overloaded,
    detail: `The server has ${slots} exports in progress. Try again later.`,
    headers,
  })
