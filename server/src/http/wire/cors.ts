import type { IncomingMessage } from 'node:http'
import type { Reply, StreamReply } from '../problem.ts'

const allowed = {
  'access-control-allow-methods': 'GET, HEAD, QUERY, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Mcp-Protocol-Version, ' +
    'Mcp-Method, Mcp-Name',
  'access-control-max-age': '600',
}
const exposed =
  'X-Request-Id, ETag, Location, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, ' +
  'Exchequer-Seq, Exchequer-Version, Exchequer-Ignored'

/**
 * Lets pages of the listed origins read responses. Never with credentials: keys are sent in a header, so
 * cookies and anything else that a browser adds by itself grant no access. Only our own pages may use the
 * operator's routes and a person's session.
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

  /** The response to a preflight request, which has no key and needs none. */
  preflight(request: IncomingMessage): Reply | undefined {
    const asks = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers
    if (!asks || this.#originOf(request) === undefined) return undefined
    return { status: 200, body: '', type: 'text/plain', headers: allowed }
  }

  /** Adds the CORS headers that let the page read the reply. */
  dress(reply: Reply | StreamReply, request: IncomingMessage): Reply | StreamReply {
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
