import { connect } from 'node:net'

export type Drip = {
  /** Sent at once. */
  readonly head?: string
  /** Sent repeatedly after it. */
  readonly drip?: string
  readonly everyMs?: number
  /** The loopback address to come from. */
  readonly from?: string
  /** Does not read responses. */
  readonly deaf?: boolean
}

export type DripResult = {
  readonly received: string
  /** When the first byte of a response arrived; undefined when none did. */
  readonly answeredMs: number | undefined
  /** When the server closed the connection; undefined while it had not. */
  readonly closedMs: number | undefined
}

/**
 * A client that never closes its side of the connection, to see whether the server does.
 * It is observed until the server has closed, or until the timeout.
 */
export function drip(url: string, sent: Drip, lookMs: number): Promise<DripResult> {
  const { hostname, port } = new URL(url)
  const startedMs = performance.now()
  const socket = connect({
    host: hostname,
    port: Number(port),
    allowHalfOpen: true,
    ...(sent.from === undefined ? {} : { localAddress: sent.from }),
  })
  let received = ''
  let answeredMs: number | undefined
  if (!sent.deaf)
    socket.on('data', (chunk) => {
      answeredMs ??= performance.now() - startedMs
      received += chunk.toString('latin1')
    })
  const dripping = setInterval(() => sent.drip && socket.write(sent.drip), sent.everyMs ?? 50)
  return new Promise((resolve) => {
    let probing: NodeJS.Timeout | undefined
    const done = (closedMs: number | undefined) => {
      clearInterval(dripping)
      clearInterval(probing)
      clearTimeout(over)
      socket.destroy()
      resolve({ received, answeredMs, closedMs })
    }
    const over = setTimeout(() => done(undefined), lookMs)
    socket.on('error', () => {})
    socket.on('close', () => done(performance.now() - startedMs))
    // The server has ended its side; a reset shows whether it has closed the socket.
    socket.on('end', () => {
      probing = setInterval(() => socket.write('x'), 20)
    })
    socket.write(sent.head ?? '')
  })
}

/**
 * Sends the head of a request and the first bytes of its body, does `meanwhile`, then sends the rest. Returns
 * the status and the body of the answer.
 */
export async function sendSlowly(
  url: string,
  { head, body }: { readonly head: string; readonly body: string },
  meanwhile: () => Promise<unknown>,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  const closed = new Promise((resolve) => {
    socket.on('close', resolve)
  })
  socket.on('error', () => {})
  socket.write(head + body.slice(0, 3))
  await meanwhile()
  socket.write(body.slice(3))
  await closed
  const [first = '', ...rest] = received.split('\r\n\r\n')
  return { status: Number(first.split(' ')[1]), text: rest.join('\r\n\r\n') }
}
