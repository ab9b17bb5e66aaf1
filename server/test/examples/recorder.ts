import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, call } from '../../../tests/support/call.ts'
import type { Example, ExampleResponse, Examples } from '../../src/http/reference/examples.ts'
import { described } from '../../src/http/reference/openapi.ts'
import { documented } from '../../src/http/routes.ts'
import { StandIns } from './standIns.ts'

export type SentRequest = {
  /** Parameters of the path; the realm is `demo` unless it is named. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** A body that is not JSON. */
  readonly text?: { readonly type: string; readonly body: string }
  readonly idempotencyKey?: string
  /** The cookie of a person who has signed in. */
  readonly cookie?: string
}

type Operation = {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly hasBody: boolean
  readonly credential: 'realmKey' | 'operatorToken' | 'session' | undefined
}

/** The public URL of the server, and the client's address: one reserved for documentation. */
export const publicUrl = 'https://points.example.com'
const clientAddress = '203.0.113.7'

/** Media types of responses without an example: pages and scripts. */
const isShown = (type: string): boolean => !/^text\/(html|javascript)/.test(type)

function operationsOf(): Map<string, Operation> {
  type Described = Readonly<Record<string, unknown>> & {
    readonly operationId: string
    readonly security: readonly object[]
  }
  const paths = described(documented).document.paths as unknown as Record<string, Record<string, Described>>
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, requestBody }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
      hasBody: requestBody !== undefined,
      credential: Object.keys(security[0] ?? {})[0] as Operation['credential'],
    })),
  )
  return new Map(all.map((one) => [one.operationId, one]))
}

export type RecorderOptions = { readonly url: string; readonly operatorToken: string }

/** Sends requests as a client, and records those that become examples. */
export class Recorder {
  readonly #options: RecorderOptions
  readonly #operations = operationsOf()
  readonly #standIns = new StandIns()
  readonly #examples = new Map<string, Example>()
  /** How long the last change of points took. */
  #lagMs = 0
  /** A key with every scope, by its realm. */
  readonly keys = new Map<string, string>()
  operatorToken: string

  constructor(options: RecorderOptions) {
    this.#options = options
    this.operatorToken = options.operatorToken
  }

