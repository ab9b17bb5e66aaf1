import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkDeadline } from '../tests/support/timeLimit.ts'
import type { Scene } from './compare.ts'
import { type Latencies, latenciesOf, pgbenchAtRate, type ServerProcess } from './tools.ts'

/**
 * Changes that arrive at a fixed rate, whether the server keeps up or not. A request's time runs from when it
 * was due, so that a server that stalls can't hide it by receiving fewer requests.
 */
export type Arrivals = Latencies & {
  /** Shares of the peak. */
  readonly share: number
  readonly rate: number
  /** Of `pgbench --rate` at the same rate. */
  readonly bare: Latencies
}

const shares = [0.1, 0.5, 0.8]
const seconds = 15
const warmUpSeconds = 3
/** Enough that one is free whenever a request is due; if none is, the request waits, and its time runs. */
const connectionCount = 512
const tickMs = 1
/** How long to wait for the last responses. */
const answersMs = 120_000

export async function measureArrivals(
  { stage, filled }: Scene,
  { url }: ServerProcess,
  peak: number,
): Promise<readonly Arrivals[]> {
  const [realm = '', key = ''] = readFileSync(filled.bigRealm, 'utf8').trim().split(' ')
  const sender = await Sender.open(url, { realm, key, members: filled.members })
  const measured: Arrivals[] = []
  for (const share of shares) {
    const rate = peak * share
    await sender.send(rate, warmUpSeconds)
    const own = latenciesOf(await sender.send(rate, seconds))
    const bare = await pgbenchAtRate(
      {
        binaries: stage.binaries,
        url: stage.url('bare'),
        scripts: [stage.scripts.spread],
        clients: 64,
        seconds,
        members: filled.members,
      },
      rate,
    )
    measured.push({ share, rate, ...own, bare })
  }
  sender.close()
  return measured
}

export type Target = { readonly realm: string; readonly key: string; readonly members: number }

type Sending = { readonly next: () => Target; readonly mayRefuse: boolean }

export class Sender {
  readonly #next: () => Target
  /** Whether a 503 is an answer like others. */
  readonly #mayRefuse: boolean
  readonly #sockets: Socket[]
  readonly #free: Socket[]
  /** When each request that waits for a connection was due. */
  readonly #due: number[] = []
  readonly #dueOf = new Map<Socket, number>()
  readonly #received = new Map<Socket, string>()
  #times: number[] = []
  #count = 0
  #failed: Error | undefined
  readonly #run = Math.floor(Math.random() * 0xffffffff).toString(16)

  private constructor({ next, mayRefuse }: Sending, sockets: Socket[]) {
    this.#next = next
    this.#mayRefuse = mayRefuse
    this.#sockets = sockets
    this.#free = [...sockets]
    for (const socket of sockets) socket.on('data', (chunk) => this.#receive(socket, String(chunk)))
  }

  static open(url: string, target: Target, connections = connectionCount): Promise<Sender> {
    return Sender.openMany(url, () => target, { connections })
  }

  /** With a function that chooses the realm of each request. */
  static async openMany(
    url: string,
    next: () => Target,
    { connections = connectionCount, mayRefuse = false } = {},
  ): Promise<Sender> {
    const { hostname, port } = new URL(url)
    const opening = Array.from({ length: connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      await once(socket, 'connect')
      return socket
    })
    return new Sender({ next, mayRefuse }, await Promise.all(opening))
  }

  /** Sends at this rate for this long; returns the milliseconds of each response. */
  async send(rate: number, forSeconds: number): Promise<number[]> {
    this.#times = []
    const startMs = performance.now()
    const total = Math.floor(rate * forSeconds)
    for (let sent = 0; sent < total; ) {
      const upTo = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * rate))
      for (; sent < upTo; sent++) this.#due.push(startMs + (sent / rate) * 1000)
      this.#serve()
      await this.#tick()
    }
    const deadlineMs = performance.now() + answersMs
    while (this.#times.length < total) {
      checkDeadline(deadlineMs, 'the last answer')
      await this.#tick()
    }
    return this.#times
  }

  async #tick(): Promise<void> {
    await sleep(tickMs)
    if (this.#failed) throw this.#failed
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #serve(): void {
    while (this.#due.length > 0) {
      // Round robin: the server would close a connection that is never used.
      const socket = this.#free.shift()
      if (!socket) return
      this.#dueOf.set(socket, this.#due.shift() ?? 0)
      socket.write(this.#request())
    }
  }

  #request(): string {
    const { realm, key, members } = this.#next()
    const member = 1 + Math.floor(Math.random() * members)
    const fresh = `${this.#run}-${String(++this.#count).padStart(27, '0')}`
    const body = '{"tokens":1}'
    return (
      `PATCH /api/v4/realms/${realm}/members/${member}/tokenBalance HTTP/1.1\r\nHost: bench\r\n` +
      `Authorization: Bearer ${key}\r\nIdempotency-Key: ${fresh}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`
    )
  }

  #receive(socket: Socket, chunk: string): void {
    const text = (this.#received.get(socket) ?? '') + chunk
    // A response is complete when its JSON object is closed: it contains no nested braces.
    if (!text.endsWith('}')) {
      this.#received.set(socket, text)
      return
    }
    this.#received.delete(socket)
    const isRefused = this.#mayRefuse && text.startsWith('HTTP/1.1 503 ')
    if (!isRefused && !text.startsWith('HTTP/1.1 200 ')) this.#failed = new Error(`at a fixed rate: ${text}`)
    this.#times.push(performance.now() - (this.#dueOf.get(socket) ?? 0))
    this.#free.push(socket)
    this.#serve()
  }
}
