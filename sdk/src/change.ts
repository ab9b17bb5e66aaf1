import { digits, type MemberId, makeKey } from './ids.ts'
import { type CallOptions, sentAs } from './routes.ts'
import type { Call } from './transport.ts'

/** What can be said about a change, and how it is sent. */
export type ChangeOptions = CallOptions & {
  /** A kind of points by its id; the realm's default when left out. */
  readonly realmPointId?: string
  /** Why, in words. */
  readonly reason?: string
  /** Your own number of the thing. */
  readonly reference?: string
  /** Anything as JSON, at most 2 KiB. */
  readonly metadata?: object
  /** The member who caused it. */
  readonly actorId?: MemberId
  /**
   * Your own key for this change: whoever sends it again, after a crash too, gets the first answer. One is
   * made when left out, and stays the same over all attempts of this call.
   */
  readonly idempotencyKey?: string
  /** Decide and answer, and change nothing. */
  readonly dryRun?: boolean
  /** The `etag` of a read: the change passes only if the member's points have not moved since. */
  readonly ifMatch?: string
}

/** The parts of a call that options say. */
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

/** How what changes no points is sent: under a key too, so that it is done once. */
export type OnceOptions = CallOptions

/** What a PUT is conditional on: an `etag` or `*`, for what is there; `ifNoneMatch: '*'` creates only. */
export type PutOptions = CallOptions & { readonly ifMatch?: string; readonly ifNoneMatch?: '*' }

export function putOf({ ifMatch, ifNoneMatch, ...options }: PutOptions) {
  const [name, value] = ifMatch === undefined ? ['if-none-match', ifNoneMatch] : ['if-match', ifMatch]
  return { ...sentAs(options), ...(value === undefined ? {} : { headers: { [name]: value } }) }
}

export const onceOf = ({ idempotencyKey = makeKey(), ...options }: OnceOptions) => ({
  ...sentAs(options),
  idempotencyKey,
})
