import { RefusalError } from '../errors.ts'
import type { Caller } from '../keys/index.ts'
import type { Bucket, Limits, Meter } from '../limits/index.ts'

/** RateLimit-Policy and RateLimit, draft-ietf-httpapi-ratelimit-headers. */
export type RateHeaders = Readonly<Record<string, string>>

type Shown = { readonly headers: RateHeaders; readonly realm: number; readonly key: number }

/** Headers may be off by this fraction of the burst: their text is rebuilt only once per step. */
const step = 1 / 100

/** Enforces rate limits, and writes the remaining quota to headers. */
export class RateLimiter {
  readonly #limits: Limits
  readonly #shown = new WeakMap<Meter, Shown>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** The headers of this caller's response; throws 429 when the limit is exceeded. */
  pass(caller: Caller): RateHeaders | undefined {
    const { meter, waitMs } = this.#limits.pass(caller)
    if (waitMs > 0) throw limited(meter, waitMs)
    if (!meter.realm && !meter.key) return undefined
    const shown = this.#shown.get(meter)
    if (shown && isNear(meter.realm, shown.realm) && isNear(meter.key, shown.key)) return shown.headers
    const headers = headersOf(meter)
    this.#shown.set(meter, { headers, realm: meter.realm?.level ?? 0, key: meter.key?.level ?? 0 })
    return headers
  }
}

/** A body counts as one request for each of these bytes. */
const chargedBytes = 4 * 1024

/** The total charge of a request: for its body before parsing, for its items before they are checked. */
export class Charge {
  readonly #limits: Limits
  readonly #caller: Caller | undefined
  #charged = 1

  constructor(limits: Limits, caller: Caller | undefined) {
    this.#limits = limits
    this.#caller = caller
  }

  body(bytes: number): void {
    this.upTo(Math.ceil(bytes / chargedBytes))
  }

  /** Charges the request as this many requests in total. */
  upTo(weight: number): void {
    const more = weight - this.#charged
    if (!this.#caller || more <= 0) return
    this.#limits.charge(this.#caller, more + 1)
    this.#charged = weight
  }
}

function isNear(bucket: Bucket | undefined, shown: number): boolean {
  return !bucket || Math.abs(bucket.level - shown) < bucket.limit.burst * step
}

function limited(meter: Meter, waitMs: number): RefusalError {
  const wait = Math.ceil(waitMs / 1000)
  const seconds = String(wait)
  const whose = meter.key && meter.key.level < 1 ? 'key' : 'realm'
  return new RefusalError({
    code: 'rate_limited',
    detail: `Rate limit exceeded for this ${whose}. Nothing was changed; try again in ${seconds} s.`,
    facts: { resetAt: new Date(Date.now() + wait * 1000).toISOString() },
    headers: { 'retry-after': seconds, ...headersOf(meter) },
  })
}

/** The quota is the burst; the window is the time that an empty bucket takes to fill. */
const policyOf = (name: string, { limit }: Bucket): string =>
  `"${name}";q=${limit.burst};w=${Math.ceil(limit.burst / limit.rate)}`

function leftOf(name: string, { limit, level }: Bucket): string {
  const untilFull = Math.ceil((limit.burst - level) / limit.rate)
  return `"${name}";r=${Math.max(0, Math.floor(level))};t=${untilFull}`
}

function headersOf({ realm, key }: Meter): RateHeaders {
  const both = (text: (name: string, bucket: Bucket) => string): string =>
    [realm && text('realm', realm), key && text('key', key)].filter(Boolean).join(', ')
  return { 'ratelimit-policy': both(policyOf), ratelimit: both(leftOf) }
}
