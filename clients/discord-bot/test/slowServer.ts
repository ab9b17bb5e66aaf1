import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to the bot's requests on their way to Exchequer. */
export type Mode =
  | { readonly is: 'pass' }
  /** No request arrives. */
  | { readonly is: 'down' }
  /** Each arrives later. */
  | { readonly is: 'slow'; readonly ms: number }
  /** Changes arrive, and their responses are lost. */
  | { readonly is: 'lossy' }
  /** Changes arrive, and their responses never do. */
  | { readonly is: 'silent' }

/** A proxy between the bot and a real Exchequer server. */
export class SlowServer {
  readonly #target: string
  readonly #server = createServer((incoming, outgoing) => this.#pass(incoming, outgoing))
  #mode: Mode = { is: 'pass' }
  /** How many changes were done, and not answered. */
  unanswered = 0

  constructor(target: string) {
    this.#target = target
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  set mode(mode: Mode) {
    this.#mode = mode
    this.unanswered = 0
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const mode = this.#mode
    if (mode.is === 'down') return void incoming.socket.destroy()
    setTimeout(() => this.#forward(mode, incoming, outgoing), mode.is === 'slow' ? mode.ms : 0)
  }

  #forward(mode: Mode, incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = '', url = '', headers } = incoming
    const isChange = method === 'PATCH' || method === 'POST'
    const passed = request(this.#target + url, { method, headers, agent: false }, (answer) => {
      if (isChange && (mode.is === 'lossy' || mode.is === 'silent')) {
        answer.resume().once('end', () => {
          this.unanswered += 1
          if (mode.is === 'lossy') incoming.socket.destroy()
        })
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => incoming.socket.destroy())
    incoming.pipe(passed)
  }
}
