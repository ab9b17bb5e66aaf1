import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

type State = 'whole' | 'silent' | 'cut'

/**
 * A proxy between a server and its database that can be made to fail, like a firewall, a switch
 * or a cable.
 */
export class Link {
  readonly url: string
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Data sent while nothing passes, in order: it is delivered when the network returns. */
  #held: (() => void)[] = []
  /** Data in flight, in order: a connection never reorders, however its delay changes. */
  readonly #underWay: { readonly dueMs: number; readonly pass: () => void }[] = []
  #timer: NodeJS.Timeout | undefined
  #state: State = 'whole'
  #delayMs = 0

  private constructor(url: string, server: Server) {
    this.url = url
    this.#server = server
  }

  /** A link to the server of this URL. */
  static async to(url: string): Promise<Link> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const through = new URL(url)
    const target = { host: through.hostname, port: Number(through.port) }
    through.port = String((server.address() as AddressInfo).port)
    const link = new Link(through.toString(), server)
    server.on('connection', (socket) => link.#join(socket, connect({ ...target, noDelay: true })))
    return link
  }

  /** Nothing passes, not even the end of a connection: connections stay open, new ones hang. */
  silence(): void {
    this.#state = 'silent'
  }

  /** Connections break, also new ones. */
  cut(): void {
    this.#state = 'cut'
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  /** All data takes this much longer, in each direction. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs
  }

  /** Data sent while it was silent is delivered now, late. */
  repair(): void {
    this.#state = 'whole'
    this.#delayMs = 0
    for (const pass of this.#held.splice(0)) this.#pass(pass)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(near: Socket, far: Socket): void {
    near.setNoDelay(true)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one)
      one.on('error', () => {})
      one.on('data', (chunk) => this.#pass(() => other.destroyed || other.write(chunk)))
      one.on('close', () => {
        this.#sockets.delete(one)
        this.#pass(() => other.end())
      })
    }
    if (this.#state === 'cut') near.resetAndDestroy()
  }

  #pass(pass: () => void): void {
    if (this.#state === 'silent') {
      this.#held.push(pass)
      return
    }
    this.#underWay.push({ dueMs: performance.now() + this.#delayMs, pass })
    this.#arrive()
  }

  #arrive(): void {
    clearTimeout(this.#timer)
    for (let next = this.#underWay[0]; next; next = this.#underWay[0]) {
      const leftMs = next.dueMs - performance.now()
      if (leftMs > 0) {
        this.#timer = setTimeout(() => this.#arrive(), leftMs)
        return
      }
      this.#underWay.shift()
      next.pass()
    }
  }
}
