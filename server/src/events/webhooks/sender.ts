import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { type AddressGuard, ClosedAddress } from './addressGuard.ts'
import { type Message, signedHeaders } from './message.ts'
import { type Outcome, retryAfterOf } from './schedule.ts'

/** For everything: the host's address, the connection, the request and the response. */
const usualTimeoutMs = 15_000
const answerCap = 2048
/** A receiver closes idle connections after 5 seconds or more. */
const idleMs = 4_000

export type Delivery = Outcome & {
  readonly durationMs: number
  /** The first 2 KiB of the response. */
  readonly answer: string | undefined
}

export type SenderOptions = {
  readonly guard: AddressGuard
  /** As the header user-agent has it. */
  readonly agentName: string
  readonly timeoutMs?: number | undefined
}

/** Where a message goes, and what it is signed with. */
export type Target = { readonly url: URL; readonly secrets: readonly string[] }

const noResponse = { status: undefined, retryAfterMs: undefined, answer: undefined }
const noSecret = 'The secret can’t be decrypted: KEY_SECRETS has changed. Rotate the webhook’s secret.'

/** Sends messages. Connections are kept for the next message to the same receiver. */
export class Sender {
  readonly #options: SenderOptions
  readonly #agents = {
    'http:': new HttpAgent({ keepAlive: true, timeout: idleMs }),
    'https:': new HttpsAgent({ keepAlive: true, timeout: idleMs }),
  }

  constructor(options: SenderOptions) {
    this.#options = options
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  /** Never rejects: a failure is an outcome. */
  async send({ url, secrets }: Target, message: Message): Promise<Delivery> {
    const { timeoutMs = usualTimeoutMs } = this.#options
    const startedMs = performance.now()
    const signal = AbortSignal.timeout(timeoutMs)
    if (secrets.length === 0) return { ...noResponse, error: noSecret, durationMs: 0 }
    const durationMs = () => Math.round(performance.now() - startedMs)
    try {
      const response = await this.#respond(url, message, { secrets, signal })
      const answer = await readStart(response, signal)
      const { statusCode: status, headers } = response
      const isLater = status === 429 || status === 503
      const retryAfterMs = isLater ? retryAfterOf(headers['retry-after'], Date.now()) : undefined
      return { status, error: undefined, retryAfterMs, durationMs: durationMs(), answer }
    } catch (error) {
      const words = signal.aborted ? `No complete response in ${timeoutMs / 1000} s.` : wordsOf(error)
      return { ...noResponse, error: words, durationMs: durationMs() }
    }
  }

  /** A redirect is a response like any other: it is not followed. */
  #respond(
    url: URL,
    message: Message,
    { secrets, signal }: { readonly secrets: readonly string[]; readonly signal: AbortSignal },
  ): Promise<IncomingMessage> {
    const { guard, agentName } = this.#options
    const { body } = message
    const isTls = url.protocol === 'https:'
    return new Promise((resolve, reject) => {
      const options = {
        method: 'POST',
        agent: this.#agents[isTls ? 'https:' : 'http:'],
        lookup: guard.lookupFor(url),
        signal,
        headers: {
          ...signedHeaders(message, secrets, Date.now()),
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': agentName,
        },
      }
      const sent = isTls ? requestHttps(url, options, resolve) : requestHttp(url, options, resolve)
      sent.on('error', reject)
      sent.end(body)
    })
  }
}

/** The rest of a longer response is not read: its connection is closed. */
async function readStart(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    const bytes = chunk as Buffer
    chunks.push(bytes)
    length += bytes.length
    if (length >= answerCap) break
  }
  signal.throwIfAborted()
  // PostgreSQL stores no NUL in text.
  return Buffer.concat(chunks).subarray(0, answerCap).toString('utf8').replaceAll('\0', '')
}

/** Codes of Node and OpenSSL are known to developers; messages would show addresses. */
function wordsOf(error: unknown): string {
  if (error instanceof ClosedAddress) return error.message
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: readonly unknown[] }
  if (typeof code === 'string') return `The connection failed: ${code}.`
  const inner = cause ?? errors?.[0]
  return inner === undefined ? 'The connection failed.' : wordsOf(inner)
}
