import { Agent, request } from 'node:http'
import type { RealmAccess } from './fixture.ts'

export type SentRequest = {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests look at
  readonly json: any
  /** The server closes the connection after this response. */
  readonly last: boolean
}

export type Write = {
  readonly member: string
  readonly tokens: number
  /** Makes it a transfer. */
  readonly recipientId?: string
  readonly idempotencyKey?: string
}

/** A client with one keep-alive connection: it sends its requests in order. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #baseUrl: string
  readonly #realm: RealmAccess

  constructor(baseUrl: string, realm: RealmAccess) {
    this.#baseUrl = baseUrl
    this.#realm = realm
  }

  write({ member, tokens, recipientId, idempotencyKey }: Write): Promise<SentRequest> {
    const verb = recipientId === undefined ? 'tokenBalance' : 'transfer'
    const payload = JSON.stringify({ tokens, recipientId })
    const headers = {
      authorization: `Bearer ${this.#realm.key}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(payload)),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    }
    const url = `${this.#baseUrl}/api/v4/realms/${this.#realm.id}/members/${member}/${verb}`
    return new Promise((resolve, reject) => {
      const sending = request(
        url,
        { method: 'PATCH', agent: this.#agent, headers, timeout: 20_000 },
        (got) => {
          const chunks: Buffer[] = []
          got.on('data', (chunk: Buffer) => chunks.push(chunk))
          got.on('error', reject)
          got.on('end', () => {
            const json = JSON.parse(Buffer.concat(chunks).toString())
            resolve({ status: got.statusCode ?? 0, json, last: got.headers.connection === 'close' })
          })
        },
      )
      sending.on('timeout', () => sending.destroy(new Error(`no answer to ${url}`)))
      sending.on('error', reject)
      sending.end(payload)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
