import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A request that a receiver got, as it came. */
export class ReceivedRequest {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly atMs = performance.now()
  #event: unknown

  constructor({ headers }: IncomingMessage, body: string) {
    this.headers = headers as Record<string, string>
    this.id = this.headers['webhook-id'] ?? ''
    this.body = body
  }

  /** Parsed when it is read: some receivers get a million. */
  // biome-ignore lint/suspicious/noExplicitAny: events of several types
  get event(): any {
    this.#event ??= JSON.parse(this.body)
    return this.#event
  }
}

export type Respond = (got: ReceivedRequest, response: ServerResponse) => void | Promise<void>

export type ReceiverOptions = {
  readonly respond?: Respond
  /** In PEM, for https. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** A real receiver of webhooks on loopback, which responds 200 unless a test says otherwise. */
export class Receiver {
  readonly got: ReceivedRequest[] = []
  respond: Respond = (_, response) => void response.end()
  url = ''
  connections = 0
  readonly #server: Server

  private constructor({ respond, tls }: ReceiverOptions) {
    if (respond) this.respond = respond
    const take = (request: IncomingMessage, response: ServerResponse) => this.#take(request, response)
    this.#server = tls ? createTlsServer(tls, take) : createServer(take)
    this.#server.on('connection', () => {
      this.connections += 1
    })
  }

  static async start(options: ReceiverOptions = {}): Promise<Receiver> {
    const receiver = new Receiver(options)
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve))
    const { port } = receiver.#server.address() as AddressInfo
    receiver.url = `http${options.tls ? 's' : ''}://127.0.0.1:${port}/events`
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
  async until(count: number, withinMs = 10_000): Promise<readonly ReceivedRequest[]> {
    const endMs = performance.now() + withinMs
    while (this.got.length < count) {
      if (performance.now() > endMs)
        throw new Error(`got ${this.got.length} of ${count}: ${this.types.join()}`)
      await sleep(10)
    }
    return this.got
  }

  /** How long it keeps idle connections open. */
  set keepAliveMs(ms: number) {
    this.#server.keepAliveTimeout = ms
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

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const got = new ReceivedRequest(request, Buffer.concat(chunks).toString())
      this.got.push(got)
      void this.respond(got, response)
    })
    request.on('error', () => {})
  }
}
