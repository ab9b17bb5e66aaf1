import type { RequestOutcome } from '../http/visit.ts'

/** Realms that each list names: more would be a label for each realm. */
const listed = 10
/** Realms counted in a minute. Those that come first after it are left out: a busy one comes early. */
const realmCap = 20_000
const windowMs = 60_000
/** Below it a mean is chance. */
const fewestTimed = 10

type Counted = { requests: number; rejected: number; tookMs: number }

/** A realm's id, and a value. */
export type RealmValue = readonly [realm: string, value: number]

/** The realms with most requests, most rejected requests, and the longest responses of the last minute. */
export class TopRealms {
  readonly #nowMs: () => number
  readonly #cap: number
  #startedMs: number
  #current = new Map<string, Counted>()
  /** Of the last full minute. */
  #last: ReadonlyMap<string, Counted> = new Map()

  constructor(nowMs: () => number = () => performance.now(), cap = realmCap) {
    this.#nowMs = nowMs
    this.#cap = cap
    this.#startedMs = nowMs()
  }

  /** Only of an authenticated caller: no one else can name a realm here. */
  count(realm: string, { status, tookMs }: Pick<RequestOutcome, 'status' | 'tookMs'>): void {
    this.#roll()
    let counted = this.#current.get(realm)
    if (!counted) {
      if (this.#current.size >= this.#cap) return
      counted = { requests: 0, rejected: 0, tookMs: 0 }
      this.#current.set(realm, counted)
    }
    counted.requests += 1
    counted.tookMs += tookMs
    if (status >= 400) counted.rejected += 1
  }

  /** Requests a second. */
  busiest(): readonly RealmValue[] {
    return this.#top(({ requests }) => requests / (windowMs / 1000))
  }

  /** Rejected requests a second. */
  mostRejected(): readonly RealmValue[] {
    return this.#top(({ rejected }) => rejected / (windowMs / 1000))
  }

  /** The mean duration of a response, in seconds. */
  slowest(): readonly RealmValue[] {
    return this.#top(({ requests, tookMs }) => (requests < fewestTimed ? 0 : tookMs / requests / 1000))
  }

  #top(measure: (counted: Counted) => number): readonly RealmValue[] {
    this.#roll()
    const values: RealmValue[] = []
    for (const [realm, counted] of this.#last) {
      const value = measure(counted)
      if (value <= (values[listed - 1]?.[1] ?? 0)) continue
      values.push([realm, value])
      values.sort(([, a], [, b]) => b - a)
      values.length = Math.min(values.length, listed)
    }
    return values
  }

  #roll(): void {
    const passed = Math.floor((this.#nowMs() - this.#startedMs) / windowMs)
    if (passed < 1) return
    this.#last = passed === 1 ? this.#current : new Map()
    this.#current = new Map()
    this.#startedMs += passed * windowMs
  }
}
