import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A program instead of a server process: it answers every request with its own name. */
export class Stub {
  readonly name: string
  /** What it received, without health checks. */
  readonly received: string[] = []
  isReady = true
  /** Whether it closes the connection of a request that it has received, without an answer. */
  isCrashing = false
  answersAfterMs = 0
  #server: Server
  #port = 0

  private constructor(name: string) {
    this.name = name
    this.#server = this.#create()
  }

  static async start(name: string): Promise<Stub> {
    const stub = new Stub(name)
    await stub.start()
    return stub
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`
  }

  /** On the same port as before. */
  async start(): Promise<void> {
    this.#server = this.#create()
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Like a killed process: connections break, and new ones are refused. */
  async kill(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  #create(): Server {
    return createServer((request, response) => this.#answer(request, response))
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === '/readyz') {
      response.writeHead(this.isReady ? 200 : 503).end()
      return
    }
    this.received.push(`${request.method} ${request.url}`)
    request.resume()
    if (this.isCrashing) request.socket.destroy()
    else request.on('end', () => setTimeout(() => response.end(this.name), this.answersAfterMs))
  }
}
