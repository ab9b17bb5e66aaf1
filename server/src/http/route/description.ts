import type { IncomingHttpHeaders } from 'node:http'
import type { TSchema } from 'typebox'
import type { Actor } from '../../audit/index.ts'
import type { Code } from '../../errors.ts'
import type { Caller, Scope } from '../../keys/index.ts'
import type { IfMatch } from '../../ledger/index.ts'
import type { SignedIn } from '../../people/index.ts'
import type { SendRequest } from '../mcp/inner.ts'
import type { Reply, StreamReply } from '../problem.ts'
import type { Check } from './check.ts'
import type { Services } from './services.ts'
import type { Tag } from './tags.ts'

export type Method = 'GET' | 'QUERY' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request that has passed all generic checks. */
export type Request<Body = unknown, Params = Readonly<Record<string, string>>> = {
  readonly requestId: string
  readonly headers: IncomingHttpHeaders
  /** The parts of the path that are in braces. */
  readonly params: Params
  readonly query: URLSearchParams
  readonly body: Body
  readonly idempotencyKey: string | undefined
  /** What may have changed the member's points last; undefined for anything. */
  readonly ifMatch: IfMatch | undefined
  /** Whether the PUT must create: the object must not exist yet. */
  readonly isCreation: boolean
  /** The holder of the realm key; undefined on other routes. */
  readonly caller: Caller | undefined
  /** The signed-in person; undefined on other routes. */
  readonly signedIn: SignedIn | undefined
  /** The caller, for the audit log. */
  readonly by: () => Actor
  /** Only on a route that `sends`. */
  readonly send: SendRequest | undefined
  /** The id of the member that the path names by an identity; null if no member has it. */
  readonly member?: string | null
  /** The ids of actors that the body names by an identity. */
  readonly actors?: ReadonlyMap<string, string>
}

/** How a route authenticates: a realm key, an operator token, a person's session, or not at all. */
export type Audience = 'realm' | 'operator' | 'session' | 'public'

export type QueryScopes = Readonly<Record<string, Scope>>

/** One name, or one for each documented method. */
export type OperationId = string | Readonly<Partial<Record<Method, string>>>

export type RouteDescription = {
  /** The operation's name in clients: a verb and a noun. */
  readonly operationId: OperationId
  readonly tag: Tag
  readonly methods: readonly Method[]
  /** Parts in braces are parameters: /api/v4/realms/{realmID}; `{path*}` at the end matches the rest. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly params?: Readonly<Record<string, TSchema>>
  /** Query parameters. A write rejects any other: a misspelt `dryRun` must not write. */
  readonly query?: Readonly<Record<string, TSchema>>
  readonly writes: boolean
  /** For routes that clients of the old service use: unknown fields are dropped. */
  readonly lenient?: boolean
  /**
   * The scopes that a key must have, all of them. Every route for realm keys names at least one, or none in a
   * list: the requests that it `sends` need theirs.
   */
  readonly scope?: Scope | readonly Scope[]
  /** Further scopes that a key must have to send a query parameter. */
  readonly queryScopes?: QueryScopes
  readonly body?: TSchema
  /** Media types of a body that is not JSON: the handler gets it as text. */
  readonly textTypes?: readonly string[]
  /** By default a body may be omitted. */
  readonly bodyRequired?: boolean
  /**
   * What makes a POST or PATCH idempotent: `journal` the ledger; `list` the ledger for each item; `named` a
   * name in the request itself. When omitted, once.ts stores the response for a day.
   */
  readonly idempotent?: 'journal' | 'list' | 'named'
  /**
   * Whether the handler gets a member as it was sent, and finds it by its identity itself; it otherwise gets
   * the member's id.
   */
  readonly takesIdentities?: true
  /** Whether its handler sends further requests with the same key. */
  readonly sends?: true
  /** How many requests it counts as, from its unchecked body; one when omitted. */
  readonly weight?: (body: never) => number
  /** Whether it supports `If-Match`. */
  readonly conditional?: boolean
  /** Whether it returns a page of a list; only list.ts sets it. */
  readonly list?: boolean
  /**
   * The path of the object it creates: the response is 201 with that path as `Location`. A PUT creates only
   * where its reply has `isNew`.
   */
  readonly creates?: string
  /** The response field that is the last parameter of `creates`; `id` when omitted. */
  readonly createdId?: string
  /** Deletes the object in its path: the response is 204 without a body. */
  readonly deletes?: true
  readonly answer?: TSchema
  /** The media type of a response that is not JSON. */
  readonly answerType?: string
  /** Errors that this route can return besides those that every route can. */
  readonly refusals?: readonly Code[]
}

/** The scopes that a key must have for a route, regardless of its query. */
export const scopesNeeded = ({ scope = [] }: Pick<RouteDescription, 'scope'>): readonly Scope[] =>
  typeof scope === 'string' ? [scope] : scope

export type AnyReply = Reply | StreamReply

/** Names of fields from the outermost on; `*` is each item of a list. */
export type FieldPath = readonly string[]

export type Route = RouteDescription & {
  readonly audience: Audience
  readonly segments: readonly string[]
  /** Its parameters and their segment indexes. */
  readonly places: readonly { readonly name: string; readonly index: number }[]
  readonly checkBody: Check | undefined
  /** The fields of its body that may have an e-mail address. */
  readonly addressFields: readonly FieldPath[]
  /** Whether unknown fields are rejected, in a body and in the query of a read. */
  readonly isStrict: boolean
  /** Whether it uses an Idempotency-Key: reads, PUT and DELETE are idempotent already. */
  readonly takesKey: boolean
  readonly checkParams: ReadonlyMap<string, Check>
  readonly checkQuery: ReadonlyMap<string, Check>
  handle(request: Request, services: Services): AnyReply | Promise<AnyReply>
}
