import { Agent, request as ask, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Is between the command and the server, and calls back when a certain part of an import is on its way. */
export class Killer {
  readonly #server: Server
  readonly #agent = new Agent({ keepAlive: true })
  #parts = 0
  #open = 0
  #at = 0
  #kill: () => void = () => {}

  constructor(target: string) {
    const { hostname, port } = new URL(target)
    this.#server = createServer((incoming, outgoing) => {
      const { method, url: path, headers } = incoming
      const options = { hostname, port, method, path, headers, agent: this.#agent }
      this.#open += 1
      const onward = ask(options, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      onward.once('close', () => {
        this.#open -= 1
      })
      onward.once('error', () => outgoing.destroy())
      incoming.pipe(onward)
      if (method === 'POST' && /\/import\?/.test(path ?? '') && !/dryRun=true/.test(path ?? ''))
        incoming.once('end', () => this.#count())
    })
  }

  async start(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Whether the server still works on a request whose client was killed. */
  get isBusy(): boolean {
    return this.#open > 0
  }

  /** Calls back once, when the server has received that part completely. */
  killAt(part: number, kill: () => void): void {
    this.#parts = 0
    this.#at = part
    this.#kill = kill
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
    this.#agent.destroy()
  }

  #count(): void {
    this.#parts += 1
    if (this.#parts === this.#at) this.#kill()
  }
}
