import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests look at
  readonly json: any
}

export type Call = {
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The body as it is sent, instead of `body`. */
  readonly raw?: string | Buffer
}

const retryForMs = 10_000
const retryEveryMs = 250

type Sent = { readonly status: number; readonly text: string }

/**
 * Retries what is answered 503 unavailable, as clients do: a healthy database is late on a stalled machine.
 * Any other 503 is the test's to judge. Each retry is printed.
 */
export async function patiently<T extends Sent>(send: () => Promise<T>): Promise<T> {
  const untilMs = performance.now() + retryForMs
  for (;;) {
    const answer = await send()
    const isLate = answer.status === 503 && answer.text.includes('"code":"unavailable"')
    if (!isLate || performance.now() > untilMs) return answer
    console.error('The database was late; the request is sent again.')
    await sleep(retryEveryMs)
  }
}

/** How long the first event of a stream is waited for. */
const eventWithinMs = 500

const agent = new Agent({ keepAlive: true, maxSockets: 128 })

/** One request, by node:http: fetch can send neither a GET with a body nor a malformed path. */
export function call(method: string, url: string, options: Call = {}): Promise<Answer> {
  const { key, headers = {}, body, raw } = options
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const { hostname, port } = new URL(url)
  const path = url.slice(url.indexOf('/', 'http://'.length))
  const sent = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(payload === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const sending = request(
      { method, hostname, port, path, agent, headers: sent, timeout: 20_000 },
      (response) => {
        const chunks: Buffer[] = []
        const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          // A stream has no end: its first event is enough.
          if (isStream && chunk.includes('data:')) done()
        })
        if (isStream) setTimeout(() => done(), eventWithinMs)
        response.on('end', () => done())
        const done = () => {
          if (isStream) sending.destroy()
          const text = Buffer.concat(chunks).toString()
          const isJson = /[/+]json/.test(response.headers['content-type'] ?? '')
          const json = isJson && text !== '' ? JSON.parse(text) : undefined
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json })
        }
      },
    )
    sending.on('timeout', () => sending.destroy(new Error(`no answer to ${method} ${url}`)))
    sending.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close a connection that was idle while the test computed: reads are
      // retried on a new one.
      const isStale = method === 'GET' && sending.reusedSocket && error.code === 'ECONNRESET'
      if (isStale) resolve(call(method, url, options))
      else reject(error)
    })
    sending.end(payload)
  })
}
