import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { release } from '../config/release.ts'
import { type Code, catalogue, type Fault, type Refusal, RefusalError } from '../errors.ts'
import { withoutKeys } from '../keys/index.ts'
import { pour } from './stream.ts'
import type { Visit } from './visit.ts'

export type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** A response, ready to be sent. */
export type Reply = {
  readonly status: number
  readonly body: string | Buffer
  /** Whether the bytes belong to this response alone; static pages share theirs. */
  readonly isOwn?: boolean
  readonly type?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** For metrics: the error codes, and the number of replays. */
  readonly refused?: readonly Code[]
  readonly replays?: number
  /** Whether a PUT created the object. */
  readonly isNew?: boolean
  /** The member that the request acted on, where its path has an old id of it. */
  readonly survivor?: string | undefined
  /** Clients that send many of these are throttled, like those that guess keys. */
  readonly isGuess?: boolean
}

/** A streamed response, whose size is not known in advance. */
export type StreamReply = Omit<Reply, 'body'> & {
  readonly body: AsyncIterable<string>
  /** Called before each piece; when it throws, the connection is closed. */
  readonly check?: () => unknown
  /** Only where it lasts until its client leaves: ends it. `check` also runs while nothing is sent. */
  readonly stop?: () => void
  /** Called once, when it was sent or never will be. */
  readonly ended?: () => void
}

export const problemType = 'application/problem+json; charset=utf-8'
const jsonType = 'application/json; charset=utf-8'

type Problem = Reply & { readonly body: string; readonly headers?: Readonly<Record<string, string>> }

/** A client may be newer than the server, so unknown fields come with the server's release. */
function faultsOf(faults: readonly Fault[]): object {
  const isUnknown = faults.some(({ code = '' }) => code.startsWith('unknown_'))
  return { errors: faults.map(faultBody), ...(isUnknown ? { serverVersion: release } : {}) }
}

const faultBody = ({ pointer, code = 'invalid_value', detail }: Fault): object => ({
  pointer,
  ...placeOf(pointer),
  code,
  detail,
})

/** The part of a request that a pointer refers to, and the field's name. */
function placeOf(pointer: string): { readonly in: string; readonly name: string } {
  const [, where, name] = /^(query|path|header):(.*)$/s.exec(pointer) ?? []
  if (where !== undefined && name !== undefined) return { in: where, name }
  const last = pointer.slice(pointer.lastIndexOf('/') + 1)
  return { in: 'body', name: last.replaceAll('~1', '/').replaceAll('~0', '~') }
}

/** The path of the page that explains an error. */
export const problemPath = (code: Code): string => `/problems/${code.replaceAll('_', '-')}`

/** Prefixes problem links with the path under which a proxy serves the server. */
export function placed<R extends Reply | StreamReply>(reply: R, basePath: string): R {
  const { body, type, refused = [] } = reply
  if (basePath === '' || typeof body !== 'string') return reply
  if (type !== problemType && refused.length === 0) return reply
  return { ...reply, body: body.replaceAll('"type":"/problems/', `"type":"${basePath}/problems/`) }
}

/** RFC 9457, and `message` for clients of the old service. The only writer of error responses. */
export function problem(refusal: Refusal, requestId: string): Problem {
  const { status, title } = catalogue[refusal.code]
  const body = {
    type: problemPath(refusal.code),
    title,
    status,
    detail: refusal.detail,
    code: refusal.code,
    message: refusal.detail,
    requestId,
    ...refusal.facts,
    ...(refusal.faults ? faultsOf(refusal.faults) : {}),
    ...(refusal.error ? { error: refusal.error } : {}),
    ...(refusal.rememberedUntil ? { rememberedUntil: refusal.rememberedUntil } : {}),
  }
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : refusal.headers
  const text = withoutKeys(JSON.stringify(body))
  return { status, body: text, type: problemType, refused: [refusal.code], ...(headers ? { headers } : {}) }
}

/** A stored response, unchanged. */
export function replayOf(status: number, body: string): Reply {
  if (status >= 400) return remembered(status, body)
  return { status, body, headers: replayed, replays: 1 }
}

/** A stored error response, unchanged. */
export function remembered(status: number, body: string): Reply {
  return { status, body, type: problemType, headers: replayed, replays: 1 }
}

const replayed = { 'idempotent-replayed': 'true' } as const

export function ok(value: unknown, headers?: Readonly<Record<string, string>>): Reply {
  return { status: 200, body: JSON.stringify(value), ...(headers ? { headers } : {}) }
}

/** The response to a deletion. */
export const gone: Reply = { status: 204, body: '' }

/** A replay of an earlier response. */
export const okAgain = (value: unknown): Reply => ({ ...ok(value, replayed), replays: 1 })

/**
 * Turns any error into a response: a refusal as it is, anything else as a 500 that does not reveal the cause.
 */
export function problemOf(error: unknown, requestId: string, log: Log): Reply {
  if (error instanceof RefusalError) return problem(error.refusal, requestId)
  log.error({ requestId, err: error }, 'a request failed')
  const detail = `Internal server error. Please report request id ${requestId} to the operator.`
  return problem({ code: 'internal_error', detail }, requestId)
}

export function send(response: ServerResponse, reply: Reply, visit: Visit): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(reply.status, headersOf(reply, visit)).end(reply.body)
}

/** Resolves when the whole response was handed to the connection. */
export async function sendStream(response: ServerResponse, reply: StreamReply, visit: Visit): Promise<void> {
  if (response.headersSent || response.destroyed) return
  response.writeHead(reply.status, headersOf(reply, visit))
  if (response.req.method === 'HEAD') response.end()
  else await pour(response, reply)
}

/** One object that grows, not many that are merged: every response pays for it. */
function headersOf(reply: Reply | StreamReply, visit: Visit): OutgoingHttpHeaders {
  const { status, type = jsonType, headers } = reply
  const all: OutgoingHttpHeaders = {
    'x-request-id': visit.requestId,
    'exchequer-version': release,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  if (status !== 204 && status !== 304) {
    all['content-type'] = type
    if (!isStreamed(reply)) all['content-length'] = Buffer.byteLength(reply.body)
  }
  if (visit.headers) Object.assign(all, visit.headers)
  if (headers) Object.assign(all, headers)
  return all
}

export const isStreamed = (reply: Reply | StreamReply): reply is StreamReply =>
  typeof reply.body !== 'string' && !Buffer.isBuffer(reply.body)
