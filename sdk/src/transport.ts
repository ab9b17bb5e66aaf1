import { type ExchequerError, errorOf, type Problem } from './errors.ts'

export type Settings = {
  /** Where the server is: `https://points.example.com`. */
  readonly url: string
  /** A realm's key, or an operator's token. */
  readonly key: string
  /** How often a request is sent again that had no answer or may pass later; 5 when left out. */
  readonly retries?: number
  /** How long one attempt may take, in milliseconds; 10,000 when left out. */
  readonly timeoutMs?: number
  /** The longest wait between two attempts, in milliseconds; 20,000 when left out. */
  readonly longestWaitMs?: number
  /** Instead of the runtime's own. */
  readonly fetch?: typeof fetch
}

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** A change: sent with a key that stays the same over all attempts. */
  readonly idempotencyKey?: string
  /** Whether sending it twice is the same as once. */
  readonly repeatable?: boolean
  readonly signal?: AbortSignal
}

export type Answer<T> = { readonly value: T; readonly headers: Headers }

const firstWaitMs = 100

/** What may pass when it is sent again, and changed nothing yet for sure. */
const harmless = new Set(['rate_limited', 'overloaded', 'unavailable', 'request_in_progress'])

/** Sends requests, and sends again what may be. */
export class Transport {
  readonly #settings: Settings
  readonly #base: string

  constructor(settings: Settings) {
    if (!settings.url || !settings.key) throw new TypeError('url and key are needed')
    this.#settings = settings
    this.#base = settings.url.replace(/\/+$/, '')
  }

  async send<T>(call: Call): Promise<T> {
    return (await this.answer<T>(call)).value
  }

  async answer<T>(call: Call): Promise<Answer<T>> {
    const { retries = 5 } = this.#settings
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt<T>(call)
      if ('value' in outcome) return outcome
      const { error, retryAfterMs } = outcome
      if (attempt >= retries || !mayRepeat(call, error)) throw error
      await this.#wait(attempt, retryAfterMs, call.signal)
    }
  }

  async #attempt<T>(call: Call): Promise<Answer<T> | Failure> {
    const { timeoutMs = 10_000, fetch: send = globalThis.fetch } = this.#settings
    const late = AbortSignal.timeout(timeoutMs)
    const signal = call.signal ? AbortSignal.any([late, call.signal]) : late
    try {
      const response = await send(this.#urlOf(call), { ...this.#requestOf(call), signal })
      const text = await response.text()
      if (response.ok) return { value: JSON.parse(text) as T, headers: response.headers }
      return {
        error: errorOf(problemOf(response.status, text)),
        retryAfterMs: retryAfterOf(response.headers),
      }
    } catch (cause) {
      call.signal?.throwIfAborted()
      const detail = late.aborted ? `No answer within ${timeoutMs} ms.` : 'The server could not be reached.'
      return { error: errorOf({ status: 0, code: 'no_answer', detail }, cause), retryAfterMs: 0 }
    }
  }

  #urlOf({ path, query = {} }: Call): string {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const text = new URLSearchParams(
      given.map(([name, value]) => [name, String(value)] as [string, string]),
    ).toString()
    return `${this.#base}${path}${text ? `?${text}` : ''}`
  }

  #requestOf({ method, body, headers, idempotencyKey }: Call): RequestInit {
    return {
      method,
      headers: {
        authorization: `Bearer ${this.#settings.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
  }

  /** Longer each time, by chance, so that many clients do not come back at once; as long as it is told. */
  async #wait(attempt: number, retryAfterMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { longestWaitMs = 20_000 } = this.#settings
    const spread = firstWaitMs * 2 ** attempt * (0.5 + Math.random())
    const ms = Math.min(Math.max(spread, retryAfterMs), longestWaitMs)
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }, ms)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }
}

type Failure = { readonly error: ExchequerError; readonly retryAfterMs: number }

/** What certainly changed nothing may be sent again; what may have, only under its key. */
function mayRepeat(call: Call, { status, code }: ExchequerError): boolean {
  if (harmless.has(code)) return true
  if (status !== 0 && status !== 408 && status < 500) return false
  return call.method === 'GET' || call.repeatable === true || call.idempotencyKey !== undefined
}

/** A proxy between may answer something else than a problem. */
function problemOf(status: number, text: string): Omit<Problem, 'title'> {
  try {
    const problem = JSON.parse(text) as Problem
    if (typeof problem.code === 'string') return { ...problem, status }
  } catch {
    // Told below.
  }
  return { status, code: `http_${status}`, detail: `The answer was ${status}, without a word why.` }
}

function retryAfterOf(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) ? seconds * 1000 : 0
}
