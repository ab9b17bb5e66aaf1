import { digits, type MemberId, makeKey } from './ids.ts'
import { type CallOptions, sentAs } from './routes.ts'
import type { Call } from './transport.ts'

/** Details of a change, and how it is sent. */
export type ChangeOptions = CallOptions & {
  /** A point type by its id; defaults to the realm's default. */
  readonly realmPointId?: string
  /** The reason, as text. */
  readonly reason?: string
  /** Your own reference, such as an order number. */
  readonly reference?: string
  /** Any JSON, at most 2 KiB. */
  readonly metadata?: object
  /** The member who caused it. */
  readonly actorId?: MemberId
  /**
   * Your own idempotency key for this change: a retry with it, also after a crash, gets the first response.
   * Generated when omitted; the same for all attempts of this call.
   */
  readonly idempotencyKey?: string
  /** Return the result without changing anything. */
  readonly dryRun?: boolean
  /** The `etag` of a read: the change succeeds only if the member's points have not changed since. */
  readonly ifMatch?: string
}

/** The parts of a request that come from options. */
export function callOf(options: ChangeOptions) {
  const { idempotencyKey, dryRun, ifMatch, signal: _, timeoutMs: _ms, actorId, ...said } = options
  return {
    said: { ...said, ...(actorId === undefined ? {} : { actorId: digits(actorId) }) },
    call: {
      ...sentAs(options),
      idempotencyKey: idempotencyKey ?? makeKey(),
      query: { dryRun: dryRun === true ? true : undefined },
      ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
    } satisfies Partial<Call>,
  }
}

/** Options of changes other than points: also sent with an idempotency key, so that they are done once. */
export type OnceOptions = CallOptions

/** Conditions of a PUT: an `etag`, or `*` to only update; `ifNoneMatch: '*'` to only create. */
export type PutOptions = CallOptions & { readonly ifMatch?: string; readonly ifNoneMatch?: '*' }

export function putOf({ ifMatch, ifNoneMatch, ...options }: PutOptions) {
  const [name, value] = ifMatch === undefined ? ['if-none-match', ifNoneMatch] : ['if-match', ifMatch]
  return { ...sentAs(options), ...(value === undefined ? {} : { headers: { [name]: value } }) }
}

export const onceOf = ({ idempotencyKey = makeKey(), ...options }: OnceOptions) => ({
  ...sentAs(options),
  idempotencyKey,
})
