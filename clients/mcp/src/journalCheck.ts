import type { Realm } from '@exchequer/sdk'
import { Chain, ChainError } from '@exchequer/sdk/verify'

const entriesPerCall = 10_000
const pageSize = 1_000

type Verified = {
  readonly isIntact: boolean
  readonly isComplete: boolean
  /** The last entry that was verified. */
  readonly verified: string
  readonly head: string
  readonly hash: string
  readonly fault?: { readonly seq: string; readonly kind: string }
}

/** Verifies the journal in parts: a chain can only be verified from its first entry on. */
export class JournalCheck {
  readonly #realm: Realm
  #chain: Chain | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(realm: Realm) {
    this.#realm = realm
  }

  /** One call at a time: each continues where the one before stopped. */
  verify(): Promise<Verified> {
    const next = this.#last.then(() => this.#verifyMore())
    this.#last = next.catch(() => undefined)
    return next
  }

  async #verifyMore(): Promise<Verified> {
    const chain = this.#chain ?? (await Chain.start(this.#realm.id))
    this.#chain = undefined // After a fault or an error it begins again.
    const stopAt = chain.seq + BigInt(entriesPerCall)
    for (;;) {
      const page = await this.#realm.journal({ cursor: String(chain.seq), limit: pageSize }).page()
      const head = page.head.seq
      try {
        await chain.add(page.data)
        if (page.data.length === 0) chain.finish({ seq: BigInt(head), hash: page.head.hash })
      } catch (error) {
        if (!(error instanceof ChainError)) throw error
        const fault = { seq: String(error.seq), kind: error.fault }
        return { isIntact: false, isComplete: false, ...positionOf(chain, head), fault }
      }
      const isComplete = page.data.length < pageSize && chain.seq >= BigInt(head)
      if (!isComplete && chain.seq < stopAt) continue
      this.#chain = chain
      return { isIntact: true, isComplete, ...positionOf(chain, head) }
    }
  }
}

const positionOf = ({ seq, hash }: Chain, head: string) => ({ verified: String(seq), head, hash })
