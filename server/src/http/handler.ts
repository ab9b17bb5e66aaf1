import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { overloaded, RefusalError, refuse } from '../errors.ts'
import type { Caller, KeyCheck } from '../keys/index.ts'
import type { Limits } from '../limits/index.ts'
import { type AdmissionRequest, admit, type Identity, slowed, targetOf } from './admission.ts'
import { allow, type OperatorAccess } from './auth.ts'
import { check, checkBody } from './checked.ts'
import { type Log, placed, problemOf, type Reply, type StreamReply, send } from './problem.ts'
import { Charge, RateLimiter } from './rateLimit.ts'
import { unlessKnown } from './route/conditions.ts'
import { ignoredText } from './route/ignored.ts'
import { usualLimit } from './route/list.ts'
import { handleOnce } from './route/once.ts'
import type { QueryScopes, Request, Route, Services } from './route/route.ts'
import { Router } from './router.ts'
import type { RequestWatch, Visit } from './visit.ts'
import type { AddressOf } from './wire/address.ts'
import { AuthThrottle } from './wire/authThrottle.ts'
import { leavesUnread, Room, readBody } from './wire/body.ts'
import type { Cors } from './wire/cors.ts'
import { answerWithin, tooLate } from './wire/deadline.ts'
import { framingFault } from './wire/framing.ts'
import { linger } from './wire/linger.ts'
import { Outgoing } from './wire/outgoing.ts'
import { PageSlots } from './wire/pageSlots.ts'

const uriCapBytes = 8 * 1024
const admittedForMs = 250
const bodiesCapBytes = 64 * 1024 * 1024

export type HandlerOptions = {
  readonly routes: readonly Route[]
  readonly services: Services
  readonly keyCheck: KeyCheck
  readonly operators: OperatorAccess
  readonly limits: Limits
  readonly addressOf: AddressOf
  readonly makeRequestId: () => string
  /** Removed from the front of a path if present: the proxy may have removed it already. */
  readonly basePath: string
  readonly draining: () => boolean
  readonly cors: Cors
  /** After this time a request gets a 503. */
  readonly answerWithinMs: number
  readonly log: Log
  readonly watch: RequestWatch
}

type AnswerTo = (request: IncomingMessage, visit: Visit) => Promise<Reply | StreamReply>

/** Handles requests. Its lines follow the contract's order of checks. */
function makeAnswer(options: HandlerOptions, outgoing: Outgoing, throttle: AuthThrottle): AnswerTo {
  const router = new Router(options.routes)
  const turnstile = new RateLimiter(options.limits)
  const room = new Room(bodiesCapBytes)
  const slots = new PageSlots()
  return async (request, visit) => {
    const fault = framingFault(request)
    visit.closes = fault !== undefined
    if (fault) throw fault // 400
    const url = request.url ?? '/'
    const target = targetOf(url, options.basePath)
    const startedMs = performance.now()
    const asked: AdmissionRequest = {
      target,
      request,
      unknown: () => slowed(throttle, options.addressOf(request), visit),
    }
    const admitted = admit(options, asked) // 401, 403
    let who = admitted instanceof Promise ? await admitted : admitted
    let caller = callerOf(who)
    if (caller) visit.realmId = caller.realmId
    if (caller) visit.headers = turnstile.pass(caller) // 429
    visit.client = who && clientOf(who)
    if (visit.client) outgoing.admit(visit.client) // 429
    if (url.length > uriCapBytes)
      throw refuse('uri_too_long', `The URL is longer than ${uriCapBytes / 1024} KiB.`, {
        limit: uriCapBytes,
      })
    const route = router.match(request.method ?? '', target.segments) // 404, 405
    visit.route = route.path
    authorize(caller, route, target.query) // 403
    const charge = new Charge(options.limits, caller)
    const reading = { textTypes: route.textTypes, arrived: (bytes: number) => charge.body(bytes) }
    const arriving = route.checkBody && readBody(request, room, reading) // 413, 415, 400; 503
    const sent = arriving && (await arriving)
    // The key may have been revoked, or its role changed, while the body arrived: use its current rights.
    if (performance.now() - startedMs > admittedForMs) {
      who = await admit(options, asked)
      caller = callerOf(who)
      authorize(caller, route, target.query)
    }
    if (route.weight) charge.upTo(route.weight(sent as never))
    const checked: Request = {
      ...senderOf(who, request, { visit, addressOf: options.addressOf }),
      ...check(route, { target, request, notes: visit }), // 400, 412
      body: checkBody(route, sent, visit), // 400
    }
    if (visit.ignored) visit.headers = { ...visit.headers, 'exchequer-ignored': ignoredText(visit.ignored) }
    const again = async () => authorize(callerOf(await admit(options, asked)), route, target.query)
    const handle = async () => {
      const reply = await handleOnce(route, checked, options.services)
      if (isStreamed(reply)) return { ...reply, check: again }
      return request.headers['if-none-match'] === undefined ? reply : unlessKnown(request, reply)
    }
    const rows = rowsOf(route, checked.query)
    if (rows === 0) return handle()
    const client = visit.client ?? `address ${options.addressOf(request)}`
    const waited = () => {
      if (request.socket.destroyed) throw new RefusalError(overloaded)
      outgoing.admit(client)
      return again()
    }
    return slots.run({ client, rows, waited }, handle) // 429, 503
  }
}

