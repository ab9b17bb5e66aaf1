import { Coalescer } from '../db/coalesce.ts'
import type { RealmScoped } from '../db/rowSecurity.ts'
import { RefusalError, wrongCell } from '../errors.ts'
import { readConfigVersions } from './store.ts'

/** So long a realm that was found here is taken to be here. */
const believedForMs = 1_000
const rememberedCap = 20_000
const askedAtOnce = { cap: 128, parallel: 2 } as const

export type PresenceOptions = {
  readonly db: RealmScoped
  /** Whether realms can be in other cells. Where there is only one, nothing is checked. */
  readonly hasOthers?: (() => boolean) | undefined
  /** Called for a realm that has no head in this cell any more. */
  readonly onGone: (realm: number) => void
}

/**
 * Whether a realm is in this cell, for requests that do not read its head themselves: a copy that a move has
 * left behind would be read otherwise.
 */
export class Presence {
  readonly #options: PresenceOptions
  readonly #seenAtMs = new Map<number, number>()
  readonly #asking: Coalescer<number, true>

  constructor(options: PresenceOptions) {
    this.#options = options
    this.#asking = new Coalescer((realms) => this.#ask(realms), askedAtOnce)
  }

  /** Nothing to wait for when it is known to be here; otherwise rejects with `wrong_cell` if it is not. */
  check(realm: number): Promise<unknown> | undefined {
    const { hasOthers } = this.#options
    if (!hasOthers?.()) return undefined
    const seenAtMs = this.#seenAtMs.get(realm)
    if (seenAtMs !== undefined && performance.now() - seenAtMs < believedForMs) return undefined
    return this.#asking.get(realm)
  }

  async #ask(asked: readonly number[]): Promise<(true | RefusalError)[]> {
    const { db, onGone } = this.#options
    const askedAtMs = performance.now()
    const realms = [...new Set(asked)]
    const { rows } = await readConfigVersions(db.within(realms), realms)
    const here = new Set(rows.map(({ realm }) => realm))
    if (this.#seenAtMs.size > rememberedCap) this.#seenAtMs.clear()
    for (const realm of realms) {
      if (here.has(realm)) this.#seenAtMs.set(realm, askedAtMs)
      else this.#seenAtMs.delete(realm)
      if (!here.has(realm)) onGone(realm)
    }
    return asked.map((realm) => (here.has(realm) ? true : new RefusalError(wrongCell)))
  }
}
