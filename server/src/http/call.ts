import type { IncomingMessage } from 'node:http'
import type { Actor } from '../audit/index.ts'
import { overloaded, RefusalError, refuse } from '../errors.ts'
import type { Caller, KeyCheck } from '../keys/index.ts'
import type { Limits } from '../limits/index.ts'
import { admit, type Identity, slowed, type Target, targetOf } from './admission.ts'
import { allow, type OperatorAccess } from './auth.ts'
import { check, checkBody } from './checked.ts'
import { innerRequest, responseOf, type SendRequest } from './mcp/inner.ts'
import { isStreamed, type Log, problemOf, type Reply, type StreamReply } from './problem.ts'
import { Charge, RateLimiter } from './rateLimit.ts'
import { unlessKnown } from './route/conditions.ts'
import { ignoredText } from './route/ignored.ts'
import { usualLimit } from './route/list.ts'
import { handleOnce } from './route/once.ts'
import type { QueryScopes, Request, Route, Services } from './route/route.ts'
import { Router } from './router.ts'
import type { Visit } from './visit.ts'
import type { AddressOf } from './wire/address.ts'
import type { AuthThrottle } from './wire/authThrottle.ts'
import { Room, readBody } from './wire/body.ts'
import { framingFault } from './wire/framing.ts'
import type { Outgoing } from './wire/outgoing.ts'
import { PageSlots } from './wire/pageSlots.ts'

const uriCapBytes = 8 * 1024
const admittedForMs = 250
const bodiesCapBytes = 64 * 1024 * 1024

export type CallOptions = {
  readonly routes: readonly Route[]
  readonly services: Services
  readonly keyCheck: KeyCheck
  readonly operators: OperatorAccess
  readonly limits: Limits
  readonly addressOf: AddressOf
  /** Removed from the front of a path if present: the proxy may have removed it already. */
  readonly basePath: string
  readonly log: Log
}

/** What all calls share. */
export type SharedByCalls = CallOptions & {
  readonly outgoing: Outgoing
  readonly throttle: AuthThrottle
  readonly router: Router
  readonly limiter: RateLimiter
  readonly room: Room
  readonly slots: PageSlots
}

type AnyReply = Reply | StreamReply
/** A promise only where something has to be waited for: each one costs every request. */
type Answer = AnyReply | Promise<AnyReply>

export function shareOf(
  options: CallOptions,
  own: Pick<SharedByCalls, 'outgoing' | 'throttle'>,
): SharedByCalls {
  return {
    ...options,
    ...own,
    router: new Router(options.routes),
    limiter: new RateLimiter(options.limits),
    room: new Room(bodiesCapBytes),
    slots: new PageSlots(),
  }
}

/** One request on its way to its reply. Its methods and their lines follow the contract's order of checks. */
export class Call {
  readonly #shared: SharedByCalls
  readonly #request: IncomingMessage
  readonly #visit: Visit
  readonly #startedMs = performance.now()
  #target: Target = nowhere
  #route: Route | undefined
  #who: Identity

  constructor(shared: SharedByCalls, request: IncomingMessage, visit: Visit) {
    this.#shared = shared
    this.#request = request
    this.#visit = visit
  }

