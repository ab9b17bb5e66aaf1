import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { isStreamed, type Reply, type StreamReply } from '../problem.ts'
import type { Visit } from '../visit.ts'

/** Requests that a handler sends to this server itself, and their responses: no connection is used. */

/** Sends a request to this server, in this process, with the key of the request that is being handled. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>

/** Where the client is, and who it is. */
const inherited = ['host', 'authorization', 'x-forwarded-for', 'forwarded'] as const

/** A request as if it had arrived on the connection of another one, with the same key. */
export function innerRequest(outer: IncomingMessage, url: string, init: RequestInit): IncomingMessage {
  const { method = 'GET', headers, body } = init
  const bytes = typeof body === 'string' ? Buffer.from(body) : undefined
  const own = Object.fromEntries(new Headers(headers))
  const kept = inherited.map((name) => [name, outer.headers[name]] as const)
  const length = bytes && { 'content-length': String(bytes.length) }
  return Object.assign(Readable.from(bytes ? [bytes] : []), {
    method,
    // Not parsed: that would resolve dots in the path.
    url: url.replace(/^https?:\/\/[^/]+/, ''),
    headers: { ...own, ...length, ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)) },
    rawHeaders: [],
    httpVersion: '1.1',
    complete: true,
    socket: outer.socket,
  }) as unknown as IncomingMessage
}

export function responseOf(reply: Reply | StreamReply, visit: Visit): Response {
  if (isStreamed(reply)) {
    reply.ended?.()
    throw new Error('a streamed response was requested within the process')
  }
  const headers = new Headers({ 'x-request-id': visit.requestId, ...visit.headers })
  for (const [name, value] of Object.entries(reply.headers ?? {})) headers.set(name, String(value))
  const { status, body } = reply
  return new Response(status === 204 || status === 304 ? null : body, { status, headers })
}
