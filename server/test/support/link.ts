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
  /** What was sent while nothing passes, in order: a network that returns brings it after all. */
  #held: (() => void)[] = []
  /** What is under way, in order: a connection never overtakes itself, however its speed changes. */
  readonly #underWay: { readonly dueMs: number; readonly pass: () => void }[] = []
  #timer: NodeJS.Timeout | undefined
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

  /** Nothing passes, and nobody is told, of an end neither: connections stay, new ones lead nowhere. */
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

  /** Whatever was sent while it was silent arrives now, late. */
  mend(): void {
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