  /** Throws or rejects with the error to answer with. */
  answer(): Answer {
    const fault = framingFault(this.#request)
    this.#visit.closes = fault !== undefined
    if (fault) throw fault // 400
    const url = this.#request.url ?? '/'
    this.#target = targetOf(url, this.#shared.basePath)
    const admitted = this.#admit() // 401, 403
    return admitted ? admitted.then(() => this.#arrive(url)) : this.#arrive(url)
  }

  #arrive(url: string): Answer {
    const here = this.#isHere() // 503
    return here ? here.then(() => this.#enter(url)) : this.#enter(url)
  }

  /** Nothing to wait for where there is only one cell. */
  #isHere(): Promise<unknown> | undefined {
    const caller = callerOf(this.#who)
    return caller && this.#shared.services.presence.check(caller.realm)
  }

  #enter(url: string): Answer {
    const { limiter, outgoing, router } = this.#shared
    const visit = this.#visit
    const caller = callerOf(this.#who)
    if (caller) visit.realmId = caller.realmId
    if (caller) visit.headers = limiter.pass(caller) // 429
    visit.client = this.#who && clientOf(this.#who)
    if (visit.client) outgoing.admit(visit.client) // 429
    if (url.length > uriCapBytes)
      throw refuse('uri_too_long', `The URL is longer than ${uriCapBytes / 1024} KiB.`, {
        limit: uriCapBytes,
      })
    const route = router.match(this.#request.method ?? '', this.#target.segments) // 404, 405
    this.#route = route
    visit.route = route.path
    this.#authorize() // 403
    return route.checkBody ? this.#receive(route) : this.#proceed(route, undefined)
  }

  #receive(route: Route): Answer {
    const charge = new Charge(this.#shared.limits, callerOf(this.#who))
    const reading = { textTypes: route.textTypes, arrived: (bytes: number) => charge.body(bytes) }
    const go = (sent?: unknown): Answer => {
      if (route.weight) charge.upTo(route.weight(sent as never))
      return this.#proceed(route, sent)
    }
    const arriving = readBody(this.#request, this.#shared.room, reading) // 413, 415, 400; 503
    return arriving ? arriving.then(go) : go()
  }

  /**
   * The key may have been revoked, or its role changed, while the body arrived: it is used with its current
   * rights.
   */
  #proceed(route: Route, sent: unknown): Answer {
    if (performance.now() - this.#startedMs <= admittedForMs) return this.#handle(route, sent)
    return this.#readmit().then(() => this.#handle(route, sent))
  }

  #handle(route: Route, sent: unknown): Answer {
    const visit = this.#visit
    const { params, query, idempotencyKey, ifMatch, isCreation } = check(route, {
      target: this.#target,
      request: this.#request,
      notes: visit,
    }) // 400, 412
    const who = this.#who
    const checked: Request = {
      requestId: visit.requestId,
      headers: this.#request.headers,
      params,
      query,
      body: checkBody(route, sent, visit), // 400
      idempotencyKey,
      ifMatch,
      isCreation,
      caller: callerOf(who),
      signedIn: who && 'session' in who ? who : undefined,
      by: () => this.#actor(),
      send: route.sends ? (...sent) => this.#send(...sent) : undefined,
    }
    if (visit.ignored) visit.headers = { ...visit.headers, 'exchequer-ignored': ignoredText(visit.ignored) }
    return route.list ? this.#inTurn(route, checked) : handleOnce(route, checked, this.#shared.services)
  }

  /** A page of a list waits until there is room for it. */
  #inTurn(route: Route, checked: Request): Promise<AnyReply> {
    const { slots, outgoing, addressOf, services } = this.#shared
    const client = this.#visit.client ?? `address ${addressOf(this.#request)}`
    const waited = () => {
      if (this.#request.socket.destroyed) throw new RefusalError(overloaded)
      outgoing.admit(client)
      return this.#readmit()
    }
    const rows = Number(checked.query.get('limit') ?? usualLimit)
    return slots.run({ client, rows, waited }, () => handleOnce(route, checked, services)) // 429, 503
  }

  /** A streamed response checks its rights as it goes on; a client that has this version gets a 304. */
  finish(reply: AnyReply): AnyReply {
    const located = reply.survivor === undefined ? reply : this.#located(reply, reply.survivor)
    if (located !== reply) return this.finish(located)
    if (isStreamed(reply)) return { check: () => this.#readmit(), ...reply }
    return this.#request.headers['if-none-match'] === undefined ? reply : unlessKnown(this.#request, reply)
  }

  /**
   * A further request of the same client, for a handler: it passes every check as if it had arrived by
   * itself, with the same key, from the same address.
   */
  async #send(...sent: Parameters<SendRequest>): Promise<Response> {
    const visit: Visit = { requestId: this.#visit.requestId, headers: undefined }
    const call = new Call(this.#shared, innerRequest(this.#request, ...sent), visit)
    try {
      return responseOf(call.finish(await call.answer()), visit)
    } catch (error) {
      return responseOf(problemOf(error, visit.requestId, this.#shared.log), visit)
    }
  }

  /** `Content-Location` has the id that the member has now. */
  #located(reply: AnyReply, survivor: string): AnyReply {
    const { segments } = this.#target
    const place = segments.indexOf('members') + 1
    const path = segments.map((segment, index) => (index === place ? survivor : segment)).join('/')
    const location = `${this.#shared.services.site.basePath}/${path}`
    return { ...reply, survivor: undefined, headers: { ...reply.headers, 'content-location': location } }
  }

  #admit(): Promise<void> | undefined {
    const who = admit(this.#shared, {
      target: this.#target,
      request: this.#request,
      unknown: () => slowed(this.#shared.throttle, this.#shared.addressOf(this.#request), this.#visit),
    })
    if (!(who instanceof Promise)) {
      this.#who = who
      return undefined
    }
    return who.then((found) => {
      this.#who = found
    })
  }

  async #readmit(): Promise<void> {
    await this.#admit()
    await this.#isHere()
    this.#authorize()
  }

  /** Whether the caller may use the route, with the parameters it sends. */
  #authorize(): void {
    const caller = callerOf(this.#who)
    allow(caller, this.#route?.scope)
    const scopes = this.#route?.queryScopes
    if (scopes && this.#target.query !== '') allowQuery(caller, scopes, this.#target.query)
  }

  #actor(): Actor {
    const who = this.#who
    return {
      name: who?.name ?? '',
      person: who?.person,
      behind: who && 'behind' in who ? who.behind : who?.person,
      address: this.#shared.addressOf(this.#request),
      requestId: this.#visit.requestId,
    }
  }
}

const nowhere: Target = { segments: [], query: '', audience: 'public' }

/** The client, for limits on responses in memory: all session tokens of a person are one client. */
const clientOf = (who: NonNullable<Identity>): string =>
  'realm' in who ? `key ${who.realm}/${who.key}` : `person ${who.person ?? who.name}`

const callerOf = (who: Identity): Caller | undefined => (who && 'realm' in who ? who : undefined)

function allowQuery(caller: Caller | undefined, scopes: QueryScopes, query: string): void {
  const given = new URLSearchParams(query)
  for (const [name, scope] of Object.entries(scopes)) if (given.has(name)) allow(caller, scope)
}
