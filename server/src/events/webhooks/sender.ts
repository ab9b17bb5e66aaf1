import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
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
  send({ url, secrets }: Target, message: Message): Promise<Delivery> {
    const { timeoutMs = usualTimeoutMs } = this.#options
    const startedMs = performance.now()
    if (secrets.length === 0) return Promise.resolve({ ...noResponse, error: noSecret, durationMs: 0 })
    return new Promise((resolve) => {
      let [isLate, timer] = [false, undefined as NodeJS.Timeout | undefined]
      const done = (found: Omit<Delivery, 'durationMs'>) => {
        clearTimeout(timer)
        resolve({ ...found, durationMs: Math.round(performance.now() - startedMs) })
      }
      const failed = (error: unknown) => {
        const words = isLate ? `No complete response in ${timeoutMs / 1000} s.` : wordsOf(error)
        done({ ...noResponse, error: words })
      }
      try {
        const sent = this.#request(url, message, secrets)
        // A timer costs less than a signal, and most are cancelled within milliseconds.
        timer = setTimeout(() => {
          isLate = true
          sent.destroy(new Error('it was late'))
        }, timeoutMs)
        sent.on('error', failed)
        sent.on('response', (response) => readStart(response, { done, failed }))
        sent.end(message.body)
      } catch (error) {
        failed(error)
      }
    })
  }

  /** A redirect is a response like any other: it is not followed. */
  #request(url: URL, message: Message, secrets: readonly string[]): ClientRequest {
    const { guard, agentName } = this.#options
    const isTls = url.protocol === 'https:'
    return (isTls ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: this.#agents[isTls ? 'https:' : 'http:'],
      lookup: guard.lookupFor(url),
      headers: {
        ...signedHeaders(message, secrets, Date.now()),
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(message.body),
        'user-agent': agentName,
      },
    })
  }
}

type Reading = {
  readonly done: (found: Omit<Delivery, 'durationMs'>) => void
  readonly failed: (error: unknown) => void
}

/** The rest of a longer response is not read: its connection is closed. */
function readStart(response: IncomingMessage, { done, failed }: Reading): void {
  const chunks: Buffer[] = []
  let length = 0
  const end = () => {
    const { statusCode: status, headers } = response
    const isLater = status === 429 || status === 503
    const retryAfterMs = isLater ? retryAfterOf(headers['retry-after'], Date.now()) : undefined
    // PostgreSQL stores no NUL in text.
    const answer = Buffer.concat(chunks).subarray(0, answerCap).toString('utf8').replaceAll('\0', '')
    done({ status, error: undefined, retryAfterMs, answer })
  }
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length < answerCap) return
    end()
    response.destroy()
  })
  response.on('end', end)
  response.on('error', failed)
}

/** Codes of Node and OpenSSL are known to developers; messages would show addresses. */
function wordsOf(error: unknown): string {
  if (error instanceof ClosedAddress) return error.message
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: readonly unknown[] }
  if (typeof code === 'string') return `${problemOf(code)}: ${code}.`
  const inner = cause ?? errors?.[0]
  return inner === undefined ? 'The connection failed.' : wordsOf(inner)
}

function problemOf(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'The receiver’s certificate has expired'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'The receiver’s certificate is for another host'
  const isCertificate = /CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE/.test(code)
  return isCertificate ? 'The receiver’s certificate is not trusted' : 'The connection failed'
}
