import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { RefusalError } from '../errors.ts'
import { Call, type CallOptions, type SharedByCalls, shareOf } from './call.ts'
import { isStreamed, placed, problemOf, type Reply, type StreamReply, send, sendStream } from './problem.ts'
import { notFoundPage } from './public/notFoundPage.ts'
import type { RequestWatch, Trail, Visit } from './visit.ts'
import { AuthThrottle } from './wire/authThrottle.ts'
import { leavesUnread } from './wire/body.ts'
import type { Cors } from './wire/cors.ts'
import { Deadlines, tooLate, Waiting } from './wire/deadline.ts'
import { linger } from './wire/linger.ts'
import { Outgoing } from './wire/outgoing.ts'

export type HandlerOptions = CallOptions & {
  readonly makeRequestId: () => string
  readonly draining: () => boolean
  readonly cors: Cors
  /** After this time a request gets a 503. */
  readonly answerWithinMs: number
  readonly watch: RequestWatch
}

/** A request that is being answered. */
class Serving extends Waiting {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly visit: Visit
  readonly trail: Trail | undefined
  readonly startedMs = performance.now()
  /** Whether it timed out and got a 503. */
  isLate = false

  constructor({
    request,
    response,
    visit,
    trail,
  }: Pick<Serving, 'request' | 'response' | 'visit' | 'trail'>) {
    super()
    this.request = request
    this.response = response
    this.visit = visit
    this.trail = trail
  }
}

/** Responds to every request within its deadline, whatever fails. */
class Handler {
  readonly #options: HandlerOptions
  readonly #outgoing = new Outgoing()
  readonly #throttle = new AuthThrottle()
  readonly #shared: SharedByCalls
  readonly #deadlines: Deadlines<Serving>

  constructor(options: HandlerOptions) {
    this.#options = options
    this.#shared = shareOf(options, { outgoing: this.#outgoing, throttle: this.#throttle })
    this.#deadlines = new Deadlines(options.answerWithinMs, (serving) => {
      serving.isLate = true
      void this.#respond(serving, this.#problem(tooLate(serving.request.method), serving))
    })
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { makeRequestId, watch, cors, basePath, addressOf } = this.#options
    const visit: Visit = { requestId: makeRequestId(), headers: undefined }
    const trail = watch.come(request)
    const serving = new Serving({ request, response, visit, trail })
    const call = new Call(this.#shared, request, visit)
    this.#deadlines.begin(serving, serving.startedMs)
    let reply: Reply | StreamReply
    try {
      const answer = cors.preflight(request) ?? (trail ? trail.within(() => call.answer()) : call.answer())
      reply = call.finish(answer instanceof Promise ? await answer : answer)
      this.#deadlines.end(serving)
      if (serving.isLate) return endStream(reply)
      if (reply.isGuess) await this.#delay(serving)
      const client = () => visit.client ?? `address ${addressOf(request)}`
      reply = this.#outgoing.hold(placed(reply, basePath), response, client)
    } catch (error) {
      this.#deadlines.end(serving)
      if (serving.isLate) return
      if (isGuess(error) && visit.waited) this.#throttle.count(addressOf(request))
      else if (isGuess(error)) await this.#delay(serving)
      reply = this.#problem(error, serving)
    }
    const sending = this.#respond(serving, reply)
    if (sending) await sending
  }

  /** Delays the response to a guess; when too many wait, its connection is closed. */
  async #delay({ request, visit }: Serving): Promise<void> {
    if (!(await this.#throttle.delay(this.#options.addressOf(request)))) visit.closes = true
  }

  #problem(error: unknown, { visit, request }: Serving): Reply {
    const { log, basePath } = this.#options
    return notFoundPage(placed(problemOf(error, visit.requestId, log), basePath), request, basePath)
  }

  /** Returns a promise only for a response that is streamed. */
  #respond(serving: Serving, found: Reply | StreamReply): Promise<void> | undefined {
    const { request, response, visit } = serving
    const { draining, cors } = this.#options
    if (draining() || visit.closes || leavesUnread(request)) response.shouldKeepAlive = false
    if (!request.complete) linger(request.socket)
    const reply = cors.dress(found, request)
    if (isStreamed(reply)) return this.#stream(serving, reply)
    try {
      send(response, reply, visit)
    } catch (error) {
      this.#failed(error, serving)
    }
    this.#count(serving, reply)
    return undefined
  }

  async #stream(serving: Serving, reply: StreamReply): Promise<void> {
    // One that lasts for minutes is counted when it begins.
    if (reply.stop) this.#count(serving, reply)
    try {
      await sendStream(serving.response, reply, serving.visit)
    } catch (error) {
      this.#failed(error, serving)
    } finally {
      endStream(reply)
    }
    if (!reply.stop) this.#count(serving, reply)
  }

  #failed(error: unknown, { visit: { requestId } }: Serving): void {
    const { log } = this.#options
    if (error instanceof RefusalError)
      log.info({ requestId, code: error.refusal.code, why: error.message }, 'a streamed response was aborted')
    else log.error({ requestId, err: error }, 'a response could not be sent')
  }

  #count({ request, visit, startedMs, trail }: Serving, reply: Reply | StreamReply): void {
    const { method = '' } = request
    const { status, refused = none, replays = 0 } = reply
    const answered = { visit, method, status, tookMs: performance.now() - startedMs, refused, replays }
    this.#options.watch.answered(answered)
    trail?.end(answered)
  }
}

export function createHandler(options: HandlerOptions): RequestListener {
  const handler = new Handler(options)
  return (request, response) => void handler.serve(request, response)
}

const none: readonly never[] = []

function endStream(reply: Reply | StreamReply): void {
  if (isStreamed(reply)) reply.ended?.()
}

const guesses: ReadonlySet<string> = new Set(['unauthorized', 'link_not_valid', 'link_not_found'])
const isGuess = (error: unknown): boolean => error instanceof RefusalError && guesses.has(error.refusal.code)
