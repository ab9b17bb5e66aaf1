import type { IncomingMessage } from 'node:http'
import type { Reply, Streamed } from '../problem.ts'

const allowed = {
  'access-control-allow-methods': 'GET, HEAD, QUERY, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match',
  'access-control-max-age': '600',
}
const exposed =
  'X-Request-Id, ETag, Location, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, ' +
  'Exchequer-Seq, Exchequer-Version, Exchequer-Ignored'

/**
 * Lets the pages of listed origins read what a browser's script asks for. Never with credentials: a key is in
 * a header, so no cookie and nothing else that a browser adds by itself opens anything. The operator's door
 * and a person's session are for no page but ours.
 */
export class Cors {
  readonly #origins: ReadonlySet<string>
  readonly #closed: readonly string[]

  constructor(origins: readonly string[], basePath: string) {
    this.#origins = new Set(origins)
    const closed = ['/operator/', '/console/']
    this.#closed = [...closed, ...closed.map((path) => basePath + path)]
  }

  #originOf({ url = '', headers }: IncomingMessage): string | undefined {
    const { origin } = headers
    if (origin === undefined || !this.#origins.has(origin)) return undefined
    return this.#closed.some((path) => url.startsWith(path)) ? undefined : origin
  }

  /** The answer to a browser that asks whether it may send a request: it has no key then, and needs none. */
  preflight(request: IncomingMessage): Reply | undefined {
    const asks = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers
    if (!asks || this.#originOf(request) === undefined) return undefined
    return { status: 200, body: '', type: 'text/plain', headers: allowed }
  }

  /** The reply, with what lets the page read it. */
  dress(reply: Reply | Streamed, request: IncomingMessage): Reply | Streamed {
    if (this.#origins.size === 0) return reply
    const origin = this.#originOf(request)
    const readable = origin === undefined ? {} : readableBy(origin)
    const vary = [reply.headers?.['vary'] ?? [], 'Origin'].flat().join(', ')
    return { ...reply, headers: { ...reply.headers, vary, ...readable } }
  }
}

function readableBy(origin: string): Readonly<Record<string, string>> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed }
}
