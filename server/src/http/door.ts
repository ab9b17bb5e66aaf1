import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { invalid, Refused, refuse } from '../errors.ts'
import { inTime } from '../inTime.ts'
import type { Caller, KeyCheck } from '../keys/keys.ts'
import type { Limits } from '../limits/limits.ts'
import type { Operator } from '../operators/operators.ts'
import type { SignedIn } from '../people/people.ts'
import type { AddressOf } from './address.ts'
import { allow, type OperatorDoor, openOperator, openRealm } from './auth.ts'
import { withoutBase } from './basePath.ts'
import { leavesUnread, Room, readBody } from './body.ts'
import { expected } from './check.ts'
import { openSession } from './console/guard.ts'
import type { Cors } from './cors.ts'
import { tooLate } from './deadline.ts'
import { Guesses } from './guesses.ts'
import { type Log, problemOf, type Reply, type Streamed, send } from './problem.ts'
import { Turnstile } from './rate.ts'
import type { Door, QueryScopes, Request, Route, Services } from './route.ts'
import { Router } from './router.ts'
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

/** A URL in its parts: raw segments, so that no escape can move a slash, and the query. */
type Target = { readonly segments: readonly string[]; readonly query: string; readonly door: Door }

function targetOf(url: string, basePath: string): Target {
  const mark = url.indexOf('?')
  const path = withoutBase(mark < 0 ? url : url.slice(0, mark), basePath)
  const segments = path.split('/').slice(1)
  const under = (first: string, second: string) => segments[0] === first && segments[1] === second
  const door = under('api', 'v4') ? 'realm' : under('operator', 'v1') ? 'operator' : consoleDoor(segments)
  return { segments, door, query: mark < 0 ? '' : url.slice(mark + 1) }
}

const consoleDoor = ([first, second]: readonly string[]): Door =>
  first === 'console' && second === 'session' ? 'session' : 'public'

type AnswerTo = (request: IncomingMessage, visit: Visit) => Promise<Reply | Streamed>

/** What answers requests. Its lines are the contract's order of checks. */
function makeAnswer(options: DoorOptions): AnswerTo {
  const router = new Router(options.routes)
  const turnstile = new Turnstile(options.limits)
  const room = new Room(bodiesCapBytes)
  return async (request, visit) => {
    const url = request.url ?? '/'
    const target = targetOf(url, options.basePath)
    const startedMs = performance.now()
    const admitted = admit(options, target, request) // 401, 403
    const who = admitted instanceof Promise ? await admitted : admitted
    const caller = who && 'realm' in who ? who : undefined
    if (caller) visit.realmId = caller.realmId
    if (caller) visit.headers = turnstile.pass(caller) // 429
    if (url.length > uriCapBytes)
      throw refuse('uri_too_long', `The URL is longer than ${uriCapBytes / 1024} KiB.`)
    const route = router.match(request.method ?? '', target.segments) // 404, 405
    visit.route = route.path
    allow(caller, route.scope) // 403
    if (route.queryScopes && target.query !== '') allowQuery(caller, route.queryScopes, target.query) // 403
    const sent = route.body ? await readBody(request, room, route.textTypes) : undefined // 413, 415, 400; 503
    const checked: Request = {
      requestId: visit.requestId,
      headers: request.headers,
      caller,
      signedIn: who && 'session' in who ? who : undefined,
      by: () => ({
        name: who?.name ?? '',
        person: who?.person,
        address: options.addressOf(request),
        requestId: visit.requestId,
      }),
      ...check(route, target, request), // 400
      body: checkBody(route, sent), // 400
    }
    // A key may have been revoked while its holder was slow to send the body.
    if (performance.now() - startedMs > admittedForMs) await admit(options, target, request)
    if (caller && route.weight) options.limits.charge(caller, route.weight(checked.body as never))
    return route.handle(checked, options.services)
  }
}

/** Answers requests, each in time and whatever becomes of it. */
export function createDoor(options: DoorOptions): RequestListener {
  const answer = makeAnswer(options)
  const guesses = new Guesses()
  const { makeRequestId, draining, cors, answerWithinMs, log, watch } = options

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const visit: Visit = { requestId: makeRequestId(), headers: undefined }
    const startedMs = performance.now()
    const trail = watch.come(request)
    const { method = '' } = request
    const answering = () => inTime(answer(request, visit), answerWithinMs, () => tooLate(method))
    let reply: Reply | Streamed
    let patient = true
    try {
      reply = cors.preflight(request) ?? (await (trail ? trail.within(answering) : answering()))
      if (reply.isGuess) patient = await guesses.slow(options.addressOf(request))
    } catch (error) {
      if (isGuess(error)) patient = await guesses.slow(options.addressOf(request))
      reply = problemOf(error, visit.requestId, log)
    }
    if (draining() || !patient || leavesUnread(request)) response.shouldKeepAlive = false
    try {
      await send(response, cors.dress(reply, request), visit)
    } catch (error) {
      log.error({ requestId: visit.requestId, err: error }, 'an answer could not be sent')
    }
    const { status, refused = [], replays = 0 } = reply
    const answered = { visit, method, status, tookMs: performance.now() - startedMs, refused, replays }
    watch.answered(answered)
    trail?.end(answered)
  }

  return (request, response) => void serve(request, response)
}

function allowQuery(caller: Caller | undefined, scopes: QueryScopes, query: string): void {
  const given = new URLSearchParams(query)
  for (const [name, scope] of Object.entries(scopes)) if (given.has(name)) allow(caller, scope)
}

const guesses: ReadonlySet<string> = new Set(['unauthorized', 'link_not_valid', 'link_not_found'])
const isGuess = (error: unknown): boolean => error instanceof Refused && guesses.has(error.refusal.code)

/** Who was let in; undefined where nobody is asked. */
type Admitted = Caller | Operator | SignedIn | undefined

/** A promise only where someone has to be asked: waiting for one costs every request. */
function admit(
  { keyCheck, operators, services }: DoorOptions,
  target: Target,
  request: IncomingMessage,
): Admitted | Promise<Admitted> {
  const { authorization } = request.headers
  if (target.door === 'realm') {
    const realm = target.segments[2] === 'realms' ? target.segments[3] : undefined
    return openRealm(keyCheck, authorization, realm)
  }
  if (target.door === 'session') return openSession(services, request)
  return target.door === 'operator' ? openOperator(operators, authorization) : undefined
}

type Checked = Pick<Request, 'params' | 'query' | 'idempotencyKey' | 'ifMatch'>

function check(route: Route, target: Target, request: IncomingMessage): Checked {
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw invalid('header:Host', 'Expected a Host header, as HTTP/1.1 demands.')
  }
  return {
    params: checkParams(route, target.segments),
    query: checkQuery(route, target.query),
    idempotencyKey: route.idempotent ? checkIdempotencyKey(request.headers['idempotency-key']) : undefined,
    ifMatch: route.conditional ? checkIfMatch(request.headers['if-match']) : undefined,
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
  if (route.writes) {
    for (const name of given.keys()) {
      if (!Object.hasOwn(route.query ?? {}, name))
        throw invalid(`query:${name}`, 'There is no such parameter here.')
    }
  }
  return given
}

function checkIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw invalid('header:Idempotency-Key', 'Expected 1 to 255 visible ASCII characters, once.')
}

/** Entity tags as a member is read with; `*` is any. A tag that is none of ours matches nothing. */
function checkIfMatch(header: string | undefined): readonly bigint[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
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
