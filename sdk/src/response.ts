/** What came with an answer beside its body. */
export type ResponseData = {
  /** Tell it to the operator of the server. */
  readonly requestId: string | undefined
  /** Whether it is the first answer again, to an idempotency key that was sent before. */
  readonly replayed: boolean
  /** What is left of the limits, as `"realm";r=19990;t=1`: so many requests, and in how many seconds all. */
  readonly rateLimit: string | undefined
  /** The limits, as `"realm";q=20000;w=10`: so many requests in so many seconds. */
  readonly rateLimitPolicy: string | undefined
  readonly headers: Headers
}

/** Beside the results and not in them, so that a result is what the server answered and nothing else. */
const headersOf = new WeakMap<object, Headers>()

/** The same thing, with the headers that it came with. */
export function withHeaders<T>(result: T, headers: Headers | undefined): T {
  if (typeof result === 'object' && result !== null && headers) headersOf.set(result, headers)
  return result
}

/** What is made of an answer came with the same headers. */
export const madeOf = <T>(result: T, answer: object): T => withHeaders(result, headersOf.get(answer))

/**
 * What came with a result of the client, or with an error that the server answered: the id of the request, whether
 * it is a replay, and how much is left of the rate limit. Undefined for anything else, such as a copy of a result.
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
