import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

type State = 'whole' | 'silent' | 'cut'

/**
 * The network between a server and its database, where it can be made to fail: what a firewall, a switch or a
 * cable would do, for a machine where none of them can be touched.
 */
export class Link {
  readonly url: string
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #state: State = 'whole'
  #delayMs = 0

  private constructor(url: string, server: Server) {
    this.url = url
    this.#server = server
  }

  /** A link to what this URL leads to. */
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

  /** Nothing passes, and nobody is told: connections stay, new ones are made and lead nowhere. */
  silence(): void {
    this.#state = 'silent'
  }

  /** Connections break, and new ones do. */
  cut(): void {
    this.#state = 'cut'
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  /** Whatever passes takes this much longer, each way. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs
  }

  /** What was held back while it was silent is lost, as its connections are. */
  mend(): void {
    if (this.#state === 'silent') for (const socket of this.#sockets) socket.resetAndDestroy()
    this.#state = 'whole'
    this.#delayMs = 0
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
      one.on('data', (chunk) => this.#pass(chunk, other))
      one.on('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
    }
    if (this.#state === 'cut') near.resetAndDestroy()
  }

  #pass(chunk: Buffer, to: Socket): void {
    if (this.#state !== 'whole') return
    if (this.#delayMs === 0) to.write(chunk)
    else setTimeout(() => to.destroyed || to.write(chunk), this.#delayMs)
  }
}
