import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bounds, defaultBounds } from './bounds.ts'
import { Connections } from './connections.ts'
import { continueInTurn } from './expectContinue.ts'
import { refuseTunnel, rejectMalformed } from './malformed.ts'

export type Listening = {
  readonly url: string
  /** The number of open connections. */
  connections(): number
  close(): Promise<void>
}

export type ListenOptions = {
  readonly host: string
  readonly port: number
  readonly bounds?: Partial<Bounds>
  /** Whether this address is a proxy, which serves many clients; by default none is. */
  readonly isProxy?: (address: string) => boolean
  /** Called with the number of rejected connections, once for each second with any. */
  readonly onRefused?: (count: number) => void
}

const sweepMs = 1_000
/** Often, so that thousands of connections opened together do not all time out at the same moment. */
const checkMs = 100

/** How long clients have to close their connections. */
const graceMs = 500
/** How long requests in progress may take once the server is stopping. */
const drainMs = 10_000

function createBounded(listener: RequestListener, bounds: Bounds): Server {
  const server = createServer(
    {
      maxHeaderSize: bounds.headerBytes,
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.requestMs,
      keepAliveTimeout: bounds.keepAliveMs,
      connectionsCheckingInterval: checkMs,
      // The handler rejects it, with the same error format as everywhere.
      requireHostHeader: false,
    },
    listener,
  )
  server.maxConnections = bounds.connections
  server.on('clientError', rejectMalformed())
  server.on('checkContinue', continueInTurn(listener))
  server.on('checkExpectation', listener)
  server.on('connect', refuseTunnel)
  return server
}

export async function listen(listener: RequestListener, options: ListenOptions): Promise<Listening> {
  const { host, port, isProxy = () => false, onRefused = () => {} } = options
  const bounds = { ...defaultBounds, ...options.bounds }
  const connections = new Connections(bounds, isProxy)
  const server = createBounded(connections.guard(listener), bounds)
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
 * Finishes all requests, then closes. It keeps listening for a moment: responses now carry Connection: close,
 * so that clients disconnect and no request hits a closed connection.
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
