import { Agent, request } from 'node:http'
import type { Answer, Change } from './diary.ts'

export type Access = { readonly id: string; readonly key: string }

/** Longer than any response may take. */
const patienceMs = 15_000

/** One client with one connection, kept alive: it sends its requests in order. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #urls: readonly string[]
  readonly #realms: ReadonlyMap<string, Access>
  #turn: number

  /** Where there are several servers, it uses the next one when its own does not respond. */
  constructor(urls: readonly string[], realms: ReadonlyMap<string, Access>, turn = 0) {
    this.#urls = urls
    this.#realms = realms
    this.#turn = turn
  }

  async send(change: Change, key: string | undefined): Promise<Answer> {
    const answer = await this.#send(change, key)
    if (answer.status === 0) this.#turn += 1
    return answer
  }

  #send({ realm, member, to, amount }: Change, key: string | undefined): Promise<Answer> {
    const payload = JSON.stringify(
      to === undefined ? { tokens: amount } : { tokens: amount, recipientId: to },
    )
    const base = this.#urls[this.#turn % this.#urls.length]
    const verb = to === undefined ? 'tokenBalance' : 'transfer'
    const url = `${base}/api/v4/realms/${realm}/members/${member}/${verb}`
    const headers = {
      authorization: `Bearer ${this.#realms.get(realm)?.key}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(payload)),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    }
    return new Promise((resolve) => {
      const broken = (error: Error) => resolve({ status: 0, code: 'broken', body: error.message })
      const options = { method: 'PATCH', agent: this.#agent, headers, timeout: patienceMs }
      const sending = request(url, options, (got) => {
        const chunks: Buffer[] = []
        got.on('data', (chunk: Buffer) => chunks.push(chunk))
        got.on('error', broken)
        got.on('end', () => resolve(answerOf(got.statusCode ?? 0, Buffer.concat(chunks).toString())))
      })
      sending.on('timeout', () => sending.destroy(new Error('no answer')))
      sending.on('error', broken)
      sending.end(payload)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** A load balancer's own response says nothing about the change. */
function answerOf(status: number, body: string): Answer {
  try {
    const { code = '' } = JSON.parse(body) as { code?: string }
    return { status, code, body }
  } catch {
    return { status: 0, code: `balancer ${status}`, body: '' }
  }
}
