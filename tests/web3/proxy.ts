import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Mood = 'honest' | 'hangs' | 'lies about JSON' | 'answers 429' | 'dies' | 'another id' | 'half'

/** An endpoint between the server and its node that can be made to fail, and counts requests. */
export class Endpoint {
  mood: Mood = 'honest'
  asked = 0
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  readonly #target: string

  private constructor(target: string) {
    this.#target = target
  }

  static async to(target: string): Promise<Endpoint> {
    const made = new Endpoint(target)
    made.#server.listen(0, '127.0.0.1')
    await once(made.#server, 'listening')
    return made
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked += 1
    const body = await text(request)
    if (this.mood === 'hangs') return
    if (this.mood === 'dies') {
      request.socket.destroy()
      return
    }
    if (this.mood === 'lies about JSON') response.end('<html>Bad gateway</html>')
    else if (this.mood === 'answers 429') response.writeHead(429, { 'retry-after': '1' }).end('{}')
    else if (this.mood === 'another id') response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result: '0x' }))
    else {
      const answered = await fetch(this.#target, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      const whole = await answered.text()
      response.end(this.mood === 'half' ? whole.slice(0, whole.length / 2) : whole)
    }
  }
}
