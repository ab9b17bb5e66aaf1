import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Refusal } from '../errors.ts'
import { type Bounds, defaultBounds } from './bounds.ts'
import { Connections } from './connections.ts'
import { problem } from './problem.ts'

export type Listening = { readonly url: string; close(): Promise<void> }

export type ListenOptions = {
  readonly host: string
  readonly port: number
  readonly bounds?: Partial<Bounds>
  /** Whether this address is a proxy's, which speaks for many clients; by default none is. */
  readonly isProxy?: (address: string) => boolean
  /** Told each second in which connections were refused, how many. */
  readonly onRefused?: (count: number) => void
}

const sweepMs = 1_000
/** Often, so that thousands who came together are not all shown out in the same moment. */
const checkMs = 100
/** How long an answer to what is not HTTP may take to leave. */
const garbageMs = 1_000
/** How many of those are answered before others have their turn. */
const atATime = 8

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
      detail: `The headers are larger than ${defaultBounds.headerBytes / 1024} KiB.`,
    },
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    refusal: { code: 'request_timeout', detail: 'The request took too long to arrive.' },
  },
}

function answerTo({ status, refusal }: Garbage): string {
  const reply = problem(refusal, '-')
  return (
    `HTTP/1.1 ${status}\r\nContent-Type: ${reply.type}\r\nX-Request-Id: -\r\nConnection: close\r\n` +
    `Content-Length: ${Buffer.byteLength(reply.body)}\r\n\r\n${reply.body}`
  )
}

// Made once, as they are given to thousands at a time.
const notHttpAnswer = answerTo(notHttp)
const garbageAnswers: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(garbage).map(([code, one]) => [code, answerTo(one)]),
)

/** What is not even HTTP is answered from here, as no request came of it. */
function refuseGarbage(answer: string, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.write(answer)
  // Ended alone it would stay open for as long as the client likes, and do what is sent on it.
  socket.destroySoon()
  setTimeout(() => socket.destroy(), garbageMs).unref()
}

/** Shows out whoever sends no HTTP, a few at a time: thousands may be too slow in the same moment. */
function usher(): (error: NodeJS.ErrnoException, socket: Socket) => void {
  const leaving: { readonly answer: string; readonly socket: Socket }[] = []
  const showOut = () => {
    for (const { answer, socket } of leaving.splice(0, atATime)) refuseGarbage(answer, socket)
    if (leaving.length > 0) setImmediate(showOut)
  }
  return (error, socket) => {
    if (error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    // Nothing more is heard from it.
    socket.pause()
    leaving.push({ answer: garbageAnswers[error.code ?? ''] ?? notHttpAnswer, socket })
    if (leaving.length === 1) setImmediate(showOut)
  }
}

function createBounded(door: RequestListener, bounds: Bounds): Server {
  const server = createServer(
    {
      maxHeaderSize: bounds.headerBytes,
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.requestMs,
      keepAliveTimeout: bounds.keepAliveMs,
      connectionsCheckingInterval: checkMs,
      // The door refuses it, in the words of every other refusal.
      requireHostHeader: false,
    },
    door,
  )
  server.maxConnections = bounds.connections
  server.on('clientError', usher())
  server.on('checkExpectation', door)
  return server
}

export async function listen(door: RequestListener, options: ListenOptions): Promise<Listening> {
  const { host, port, isProxy = () => false, onRefused = () => {} } = options
  const bounds = { ...defaultBounds, ...options.bounds }
  const connections = new Connections(bounds, isProxy)
  const server = createBounded(connections.guard(door), bounds)
  let refused = 0
  server.on('connection', (socket) => {
    if (!connections.open(socket)) refused += 1
  })
  server.on('drop', () => {
    refused += 1
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const sweeping = setInterval(() => {
    connections.sweep(performance.now())
    if (refused > 0) onRefused(refused)
    refused = 0
  }, sweepMs)
  server.once('close', () => clearInterval(sweeping))
  const { port: taken } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${taken}`, close: () => drain(server) }
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
