import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type StreamEvent = { readonly id: string; readonly data: unknown; readonly atMs: number }

type Asked = {
  readonly key?: string
  readonly lastEventId?: string
  /** The address to connect from. */
  readonly localAddress?: string
}

const withinMs = 10_000

/** An open stream of server-sent events, and what it has received. */
export class EventStream {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly events: StreamEvent[] = []
  /** Everything as it came, without the events. */
  comments = ''
  /** When the server ended it, or the connection broke. */
  endedAtMs: number | undefined
  readonly response: IncomingMessage
  readonly #sending: ClientRequest
  #rest = ''

  private constructor(sending: ClientRequest, response: IncomingMessage) {
    this.#sending = sending
    this.response = response
    this.status = response.statusCode ?? 0
    this.headers = response.headers
    response.setEncoding('utf8')
    response.on('data', (text: string) => this.#take(text))
    const ended = () => {
      this.endedAtMs ??= performance.now()
    }
    response.on('close', ended)
    response.on('error', ended)
  }

  static open(url: string, { key, lastEventId, localAddress }: Asked = {}): Promise<EventStream> {
    const headers = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    }
    return new Promise((resolve, reject) => {
      const options = { headers, agent: false, ...(localAddress ? { localAddress } : {}) }
      const sending = request(url, options, (response) => resolve(new EventStream(sending, response)))
      sending.on('error', reject)
      sending.end()
    })
  }

  get ids(): string[] {
    return this.events.map(({ id }) => id)
  }

  get text(): string {
    return this.#rest
  }

  /** Resolves when there are so many events; fails if they do not come. */
  async until(count: number, ms = withinMs): Promise<readonly StreamEvent[]> {
    await this.#wait(() => this.events.length >= count, ms, `${count} events`)
    return this.events
  }

  /** Resolves with the time at which it ended. */
  async ended(ms = withinMs): Promise<number> {
    await this.#wait(() => this.endedAtMs !== undefined, ms, 'the end')
    return this.endedAtMs ?? 0
  }

  close(): void {
    this.#sending.destroy()
  }

  async #wait(isDone: () => boolean, ms: number, what: string): Promise<void> {
    for (const untilMs = performance.now() + ms; !isDone(); await sleep(2)) {
      if (performance.now() > untilMs)
        throw new Error(`after ${ms} ms there are ${this.events.length} events, not ${what}`)
    }
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, id, data] = /^id: (\d+)\ndata: (.*)$/.exec(block) ?? []
      if (id === undefined || data === undefined) this.comments += `${block}\n`
      else this.events.push({ id, data: JSON.parse(data), atMs: performance.now() })
    }
  }
}
