import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { invalid, overloaded, Refused, refuse } from '../errors.ts'
import { inTime } from '../inTime.ts'
import type { Caller, KeyCheck } from '../keys/keys.ts'
import type { Limits } from '../limits/limits.ts'
import type { AddressOf } from './address.ts'
import { type Admitted, type Asked, admit, slowed, type Target, targetOf } from './admission.ts'
import { allow, type OperatorDoor } from './auth.ts'
import { leavesUnread, Room, readBody } from './body.ts'
import { expected } from './check.ts'
import type { Cors } from './cors.ts'
import { tooLate } from './deadline.ts'
import { framingFault } from './framing.ts'
import { Guesses } from './guesses.ts'
import { linger } from './linger.ts'
import { usualLimit } from './list.ts'
import { handleOnce } from './once.ts'
import { Outgoing } from './outgoing.ts'
import { PageSlots } from './pageSlots.ts'
import { type Log, problemOf, type Reply, type Streamed, send } from './problem.ts'
import { Charge, Turnstile } from './rate.ts'
import type { QueryScopes, Request, Route, Services } from './route.ts'
import { Router } from './router.ts'
import { strange } from './unknown.ts'
import type { RequestWatch, Visit } from './visit.ts'

const uriCapBytes = 8 * 1024
const admittedForMs = 250
const bodiesCapBytes = 64 * 1024 * 1024

export type DoorOptions = {
  readonly routes: readonly Route[]
  readonly services: Services
  readonly keyCheck: KeyCheck
  readonly operators: OperatorDoor
  readonly limits: Limits
  readonly addressOf: AddressOf
  readonly makeRequestId: () => string
  /** Taken off the front of a path where it stands: a proxy may have done so, or not. */
  readonly basePath: string
  readonly draining: () => boolean
  readonly cors: Cors
  /** After which a request is answered 503, whatever it waits for. */
  readonly answerWithinMs: number
  readonly log: Log
  readonly watch: RequestWatch
}

type AnswerTo = (request: IncomingMessage, visit: Visit) => Promise<Reply | Streamed>

/** What answers requests. Its lines are the contract's order of checks. */
function makeAnswer(options: DoorOptions, outgoing: Outgoing, guesses: Guesses): AnswerTo {
  const router = new Router(options.routes)
  const turnstile = new Turnstile(options.limits)
  const room = new Room(bodiesCapBytes)
  const slots = new PageSlots()
  return async (request, visit) => {
    const fault = framingFault(request)
    visit.closes = fault !== undefined
    if (fault) throw fault // 400
    const url = request.url ?? '/'
    const target = targetOf(url, options.basePath)
    const startedMs = performance.now()
    const asked: Asked = {
      target,
      request,
      unknown: () => slowed(guesses, options.addressOf(request), visit),
    }
    const admitted = admit(options, asked) // 401, 403
    let who = admitted instanceof Promise ? await admitted : admitted
    let caller = callerOf(who)
    if (caller) visit.realmId = caller.realmId
    if (caller) visit.headers = turnstile.pass(caller) // 429
    visit.client = who && clientOf(who)
    if (visit.client) outgoing.admit(visit.client) // 429
    if (url.length > uriCapBytes)
      throw refuse('uri_too_long', `The URL is longer than ${uriCapBytes / 1024} KiB.`)
    const route = router.match(request.method ?? '', target.segments) // 404, 405
    visit.route = route.path
    authorize(caller, route, target.query) // 403
    const charge = new Charge(options.limits, caller)
    const reading = { textTypes: route.textTypes, arrived: (bytes: number) => charge.body(bytes) }
    const sent = route.body ? await readBody(request, room, reading) : undefined // 413, 415, 400; 503
    // The key may have been revoked, or its role changed, while the body arrived: who it is now acts.
    if (performance.now() - startedMs > admittedForMs) {
      who = await admit(options, asked)
      caller = callerOf(who)
      authorize(caller, route, target.query)
    }
    if (route.weight) charge.upTo(route.weight(sent as never))
    const checked: Request = {
      ...senderOf(who, request, { visit, addressOf: options.addressOf }),
      ...check(route, target, request), // 400
      body: checkBody(route, sent), // 400
    }
    const again = async () => authorize(callerOf(await admit(options, asked)), route, target.query)
    const handle = async () => {
      const reply = await handleOnce(route, checked, options.services)
      return isStreamed(reply) ? { ...reply, check: again } : reply
    }
    const rows = rowsOf(route, checked.query)
    if (rows === 0) return handle()
    const client = visit.client ?? `address ${options.addressOf(request)}`
    const waited = () => {
      if (request.socket.destroyed) throw new Refused(overloaded)
      outgoing.admit(client)
      return again()
    }
    return slots.run({ client, rows, waited }, handle) // 429, 503
  }
}

type Sender = Pick<Request, 'requestId' | 'headers' | 'caller' | 'signedIn' | 'by'>

