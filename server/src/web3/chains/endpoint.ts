/** Why an endpoint could not be used: it timed out, was busy, or returned an invalid answer. */
export class EndpointFault extends Error {
  /** The Retry-After of the endpoint; 0 without one. */
  readonly restMs: number

  constructor(message: string, restMs = 0) {
    super(message)
    this.restMs = restMs
  }
}

/** The endpoint answered that the call is not possible. Another endpoint would answer the same. */
export class CallRefused extends Error {}

const answerCapBytes = 8 * 1024 * 1024
const shortestRestMs = 500
const longestRestMs = 60_000

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

/** One JSON-RPC server. After a failure it backs off, for twice as long each time. */
export class Endpoint {
  readonly #url: string
  readonly #timeoutMs: number
  #faults = 0
  #restsUntilMs = 0
  #number = 0

  constructor(url: string, timeoutMs: number) {
    this.#url = url
    this.#timeoutMs = timeoutMs
  }

  /** How long it still backs off; 0 when it can be called. */
  restMs(): number {
    return Math.max(0, this.#restsUntilMs - performance.now())
  }

  async ask({ method, params }: RpcCall): Promise<unknown> {
    try {
      return await this.#ask(method, params)
    } catch (error) {
      if (!(error instanceof CallRefused)) this.rest(error)
      throw error
    }
  }

  /** Its answer was right: resets the backoff. */
  praise(): void {
    this.#faults = 0
  }

  /** Backs off for a while. */
  rest(fault: unknown): void {
    const asked = fault instanceof EndpointFault ? fault.restMs : 0
    const backedOffMs = shortestRestMs * 2 ** Math.min(this.#faults, 10)
    this.#faults += 1
    this.#restsUntilMs = performance.now() + Math.min(Math.max(backedOffMs, asked), longestRestMs)
  }

  async #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const id = ++this.#number
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      redirect: 'error',
      signal: AbortSignal.timeout(this.#timeoutMs),
    }).catch((error: unknown) => {
      throw new EndpointFault(`${method} was not answered: ${wordsOf(error)}`)
    })
    const text = await bodyOf(response).catch((error: unknown) => {
      throw new EndpointFault(`${method} was not answered to its end: ${wordsOf(error)}`)
    })
    if (response.status === 429) throw new EndpointFault(`${method} was answered 429`, restAsked(response))
    return resultIn(text, { id, method, status: response.status })
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function restAsked(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'))
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0
}

async function bodyOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    if (size > answerCapBytes) throw new Error('the answer is too large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

type Answered = {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { code?: unknown; message?: unknown }
}

/** What any node would reject: the call failed in the EVM, or is not possible. */
const refusedWords = /revert|code ?size|SizeLimit|out ?of ?gas|gas required/i
const refusedCodes = new Set<unknown>([3, -32600, -32601, -32602])

function resultIn(text: string, asked: { id: number; method: string; status: number }): unknown {
  let answer: Answered | null
  try {
    answer = JSON.parse(text) as Answered | null
  } catch {
    throw new EndpointFault(`${asked.method} was answered ${asked.status} without JSON`)
  }
  if (typeof answer !== 'object' || answer === null || answer.id !== asked.id)
    throw new EndpointFault(`${asked.method} was answered ${asked.status} with something else`)
  const { error, result } = answer
  if (error !== undefined && error !== null) {
    const words = `${asked.method}: ${String(error.message).slice(0, 200)}`
    if (refusedCodes.has(error.code) || refusedWords.test(words)) throw new CallRefused(words)
    throw new EndpointFault(words)
  }
  if (result === undefined) throw new EndpointFault(`${asked.method} was answered without a result`)
  return result
}
