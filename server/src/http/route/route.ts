import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TSchema } from 'typebox'
import type { Actor, Audit } from '../../audit/index.ts'
import type { Code } from '../../errors.ts'
import type { Exports } from '../../files/exports/index.ts'
import type { Holdings } from '../../web3/holdings/index.ts'
import type { Imports } from '../../files/imports/index.ts'
import type { Caller, Keys, Scope } from '../../keys/index.ts'
import type { Leaving } from '../../removal/index.ts'
import type { History, Holds, Ledger, Undoing } from '../../ledger/index.ts'
import type { Members } from '../../members/index.ts'
import type { Operators } from '../../people/index.ts'
import type {
  Invitations,
  People,
  Provider,
  ReceivedInvitations,
  Seal,
  Sessions,
  SignedIn,
  SignIn,
} from '../../people/index.ts'

import type { PageLinks, Proofs } from '../../web3/proofs/index.ts'
import type { Points, Realms } from '../../realms/index.ts'
import type { Requests } from '../../requests/index.ts'
import type { Snapshots } from '../../web3/snapshots/index.ts'
import type { PublicBoards, Standings } from '../../leaderboards/index.ts'
import type { Wallets } from '../../wallets/index.ts'
import { type Check, compileCheck, type Strictness } from './check.ts'
import type { Pages } from '../console/pages.ts'
import type { Site } from '../wire/site.ts'
import { expectMark } from './expects.ts'
import type { ExportSlots } from '../wire/exportSlots.ts'
import type { Reply, Streamed } from '../problem.ts'
import { Type } from './schemas.ts'
import { withStatus } from './statuses.ts'
import type { Tag } from './tags.ts'

/** What handlers work with. */
export type Services = {
  readonly ledger: Ledger
  readonly history: History
  readonly holds: Holds
  readonly undoing: Undoing
  readonly members: Members
  readonly wallets: Wallets
  readonly proofs: Proofs
  readonly pageLinks: PageLinks
  readonly holdings: Holdings
  readonly leaving: Leaving
  readonly realms: Realms
  readonly points: Points
  readonly keys: Keys
  readonly operators: Operators
  readonly audit: Audit
  readonly requests: Requests
  readonly imports: Imports
  readonly exports: Exports
  readonly exportSlots: ExportSlots
  readonly snapshots: Snapshots
  readonly standings: Standings
  readonly publicBoards: PublicBoards
  readonly people: People
  readonly invitations: Invitations
  readonly received: ReceivedInvitations
  readonly sessions: Sessions
  readonly signIn: SignIn
  /** Undefined where none is set up. */
  readonly provider: Provider | undefined
  /** For what a browser keeps between the two halves of a sign-in. */
  readonly seal: Seal
  readonly site: Site
  readonly pages: Pages
  /** What the process knows of the installation, as an operator is told it. */
  readonly health: () => Promise<object>
  readonly ready: () => Promise<{ readonly ready: boolean; readonly why?: string }>
}

export type Method = 'GET' | 'QUERY' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request that has passed every check that is the same for all. */
export type Request<Body = unknown> = {
  readonly requestId: string
  readonly headers: IncomingHttpHeaders
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Body
  readonly idempotencyKey: string | undefined
  /** Which entries the member's points may have been moved by last; undefined when any. */
  readonly ifMatch: readonly bigint[] | 'exists' | undefined
  /** Whether what is put must not be there yet. */
  readonly isCreation: boolean
  /** Who holds the key; undefined at the other doors. */
  readonly caller: Caller | undefined
  /** Who has signed in; undefined at the other doors. */
  readonly signedIn: SignedIn | undefined
  /** Whoever asks, for the audit log. */
  readonly by: () => Actor
}

/** Which door a route lies behind: a realm key, the operator token, a person's session, or none. */
export type Door = 'realm' | 'operator' | 'session' | 'public'

export type QueryScopes = Readonly<Record<string, Scope>>

/** One name, or one for each method that the document has. */
export type OperationId = string | Readonly<Partial<Record<Method, string>>>

export type Documented = {
  /** What a client calls it: a verb and a noun. */
  readonly operationId: OperationId
  readonly tag: Tag
  readonly methods: readonly Method[]
  /** Parts in braces are parameters: /api/v4/realms/{realmID}; `{path*}` at the end is all that follows. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly params?: Readonly<Record<string, TSchema>>
  /** Query parameters. On a write any other is refused: a misspelt one must not write. */
  readonly query?: Readonly<Record<string, TSchema>>
  readonly writes: boolean
  /** For routes that clients of the old service use: what they send beside what is known is left out. */
  readonly lenient?: boolean
  /** What a key must be allowed to do, all of it. Every route behind a realm's key has one. */
  readonly scope?: Scope | readonly Scope[]
  /** What a key must be allowed to do beside that, to send a query parameter. */
  readonly queryScopes?: QueryScopes
  readonly body?: TSchema
  /** Media types of a body that is no JSON: it is handed on as it was sent. */
  readonly textTypes?: readonly string[]
  /** Without it a body may be left out. */
  readonly bodyRequired?: boolean
  /**
   * How a POST or PATCH is done once under an Idempotency-Key: `journal` by the ledger, `list` by the ledger
   * for each of its parts, `named` by a name in the request itself. Left out, the door keeps it for a day.
   */
  readonly idempotent?: 'journal' | 'list' | 'named'
  /** How many requests it counts as, by its body as it was sent, not yet checked; one when left out. */
  readonly weight?: (body: never) => number
  /** Whether it looks at `If-Match`. */
  readonly conditional?: boolean
  /** Whether it answers a page of a list; set by list.ts alone. */
  readonly list?: boolean
  /**
   * The path at which what it creates is read: the answer is 201 with that as `Location`. A PUT creates only
   * where its reply says so.
   */
  readonly creates?: string
  /** The field of the answer that is the last parameter of `creates`; `id` when left out. */
  readonly createdId?: string
  /** Deletes what its path names: the answer is 204, without a body. */
  readonly deletes?: true
  readonly answer?: TSchema
  /** The media type of an answer that is no JSON. */
  readonly answerType?: string
  /** Refusals that this route can answer beside those that every route can. */
  readonly refusals?: readonly Code[]
}

