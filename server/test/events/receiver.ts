import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a receiver got. */
export type Got = {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: events of several types
  readonly event: any
  readonly atMs: number
}

export type Respond = (got: Got, response: ServerResponse) => void | Promise<void>

/** A real receiver of webhooks on loopback, which responds 200 unless a test says otherwise. */
export class Receiver {
  readonly got: Got[] = []
  respond: Respond = (_, response) => void response.end()
  readonly #server: Server
  url = ''
  connections = 0

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response))
    this.#server.on('connection', () => {
      this.connections += 1
    })
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver()
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve))
    receiver.url = `http://127.0.0.1:${(receiver.#server.address() as AddressInfo).port}/events`
    return receiver
  }

  get ids(): string[] {
    return this.got.map(({ id }) => id)
  }

  get types(): string[] {
    return this.got.map(({ event }) => event.type)
  }

  get seqs(): number[] {
    return this.got.map(({ event }) => Number(event.data.seq))
  }

  /** Waits until it got as many. */
  async until(count: number, withinMs = 10_000): Promise<readonly Got[]> {
    const endMs = performance.now() + withinMs
    while (this.got.length < count) {
      if (performance.now() > endMs)
        throw new Error(`got ${this.got.length} of ${count}: ${this.types.join()}`)
      await sleep(10)
    }
    return this.got
  }

  /** Responds with these statuses, then with 200. */
  answer(...statuses: readonly number[]): void {
    const left = [...statuses]
    this.respond = (_, response) => void response.writeHead(left.shift() ?? 200).end()
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const headers = request.headers as Record<string, string>
    const id = headers['webhook-id'] ?? ''
    const got = { id, headers, body, event: JSON.parse(body), atMs: performance.now() }
    this.got.push(got)
    await this.respond(got, response)
  }
}
