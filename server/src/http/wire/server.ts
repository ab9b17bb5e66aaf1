import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bounds, defaultBounds } from './bounds.ts'
import { Connections } from './connections.ts'
import { continueInTurn } from './expectContinue.ts'
import { refuseTunnel, rejectMalformed } from './malformed.ts'

export type Listening = {
  readonly url: string
  /** How many are open. */
  connections(): number
  close(): Promise<void>
}

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

/** How long clients are given to leave by themselves. */
const graceMs = 500
/** How long requests that are being answered may take once the server is told to stop. */
const drainMs = 10_000

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
  server.on('clientError', rejectMalformed())
  server.on('checkContinue', continueInTurn(door))
  server.on('checkExpectation', door)
  server.on('connect', refuseTunnel)
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
  return {
    url: `http://${name}:${taken}`,
    connections: () => connections.count,
    close: () => drain(server),
  }
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