/** The scopes that a key must have for a route, whatever its query. */
export const scopesNeeded = ({ scope = [] }: Pick<Documented, 'scope'>): readonly Scope[] =>
  typeof scope === 'string' ? [scope] : scope

type Answered = Reply | Streamed

export type Route = Documented & {
  readonly door: Door
  readonly segments: readonly string[]
  /** Its parameters, and which segment each is. */
  readonly places: readonly { readonly name: string; readonly index: number }[]
  readonly checkBody: Check | undefined
  /** Whether what it does not know is refused, in a body and in the query of a read. */
  readonly isStrict: boolean
  /** Whether an Idempotency-Key means anything: reads, PUT and DELETE are idempotent by themselves. */
  readonly takesKey: boolean
  readonly checkParams: ReadonlyMap<string, Check>
  readonly checkQuery: ReadonlyMap<string, Check>
  handle(request: Request, services: Services): Answered | Promise<Answered>
}

const isStrict = (door: Door, { lenient = false }: Documented): boolean =>
  !lenient && (door === 'realm' || door === 'operator')

/** Null is not the same as a field that is left out: it clears, or is refused. */
function strictnessOf(door: Door, documented: Documented): Strictness {
  if (!isStrict(door, documented) || documented.textTypes) return {}
  return { isStrict: true, isNullAbsent: false, parameters: Object.keys(documented.query ?? {}) }
}

/** What is sent to a route without a body is refused, rather than not looked at. */
const noBody = Type.Object({}, { [expectMark]: 'no body' })

/** A route for clients of the old service that takes no body does not read one. */
function bodyCheckOf(door: Door, documented: Documented): Check | undefined {
  if (!documented.body && !isStrict(door, documented)) return undefined
  return compileCheck(documented.body ?? noBody, strictnessOf(door, documented))
}

function route(door: Door, documented: Documented, handle: Route['handle']): Route {
  const checks = (schemas: Readonly<Record<string, TSchema>> = {}) =>
    new Map(Object.entries(schemas).map(([name, schema]) => [name, compileCheck(schema)]))
  if (door === 'realm' && !documented.scope) throw new Error(`${documented.path} names no scope`)
  const segments = documented.path.split('/').slice(1)
  return {
    ...documented,
    door,
    handle: withStatus(documented, handle),
    segments,
    places: segments.flatMap((segment, index) =>
      segment.startsWith('{') ? [{ name: segment.slice(1, -1), index }] : [],
    ),
    checkBody: bodyCheckOf(door, documented),
    isStrict: isStrict(door, documented),
    takesKey:
      documented.writes && documented.methods.some((method) => method === 'POST' || method === 'PATCH'),
    checkParams: checks(documented.params),
    checkQuery: checks(documented.query),
  }
}

type BodyOf<D> = D extends { readonly body: infer S extends TSchema } ? Static<S> : undefined

type Handler<Body, Extra> = (
  request: Request<Body> & Extra,
  services: Services,
) => Answered | Promise<Answered>

/** A request that counts as many as there are items in this list of its body. */
export const countOf =
  (list: string) =>
  (sent: Readonly<Record<string, unknown>> | undefined): number => {
    const items = sent?.[list]
    return Array.isArray(items) ? items.length : 1
  }

/** What makes a route of its description and handler. */
export type MakeRoute = <const D extends Documented>(
  documented: D,
  handle: Handler<BodyOf<D>, object>,
) => Route

/** A route under /api/v4: its caller holds a key of the realm in its path. */
export function realmRoute<const D extends Documented & { readonly scope: Scope | readonly Scope[] }>(
  documented: D,
  handle: Handler<BodyOf<D>, { readonly caller: Caller }>,
): Route {
  return route('realm', documented, (request, services) => {
    if (!request.caller) throw new Error('a realm route was reached without a key')
    return handle(request as Request<BodyOf<D>> & { readonly caller: Caller }, services)
  })
}

/** A route under /operator/v1: its caller holds the operator token. */
export function operatorRoute<const D extends Documented>(
  documented: D,
  handle: Handler<BodyOf<D>, object>,
): Route {
  return route('operator', documented, (request, services) => handle(request as Request<BodyOf<D>>, services))
}

/** A route under /console/session: its caller has signed in, and asks from a page of ours. */
export function sessionRoute<const D extends Documented>(
  documented: D,
  handle: Handler<BodyOf<D>, { readonly signedIn: SignedIn }>,
): Route {
  return route('session', documented, (request, services) => {
    if (!request.signedIn) throw new Error('a session route was reached without a session')
    return handle(request as Request<BodyOf<D>> & { readonly signedIn: SignedIn }, services)
  })
}

export function publicRoute<const D extends Documented>(
  documented: D,
  handle: Handler<BodyOf<D>, object>,
): Route {
  return route('public', documented, (request, services) => handle(request as Request<BodyOf<D>>, services))
}