function senderOf(
  who: Admitted,
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

/** How many rows a page has that is asked for; 0 where it is no page of a list. */
function rowsOf({ list = false }: Route, asked: URLSearchParams): number {
  return list ? Number(asked.get('limit') ?? usualLimit) : 0
}

/** Answers requests, each in time and whatever becomes of it. */
export function createDoor(options: DoorOptions): RequestListener {
  const outgoing = new Outgoing()
  const guesses = new Guesses()
  const answer = makeAnswer(options, outgoing, guesses)
  const { makeRequestId, draining, cors, answerWithinMs, log, watch } = options

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const visit: Visit = { requestId: makeRequestId(), headers: undefined }
    const startedMs = performance.now()
    const trail = watch.come(request)
    const { method = '' } = request
    const answering = () => {
      const reply = answer(request, visit)
      return inTime(reply, answerWithinMs, () => {
        reply.then(endStream, () => {})
        return tooLate(method)
      })
    }
    const client = () => visit.client ?? `address ${options.addressOf(request)}`
    let reply: Reply | Streamed
    let patient = true
    try {
      reply = cors.preflight(request) ?? (await (trail ? trail.within(answering) : answering()))
      if (reply.isGuess) patient = await guesses.slow(options.addressOf(request))
      reply = outgoing.hold(reply, response, client)
    } catch (error) {
      if (isGuess(error) && visit.waited) guesses.count(options.addressOf(request))
      else if (isGuess(error)) patient = await guesses.slow(options.addressOf(request))
      reply = problemOf(error, visit.requestId, log)
    }
    if (draining() || !patient || visit.closes || leavesUnread(request)) response.shouldKeepAlive = false
    if (!request.complete) linger(request.socket)
    try {
      await send(response, cors.dress(reply, request), visit)
    } catch (error) {
      const { requestId } = visit
      if (error instanceof Refused) log.info({ requestId, code: error.refusal.code }, 'an export was cut')
      else log.error({ requestId, err: error }, 'an answer could not be sent')
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

const isStreamed = (reply: Reply | Streamed): reply is Streamed =>
  typeof reply.body !== 'string' && !Buffer.isBuffer(reply.body)

function endStream(reply: Reply | Streamed): void {
  if (isStreamed(reply)) reply.ended?.()
}

/** Who is answered, for what answers may hold in memory: all session tokens of a person are one. */
const clientOf = (who: NonNullable<Admitted>): string =>
  'realm' in who ? `key ${who.realm}/${who.key}` : `person ${who.person ?? who.name}`

const callerOf = (who: Admitted): Caller | undefined => (who && 'realm' in who ? who : undefined)

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
const isGuess = (error: unknown): boolean => error instanceof Refused && guesses.has(error.refusal.code)

type Checked = Pick<Request, 'params' | 'query' | 'idempotencyKey' | 'ifMatch'>

function check(route: Route, target: Target, request: IncomingMessage): Checked {
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw invalid('header:Host', 'Expected a Host header, as HTTP/1.1 demands.')
  }
  return {
    params: checkParams(route, target.segments),
    query: checkQuery(route, target.query),
    idempotencyKey: route.writes ? checkIdempotencyKey(request.headers['idempotency-key']) : undefined,
    ifMatch: ifMatchOf(route, request.headers['if-match']),
  }
}

function checkParams(route: Route, segments: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {}
  for (const { name, index } of route.places) {
    try {
      const given = name.endsWith('*')
        ? segments.slice(index).map(decodeURIComponent).join('/')
        : decodeURIComponent(segments[index] ?? '')
      route.checkParams.get(name)?.(given)
      params[name] = given
    } catch {
      throw invalid(`path:${name}`, expected(route.params?.[name]))
    }
  }
  return params
}

const noQuery = new URLSearchParams()

function checkQuery(route: Route, query: string): URLSearchParams {
  if (query === '') return noQuery
  const given = new URLSearchParams(query)
  for (const [name, check] of route.checkQuery) {
    for (const value of given.getAll(name)) {
      try {
        check(value)
      } catch {
        throw invalid(`query:${name}`, expected(route.query?.[name]))
      }
    }
  }
  if (route.writes || route.isStrict) {
    const known = Object.keys(route.query ?? {})
    for (const name of given.keys())
      if (!known.includes(name)) throw invalid(`query:${name}`, strange('parameter', name, known))
  }
  return given
}

function checkIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw invalid('header:Idempotency-Key', 'Expected 1 to 255 visible ASCII characters, once.')
}

/** A write that can't compare is refused: what was to be compared may have changed. */
function ifMatchOf(route: Route, header: string | undefined): Request['ifMatch'] {
  if (header === undefined || !route.writes) return undefined
  if (route.conditional) return checkIfMatch(header)
  throw refuse('precondition_failed', 'What this changes has no ETag. Send the request without If-Match.')
}

/** Entity tags as a member is read with; `*` is any member. A tag that is none of ours matches nothing. */
function checkIfMatch(header: string): Request['ifMatch'] {
  if (header.trim() === '*') return 'exists'
  if (!/^\s*(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*\s*$/.test(header)) {
    throw invalid('header:If-Match', 'Expected an ETag as the member was read with, in quotes.')
  }
  return Array.from(header.matchAll(/(?<!\/)"(\d{1,19})-[^"]*"/g), ([, seq]) => BigInt(seq ?? 0))
}

function checkBody(route: Route, sent: unknown): unknown {
  if (!route.checkBody || (sent === undefined && route.bodyRequired === false)) return undefined
  if (sent === undefined) throw invalid('', route.textTypes ? 'Expected a body.' : 'Expected a JSON body.')
  return route.checkBody(sent)
}
