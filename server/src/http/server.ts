import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Refusal } from '../errors.ts'
import { problem } from './problem.ts'

export type Listening = { readonly url: string; close(): Promise<void> }

/** Bounds on what a client may hold: header bytes, and the time to send headers and a whole request. */
const limits = {
  maxHeaderSize: 32 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 1_000,
  // The door refuses it, in the words of every other refusal.
  requireHostHeader: false,
} as const

/** How long clients are given to leave by themselves. */
const graceMs = 500
/** How long requests that are being answered may take once the server is told to stop. */
const drainMs = 10_000

type Garbage = { readonly status: string; readonly refusal: Refusal }

const notHttp: Garbage = {
  status: '400 Bad Request',
  refusal: {
    code: 'invalid_request',
    detail: 'This is not HTTP.',
    faults: [{ pointer: '', detail: 'Not HTTP.' }],
  },
}

const garbage: Readonly<Record<string, Garbage>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    refusal: {
      code: 'headers_too_large',
      detail: `The headers are larger than ${limits.maxHeaderSize / 1024} KiB.`,
    },
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    refusal: { code: 'request_timeout', detail: 'The request took too long to arrive.' },
  },
}

/** What is not even HTTP is answered from here, as no request came of it. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const due = answerDue(socket)
  if (!due) answerBare(socket, garbage[error.code ?? ''] ?? notHttp)
  else {
    due.shouldKeepAlive = false
    due.once('close', () => socket.destroySoon())
  }
}

/**
 * The answer that a request before the garbage waits for: it would take a 400 for its own, though what it
 * asked for is done. Node keeps it at the connection and offers no other way to it.
 */
function answerDue(socket: Socket): ServerResponse | undefined {
  const { _httpMessage: answer } = socket as Socket & { readonly _httpMessage?: ServerResponse | null }
  return answer?.req.complete ? answer : undefined
}

function answerBare(socket: Duplex, { status, refusal }: Garbage): void {
  const reply = problem(refusal, '-')
  const more = Object.entries(reply.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: ${reply.type}\r\nX-Request-Id: -\r\nConnection: close\r\n` +
      `${more.join('')}Content-Length: ${Buffer.byteLength(reply.body)}\r\n\r\n${reply.body}`,
  )
}

const noTunnel: Garbage = {
  status: '405 Method Not Allowed',
  refusal: {
    code: 'method_not_allowed',
    detail: 'This is no proxy: CONNECT is not possible here.',
    headers: { allow: 'GET, HEAD, QUERY, POST, PUT, PATCH, DELETE' },
  },
}

/** Node hands over the bare connection, and closes it without a word where nobody takes it. */
function refuseTunnel(_request: unknown, socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  answerBare(socket, noTunnel)
}

export async function listen(door: RequestListener, at: { host: string; port: number }): Promise<Listening> {
  const server = createServer(limits, door)
  server.on('clientError', refuseGarbage)
  server.on('checkExpectation', door)
  server.on('connect', refuseTunnel)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at.port, at.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const host = at.host.includes(':') ? `[${at.host}]` : at.host
  return { url: `http://${host}:${port}`, close: () => drain(server) }
}

/**
 * Lets every request that was sent be answered, then closes. For a moment it goes on listening: answers carry
 * Connection: close by now, so that clients leave by themselves and no request meets a closed connection.
 */
async function drain(server: Server): Promise<void> {
  await sleep(graceMs)
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearTimeout(timer)
}