type Sender = Pick<Request, 'requestId' | 'headers' | 'caller' | 'signedIn' | 'by'>

function senderOf(
  who: Identity,
  request: IncomingMessage,
  { visit, addressOf }: { readonly visit: Visit; readonly addressOf: AddressOf },
): Sender {
  return {
    requestId: visit.requestId,
    headers: request.headers,
    caller: callerOf(who),
    signedIn: who && 'session' in who ? who : undefined,
    by: () => ({
      name: who?.name ?? '',
      person: who?.person,
      behind: who && 'behind' in who ? who.behind : who?.person,
      address: addressOf(request),
      requestId: visit.requestId,
    }),
  }
}

/** The number of rows in the requested page; 0 for routes that are not lists. */
function rowsOf({ list = false }: Route, asked: URLSearchParams): number {
  return list ? Number(asked.get('limit') ?? usualLimit) : 0
}

/** Responds to every request within its deadline, whatever fails. */
export function createHandler(options: HandlerOptions): RequestListener {
  const outgoing = new Outgoing()
  const throttle = new AuthThrottle()
  const answer = makeAnswer(options, outgoing, throttle)
  const { makeRequestId, draining, cors, answerWithinMs, log, watch } = options

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const visit: Visit = { requestId: makeRequestId(), headers: undefined }
    const startedMs = performance.now()
    const trail = watch.come(request)
    const { method = '' } = request
    const answering = () => {
      const reply = answer(request, visit)
      return answerWithin(reply, answerWithinMs, () => {
        reply.then(endStream, () => {})
        return tooLate(method)
      })
    }
    const client = () => visit.client ?? `address ${options.addressOf(request)}`
    let reply: Reply | StreamReply
    let patient = true
    try {
      reply = cors.preflight(request) ?? (await (trail ? trail.within(answering) : answering()))
      if (reply.isGuess) patient = await throttle.delay(options.addressOf(request))
      reply = outgoing.hold(placed(reply, options.basePath), response, client)
    } catch (error) {
      if (isGuess(error) && visit.waited) throttle.count(options.addressOf(request))
      else if (isGuess(error)) patient = await throttle.delay(options.addressOf(request))
      reply = placed(problemOf(error, visit.requestId, log), options.basePath)
    }
    if (draining() || !patient || visit.closes || leavesUnread(request)) response.shouldKeepAlive = false
    if (!request.complete) linger(request.socket)
    try {
      await send(response, cors.dress(reply, request), visit)
    } catch (error) {
      const { requestId } = visit
      if (error instanceof RefusalError)
        log.info({ requestId, code: error.refusal.code }, 'an export was aborted')
      else log.error({ requestId, err: error }, 'a response could not be sent')
    } finally {
      endStream(reply)
    }
    const { status, refused = [], replays = 0 } = reply
    const answered = { visit, method, status, tookMs: performance.now() - startedMs, refused, replays }
    watch.answered(answered)
    trail?.end(answered)
  }

  return (request, response) => void serve(request, response)
}

const isStreamed = (reply: Reply | StreamReply): reply is StreamReply =>
  typeof reply.body !== 'string' && !Buffer.isBuffer(reply.body)

function endStream(reply: Reply | StreamReply): void {
  if (isStreamed(reply)) reply.ended?.()
}

/** The client, for limits on responses in memory: all session tokens of a person are one client. */
const clientOf = (who: NonNullable<Identity>): string =>
  'realm' in who ? `key ${who.realm}/${who.key}` : `person ${who.person ?? who.name}`

const callerOf = (who: Identity): Caller | undefined => (who && 'realm' in who ? who : undefined)

/** Whether this caller may use the route, with the parameters it sends. */
function authorize(caller: Caller | undefined, { scope, queryScopes }: Route, query: string): void {
  allow(caller, scope)
  if (queryScopes && query !== '') allowQuery(caller, queryScopes, query)
}

function allowQuery(caller: Caller | undefined, scopes: QueryScopes, query: string): void {
  const given = new URLSearchParams(query)
  for (const [name, scope] of Object.entries(scopes)) if (given.has(name)) allow(caller, scope)
}

const guesses: ReadonlySet<string> = new Set(['unauthorized', 'link_not_valid', 'link_not_found'])
const isGuess = (error: unknown): boolean => error instanceof RefusalError && guesses.has(error.refusal.code)