  /** In the order of the document. */
  get examples(): Examples {
    const shown = [...this.#operations.keys()].flatMap((id) => {
      const example = this.#examples.get(id)
      return example ? [[id, example] as const] : []
    })
    return Object.fromEntries(shown)
  }

  /** Sends a request that is an example. Another status or media type is another example. */
  async show(operationId: string, sent: SentRequest = {}): Promise<Answer> {
    const answer = await this.ask(operationId, sent)
    const before = this.#examples.get(operationId)
    const after = this.#exampleOf(this.#operation(operationId), sent, answer)
    this.#examples.set(operationId, {
      ...after,
      ...before,
      ...(after.requests ? { requests: { ...after.requests, ...before?.requests } } : {}),
      responses: { ...after.responses, ...before?.responses },
    })
    return answer
  }

  /** Sends a request that only prepares an example. */
  async ask(operationId: string, sent: SentRequest = {}): Promise<Answer> {
    const operation = this.#operation(operationId)
    const sentAtMs = await this.#begin(operation)
    const answer = await this.#send(operation, sent)
    if (answer.status >= 300) throw new Error(`${operationId} was answered ${answer.status}: ${answer.text}`)
    if (/"transactionId"|"openings"/.test(answer.text)) this.#lagMs = Date.now() - sentAtMs
    // Values to replace are first seen in the response that creates them.
    this.#standIns.of(answer.json ?? answer.text)
    return answer
  }

  /** Polls until the response satisfies the check, as part of the previous step. */
  async until(
    operationId: string,
    sent: SentRequest,
    isDone: (json: Answer['json']) => boolean,
  ): Promise<void> {
    for (const deadlineMs = Date.now() + 60_000; ; await sleep(50)) {
      const { json } = await this.#send(this.#operation(operationId), sent)
      if (isDone(json)) return
      if (Date.now() > deadlineMs) throw new Error(`${operationId} did not return what was expected in time`)
    }
  }

  /**
   * A time identifies its step: no two are in one millisecond. The ledger takes the database's time from
   * its last response, so an entry may be too early by as much as that took.
   */
  async #begin({ method, credential }: Operation): Promise<number> {
    const lagMs = method !== 'GET' && credential === 'realmKey' ? this.#lagMs : 0
    await sleep(lagMs + 4)
    this.#standIns.step(Date.now() - lagMs - 1)
    return Date.now()
  }

  #operation(id: string): Operation {
    const found = this.#operations.get(id)
    if (!found) throw new Error(`the document has no operation ${id}`)
    return found
  }

  /** Retries when the machine is too busy: nothing was changed then. */
  async #send(operation: Operation, sent: SentRequest): Promise<Answer> {
    const { method, path } = operation
    const params: Readonly<Record<string, string>> = { realmID: 'demo', ...sent.path }
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const query = new URLSearchParams(sent.query).toString()
    const url = `${this.#options.url}${filled}${query === '' ? '' : `?${query}`}`
    const headers = this.#headersOf(operation, sent, params['realmID'] ?? '')
    for (let turn = 1; ; turn++) {
      const body = operation.credential === 'session' && method === 'POST' ? {} : undefined
      const answer = await call(method, url, {
        headers,
        ...(sent.text ? { raw: sent.text.body } : { body: sent.body ?? body }),
      })
      if (answer.status !== 503 || turn >= 40) return answer
      await sleep(250)
    }
  }

  #headersOf({ credential, path }: Operation, sent: SentRequest, realm: string): Record<string, string> {
    const key = credential === 'realmKey' ? this.keys.get(realm) : this.operatorToken
    const isPage = path.startsWith('/console/')
    return {
      'x-forwarded-for': clientAddress,
      ...(credential === 'realmKey' || credential === 'operatorToken'
        ? { authorization: `Bearer ${key}` }
        : {}),
      ...(isPage ? { origin: publicUrl } : {}),
      ...(sent.cookie === undefined ? {} : { cookie: sent.cookie }),
      ...(sent.idempotencyKey === undefined ? {} : { 'idempotency-key': sent.idempotencyKey }),
      ...(sent.text ? { 'content-type': sent.text.type } : {}),
    }
  }

  #exampleOf({ path, hasBody }: Operation, sent: SentRequest, answer: Answer): Example {
    const placed = (where: string, values: Readonly<Record<string, string>> = {}) =>
      Object.entries(values).map(([name, value]) => [`${where}:${name}`, value])
    const parameters = Object.fromEntries([
      ...placed('path', { ...(path.includes('{realmID}') ? { realmID: 'demo' } : {}), ...sent.path }),
      ...placed('query', sent.query),
      ...(sent.idempotencyKey === undefined ? [] : [['header:Idempotency-Key', sent.idempotencyKey]]),
    ])
    const type = sent.text?.type ?? 'application/json'
    const requests = hasBody ? { requests: { [type]: sent.text?.body ?? sent.body } } : {}
    const responses = { [answer.status]: responseOf(answer) }
    const given = Object.keys(parameters).length > 0 ? { parameters } : {}
    return this.#standIns.of({ ...given, ...requests, responses }) as Example
  }
}

/** The first event of a stream; how long to wait before connecting again is different for each client. */
const streamed = (text: string): string =>
  text.replace(/^retry: \d+/, 'retry: 2000').replace(/(\ndata: [^\n]*\n\n)[\s\S]*$/, '$1')

function responseOf({ headers, json, text }: Answer): ExampleResponse {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  const { location } = headers
  return {
    ...(location === undefined ? {} : { headers: { Location: location } }),
    ...(text === '' || !isShown(type) ? {} : { content: { [type]: json ?? streamed(text) } }),
  }
}
