import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a receiver got, as it came. */
export type Received = {
  readonly id: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly atMs: number
}

/** How a receiver answers. */
export type Behaviour = (response: ServerResponse, received: Received) => void

const accept: Behaviour = (response) => response.writeHead(204).end()

/** A receiver of webhooks on loopback, and its own record of what it got and accepted. */
export class Receiver {
  readonly url: string
  readonly got: Received[] = []
  behave: Behaviour = accept
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    server.on('request', (request, response) => this.#take(request, response))
  }

  static async open(behave?: Behaviour): Promise<Receiver> {
    const server = createServer({ keepAlive: true })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const receiver = new Receiver(server)
    if (behave) receiver.behave = behave
    return receiver
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { headers } = request
      const received = {
        id: String(headers['webhook-id']),
        headers,
        body: Buffer.concat(chunks).toString(),
        atMs: performance.now(),
      }
      this.got.push(received)
      this.behave(response, received)
    })
    request.on('error', () => {})
  }
}
