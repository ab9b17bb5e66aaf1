import type { IncomingHttpHeaders } from 'node:http'
import type { TSchema } from 'typebox'
import type { Actor } from '../../audit/index.ts'
import type { Code } from '../../errors.ts'
import type { Caller, Scope } from '../../keys/index.ts'
import type { SignedIn } from '../../people/index.ts'
import type { Reply, Streamed } from '../problem.ts'
import type { Check } from './check.ts'
import type { Services } from './services.ts'
import type { Tag } from './tags.ts'

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

export type Answered = Reply | Streamed

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
