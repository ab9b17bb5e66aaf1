import type { Static, TSchema } from 'typebox'
import type { Caller, Scope } from '../../keys/index.ts'
import type { SignedIn } from '../../people/index.ts'
import { addressFields } from './addresses.ts'
import { type Check, compileCheck, type Strictness } from './check.ts'
import type { AnyReply, Audience, Request, Route, RouteDescription } from './description.ts'
import { expectMark } from './expects.ts'
import { Type } from './schemas.ts'
import type { Services } from './services.ts'
import { withStatus } from './statuses.ts'

export {
  type Audience,
  type Method,
  type OperationId,
  type QueryScopes,
  type Request,
  type Route,
  type RouteDescription,
  scopesNeeded,
} from './description.ts'
export type { Services } from './services.ts'

const isStrict = (audience: Audience, { lenient = false }: RouteDescription): boolean =>
  !lenient && (audience === 'realm' || audience === 'operator')

/** Null is not the same as an omitted field: it clears the field, or is rejected. */
function strictnessOf(audience: Audience, documented: RouteDescription): Strictness {
  if (!isStrict(audience, documented) || documented.textTypes) return {}
  return { isStrict: true, isNullAbsent: false, parameters: Object.keys(documented.query ?? {}) }
}

/** A body sent to a route without one is rejected rather than ignored. */
const emptyBody = Type.Object({}, { [expectMark]: 'no body' })

/** A lenient route without a body, for clients of the old service, does not read one. */
function bodyCheckOf(audience: Audience, documented: RouteDescription): Check | undefined {
  if (!documented.body && !isStrict(audience, documented)) return undefined
  return compileCheck(documented.body ?? emptyBody, strictnessOf(audience, documented))
}

function route(audience: Audience, documented: RouteDescription, handle: Route['handle']): Route {
  const checks = (schemas: Readonly<Record<string, TSchema>> = {}) =>
    new Map(Object.entries(schemas).map(([name, schema]) => [name, compileCheck(schema)]))
  if (audience === 'realm' && !documented.scope) throw new Error(`${documented.path} has no scope`)
  const segments = documented.path.split('/').slice(1)
  const missing = Object.keys(documented.params ?? {}).find((name) => !segments.includes(`{${name}}`))
  if (missing !== undefined) throw new Error(`${documented.path} has no {${missing}}`)
  return {
    ...documented,
    audience,
    handle: withStatus(documented, handle),
    segments,
    places: segments.flatMap((segment, index) =>
      segment.startsWith('{') ? [{ name: segment.slice(1, -1), index }] : [],
    ),
    checkBody: bodyCheckOf(audience, documented),
    addressFields: addressFields(documented.body),
    isStrict: isStrict(audience, documented),
    takesKey:
      documented.writes && documented.methods.some((method) => method === 'POST' || method === 'PATCH'),
    checkParams: checks(documented.params),
    checkQuery: checks(documented.query),
  }
}

type BodyOf<D> = D extends { readonly body: infer S extends TSchema } ? Static<S> : undefined

/** What a handler finds in `params`: the names that its route describes. */
export type ParamsOf<D> = D extends { readonly params: infer P }
  ? { readonly [Name in keyof P]: string }
  : Request['params']

type RequestOf<D, Extra> = Request<BodyOf<D>, ParamsOf<D>> & Extra

type Handler<D, Extra> = (request: RequestOf<D, Extra>, services: Services) => AnyReply | Promise<AnyReply>

/** Counts a request as one for each item in this list of its body. */
export const countOf =
  (list: string) =>
  (sent: Readonly<Record<string, unknown>> | undefined): number => {
    const items = sent?.[list]
    return Array.isArray(items) ? items.length : 1
  }

/** Creates a route from its description and handler. */
export type MakeRoute = <const D extends RouteDescription>(documented: D, handle: Handler<D, object>) => Route

/** A route under /api/v4, for a key of the realm in the path. */
export function realmRoute<const D extends RouteDescription & { readonly scope: Scope | readonly Scope[] }>(
  documented: D,
  handle: Handler<D, { readonly caller: Caller }>,
): Route {
  return route('realm', documented, (request, services) => {
    if (!request.caller) throw new Error('a realm route was reached without a key')
    return handle(request as unknown as RequestOf<D, { readonly caller: Caller }>, services)
  })
}

/** A route under /operator/v1, for an operator token. */
export function operatorRoute<const D extends RouteDescription>(
  documented: D,
  handle: Handler<D, object>,
): Route {
  return route('operator', documented, (request, services) =>
    handle(request as unknown as RequestOf<D, object>, services),
  )
}

/** A route under /console/session, for a signed-in person on one of our pages. */
export function sessionRoute<const D extends RouteDescription>(
  documented: D,
  handle: Handler<D, { readonly signedIn: SignedIn }>,
): Route {
  return route('session', documented, (request, services) => {
    if (!request.signedIn) throw new Error('a session route was reached without a session')
    return handle(request as unknown as RequestOf<D, { readonly signedIn: SignedIn }>, services)
  })
}

export function publicRoute<const D extends RouteDescription>(
  documented: D,
  handle: Handler<D, object>,
): Route {
  return route('public', documented, (request, services) =>
    handle(request as unknown as RequestOf<D, object>, services),
  )
}
