import { type ExchequerError, errorOf, type Problem } from './errors.ts'
import { withHeaders } from './response.ts'
import type { CallOptions } from './routes.ts'
import { wait } from './wait.ts'

export type Settings = {
  /** The server's URL, such as `https://points.example.com`. */
  readonly url: string
  /** A realm's key, or an operator's token. */
  readonly key: string
  /** How often a request without a response, or with a temporary error, is retried; 5 by default. */
  readonly retries?: number
  /** Timeout of one attempt, in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number
  /** The longest wait between two attempts, in milliseconds; 20,000 by default. */
  readonly longestWaitMs?: number
  /** Replaces the runtime's fetch. */
  readonly fetch?: typeof fetch
}

export type Call = CallOptions & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent unchanged, instead of `body`. */
  readonly text?: { readonly type: string; readonly content: string }
  readonly headers?: Readonly<Record<string, string>>
  /** A change: sent with the same idempotency key in all attempts. */
  readonly idempotencyKey?: string
  /** Whether it is idempotent; PUT and DELETE always are. */
  readonly repeatable?: boolean
  /** The error code that means a retry was already applied, and the result to return then. */
  readonly doneBy?: { readonly code: string; readonly value: unknown }
  /** How often it is retried, instead of the client's setting. */
  readonly retries?: number
}

export type Answer<T> = { readonly value: T; readonly headers: Headers }

const firstWaitMs = 100

/** The 409 and 503 codes that can be retried and certainly changed nothing. */
const harmless = /^(overloaded|(chain_)?unavailable|wrong_cell|request_in_progress)$/
/** A proxy may return 429 without one of our codes. */
const isHarmless = ({ status, code }: ExchequerError): boolean => status === 429 || harmless.test(code)

/** Sends requests, and retries where that is safe. */
export class Transport {
  readonly #settings: Settings
  readonly #base: string

  constructor(settings: Settings) {
    if (!settings.url || !settings.key) throw new TypeError('url and key are required')
    // A line break copied along would look like an unreachable server.
    if (!/^[\x21-\x7e]+$/.test(settings.key))
      throw new TypeError('key has a space, a line break or another invalid character')
    this.#settings = settings
    this.#base = settings.url.replace(/\/+$/, '')
  }

  async send<T>(call: Call): Promise<T> {
    return (await this.answer<T>(call)).value
  }

  async answer<T>(call: Call): Promise<Answer<T>> {
    return this.#untilAnswered(call, async (response) => {
      const text = await response.text()
      // A deletion has no body.
      return { value: (text === '' ? undefined : JSON.parse(text)) as T, headers: response.headers }
    })
  }

  /** A streamed response. Timeout and retries cover only its start. */
  stream(call: Call): Promise<Answer<ReadableStream<Uint8Array>>> {
    return this.#untilAnswered(call, async ({ body, headers }) => ({
      value: body ?? new Blob([]).stream(),
      headers,
    }))
  }

  async #untilAnswered<T>(call: Call, read: Read<T>): Promise<Answer<T>> {
    const { retries = 5, longestWaitMs = 20_000 } = this.#settings
    for (let attempt = 0, unsure = false; ; attempt++) {
      const outcome = await this.#attempt(call, read)
      if ('value' in outcome) return outcome
      const { error, retryAfterMs } = outcome
      if (unsure && call.doneBy && call.doneBy.code === error.code)
        return { value: call.doneBy.value as T, headers: new Headers() }
      if (attempt >= (call.retries ?? retries) || !mayRepeat(call, error)) throw error
      unsure ||= !isHarmless(error)
      // Exponential with jitter, so that clients do not return all at once; or as long as the server says.
      const spread = firstWaitMs * 2 ** attempt * (0.5 + Math.random())
      await wait(Math.min(Math.max(spread, retryAfterMs), longestWaitMs), call.signal)
    }
  }

  async #attempt<T>(call: Call, read: Read<T>): Promise<Answer<T> | Failure> {
    const { fetch: send = globalThis.fetch } = this.#settings
    const timeoutMs = call.timeoutMs ?? this.#settings.timeoutMs ?? 10_000
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), timeoutMs)
    const signal = call.signal ? AbortSignal.any([late.signal, call.signal]) : late.signal
    try {
      const response = await send(this.#urlOf(call), { ...this.#requestOf(call), signal })
      if (response.ok) {
        const answer = await read(response)
        withHeaders(answer.value, answer.headers)
        return answer
      }
      const error = errorOf(problemOf(response.status, await response.text()))
      return {
        error: withHeaders(error, response.headers),
        retryAfterMs: retryAfterOf(response.headers),
      }
    } catch (cause) {
      call.signal?.throwIfAborted()
      const detail = late.signal.aborted
        ? `No response within ${timeoutMs} ms.`
        : `The server at ${this.#base} could not be reached.`
      return { error: errorOf({ status: 0, code: 'no_answer', detail }, cause), retryAfterMs: 0 }
    } finally {
      clearTimeout(timer)
    }
  }

  #urlOf({ path, query = {} }: Call): string {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    // It makes text of numbers and booleans itself.
    const text = new URLSearchParams(given as [string, string][]).toString()
    return `${this.#base}${path}${text ? `?${text}` : ''}`
  }

  #requestOf({ method, body, text, headers, idempotencyKey }: Call): RequestInit {
    const sent = body === undefined ? text : { type: 'application/json', content: JSON.stringify(body) }
    return {
      method,
      headers: {
        authorization: `Bearer ${this.#settings.key}`,
        ...(sent === undefined ? {} : { 'content-type': sent.type }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent.content }),
    }
  }
}

type Read<T> = (response: Response) => Promise<Answer<T>>
type Failure = { readonly error: ExchequerError; readonly retryAfterMs: number }

/** A request that certainly changed nothing can be retried; any other only with its idempotency key. */
function mayRepeat(call: Call, error: ExchequerError): boolean {
  const { status } = error
  if (isHarmless(error)) return true
  if (status !== 0 && status !== 408 && status < 500) return false
  return (
    ['GET', 'PUT', 'DELETE'].includes(call.method) ||
    call.repeatable === true ||
    call.idempotencyKey !== undefined
  )
}

/** A proxy may return something other than a problem document. */
function problemOf(status: number, text: string): Omit<Problem, 'title'> {
  try {
    const problem = JSON.parse(text) as Problem
    if (typeof problem.code === 'string') return { ...problem, status }
  } catch {
    // Reported below.
  }
  return { status, code: `http_${status}`, detail: `The response was ${status}, without a reason.` }
}

/** Seconds, or a date, which a proxy may send instead. */
export function retryAfterOf(headers: Headers | undefined): number {
  const text = headers?.get('retry-after') ?? ''
  return (Number.isNaN(Number(text)) ? Date.parse(text) - Date.now() : Number(text) * 1000) || 0
}
