import type { ServerResponse } from 'node:http'
import { release } from '../config/release.ts'
import { type Code, catalogue, type Fault, type Refusal, Refused } from '../errors.ts'
import { withoutKeys } from '../keys/index.ts'
import { pour } from './stream.ts'
import type { Visit } from './visit.ts'

export type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** An answer, ready to be sent. */
export type Reply = {
  readonly status: number
  readonly body: string | Buffer
  /** Whether bytes are of this answer alone; those of a page are shared by all that show it. */
  readonly isOwn?: boolean
  readonly type?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** What whoever watches is told of it: codes of refusals, and how much was answered a second time. */
  readonly refused?: readonly Code[]
  readonly replays?: number
  /** Of what a PUT was sent for: whether it was not there before. */
  readonly isNew?: boolean
  /** Whoever sends many of these is slowed, as who guesses keys is. */
  readonly isGuess?: boolean
}

/** An answer that comes in pages, as its size is not known before its end. */
export type Streamed = Omit<Reply, 'body'> & {
  readonly body: AsyncIterable<string>
  /** Asked before each piece; when it throws, the connection is cut. */
  readonly check?: () => unknown
  /** Called once, when it was sent or never will be. */
  readonly ended?: () => void
}

export const problemType = 'application/problem+json; charset=utf-8'
const jsonType = 'application/json; charset=utf-8'

type Problem = Reply & { readonly body: string; readonly headers?: Readonly<Record<string, string>> }

/** A client may be newer than the server: what is unknown here may be known to a later release. */
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

/** The part of a request that a pointer leads into, and the name of what it leads to. */
function placeOf(pointer: string): { readonly in: string; readonly name: string } {
  const [, where, name] = /^(query|path|header):(.*)$/s.exec(pointer) ?? []
  if (where !== undefined && name !== undefined) return { in: where, name }
  const last = pointer.slice(pointer.lastIndexOf('/') + 1)
  return { in: 'body', name: last.replaceAll('~1', '/').replaceAll('~0', '~') }
}

/** Where a page explains a refusal. */
export const problemPath = (code: Code): string => `/problems/${code.replaceAll('_', '-')}`

/** The same answer where a proxy shows the server below a path: the pages of its problems are there too. */
export function placed<R extends Reply | Streamed>(reply: R, basePath: string): R {
  const { body, type, refused = [] } = reply
  if (basePath === '' || typeof body !== 'string') return reply
  if (type !== problemType && refused.length === 0) return reply
  return { ...reply, body: body.replaceAll('"type":"/problems/', `"type":"${basePath}/problems/`) }
}

/** RFC 9457, and `message` for clients of the old service. The only writer of error answers. */
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

/** An answer that was kept, to the byte. */
export function replayOf(status: number, body: string): Reply {
  if (status >= 400) return remembered(status, body)
  return { status, body, headers: replayed, replays: 1 }
}

/** A refusal that was remembered, to the byte. */
export function remembered(status: number, body: string): Reply {
  return { status, body, type: problemType, headers: replayed, replays: 1 }
}

const replayed = { 'idempotent-replayed': 'true' } as const

export function ok(value: unknown, headers?: Readonly<Record<string, string>>): Reply {
  return { status: 200, body: JSON.stringify(value), ...(headers ? { headers } : {}) }
}

/** What a deletion answers. */
export const gone: Reply = { status: 204, body: '' }

/** The same as was answered before. */
export const okAgain = (value: unknown): Reply => ({ ...ok(value, replayed), replays: 1 })

/**
 * Whatever went wrong becomes an answer: a refusal as it is, a fault of ours as 500 without a word of what it
 * was.
 */
export function problemOf(error: unknown, requestId: string, log: Log): Reply {
  if (error instanceof Refused) return problem(error.refusal, requestId)
  log.error({ requestId, err: error }, 'a request failed')
  const detail = `The fault is here, not in your request. Tell the operator the request id ${requestId}.`
  return problem({ code: 'internal_error', detail }, requestId)
}

/** Resolves when all of it was handed to the connection; an answer that is not in pieces, at once. */
export async function send(response: ServerResponse, reply: Reply | Streamed, visit: Visit): Promise<void> {
  if (response.headersSent || response.destroyed) return
  const { status, body, type = jsonType, headers } = reply
  const whole = typeof body === 'string' || Buffer.isBuffer(body)
  const isBare = status === 204 || status === 304
  response.writeHead(status, {
    ...(isBare ? {} : { 'content-type': type }),
    ...(whole && !isBare ? { 'content-length': Buffer.byteLength(body) } : {}),
    'x-request-id': visit.requestId,
    'exchequer-version': release,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...visit.headers,
    ...headers,
  })
  if (whole) response.end(body)
  else if (response.req.method === 'HEAD') response.end()
  else await pour(response, body, 'check' in reply ? reply.check : undefined)
}
