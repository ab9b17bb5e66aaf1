/** Response headers of interest. */
export type ResponseData = {
  /** For reports to the server's operator. */
  readonly requestId: string | undefined
  /** Whether it is a replay of the first response to an idempotency key. */
  readonly replayed: boolean
  /** What is left of the limits, such as `"realm";r=19990;t=1`: requests left, and seconds until reset. */
  readonly rateLimit: string | undefined
  /** The limits, such as `"realm";q=20000;w=10`: requests per window, in seconds. */
  readonly rateLimitPolicy: string | undefined
  readonly headers: Headers
}

/** Kept outside the results, so that a result is exactly the server's response. */
const headersOf = new WeakMap<object, Headers>()

/** Attaches the response headers to a result. */
export function withHeaders<T>(result: T, headers: Headers | undefined): T {
  if (typeof result === 'object' && result !== null && headers) headersOf.set(result, headers)
  return result
}

/** Copies the headers to a value derived from a response. */
export const madeOf = <T>(result: T, answer: object): T => withHeaders(result, headersOf.get(answer))

/**
 * The response headers of a result or of a server error: request id, whether it is a replay, and the rate
 * limit. Undefined for anything else, such as a copy of a result.
 *
 * @example
 * ```ts
 * const result = await realm.member('1190194345295482952').adjust(5, { idempotencyKey: crypto.randomUUID() })
 * const { requestId, replayed, rateLimit } = responseOf(result) ?? {}
 * ```
 */
export function responseOf(result: object): ResponseData | undefined {
  const headers = headersOf.get(result)
  const read = (name: string) => headers?.get(name) ?? undefined
  return (
    headers && {
      requestId: read('x-request-id'),
      replayed: read('idempotent-replayed') === 'true',
      rateLimit: read('ratelimit'),
      rateLimitPolicy: read('ratelimit-policy'),
      headers,
    }
  )
}
