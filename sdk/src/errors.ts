import type { ProblemCode, RefusedChange } from './types.ts'

/**
 * Error code: one of the server's, `no_answer`, or a newer server's code that this client does not know.
 */
export type Code = ProblemCode | 'no_answer' | (string & {})

/** An invalid place in a request. */
export type Fault = {
  /** A JSON pointer into the body, or `path:`, `query:`, `header:` and a name. */
  readonly pointer: string
  readonly in: 'body' | 'query' | 'path' | 'header'
  readonly name: string
  /** `unknown_field`, `unknown_parameter`, `missing`, `invalid_value`, or a code of the route. */
  readonly code: string
  readonly detail: string
}

/** Facts about a rejection, each where it applies. */
export type Facts = {
  /** What the member or hold has, and what was requested. */
  readonly balance?: number
  readonly required?: number
  /** The limit that would be exceeded, and when the same request may succeed. */
  readonly limit?: number
  readonly resetAt?: string
  /** The index of the rejected change in a list, from 0. */
  readonly index?: number
  /** That change's error, as if it had been sent alone. */
  readonly error?: RefusedChange
  /** The entry that reversed the entry, or ended the hold. */
  readonly transactionId?: string
  /** With an unknown field or parameter: the server's release. */
  readonly serverVersion?: string
}

/** A problem response of the server. */
export type Problem = Facts & {
  readonly status: number
  readonly code: Code
  readonly title: string
  readonly detail: string
  readonly requestId?: string
  readonly rememberedUntil?: string
  readonly errors?: readonly Fault[]
}

/**
 * Base class of all errors. `code` identifies the error, and `message` says what to do.
 *
 * @example
 * ```ts
 * try {
 *   await realm.member('1190194345295482952').adjust(-1_000_000)
 * } catch (error) {
 *   if (error instanceof ExchequerError && error.code === 'insufficient_points') console.log('too few points')
 *   else throw error
 * }
 * ```
 */
export class ExchequerError extends Error {
  override readonly name: string = 'ExchequerError'
  readonly code: Code
  /** The HTTP status; 0 when there was no response. */
  readonly status: number
  /** For reports to the server's operator. */
  readonly requestId: string | undefined
  /**
   * For a 422 to a change: until when its idempotency key returns this response again, in RFC 3339. A new key
   * tries again immediately.
   */
  readonly rememberedUntil: string | undefined
  readonly errors: readonly Fault[]
  readonly balance: number | undefined
  readonly required: number | undefined
  readonly limit: number | undefined
  readonly resetAt: string | undefined
  readonly index: number | undefined
  /** For an atomic list: why the change at `index` was rejected. */
  readonly error: RefusedChange | undefined
  readonly transactionId: string | undefined
  readonly serverVersion: string | undefined

  constructor(problem: Omit<Problem, 'title'>, cause?: unknown) {
    const { status, code, detail, requestId, rememberedUntil, errors = [] } = problem
    super(detail, cause === undefined ? {} : { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.rememberedUntil = rememberedUntil
    this.errors = errors
    this.balance = problem.balance
    this.required = problem.required
    this.limit = problem.limit
    this.resetAt = problem.resetAt
    this.index = problem.index
    this.error = problem.error
    this.transactionId = problem.transactionId
    this.serverVersion = problem.serverVersion
  }
}

/** 400: the request is invalid; `errors` says where. */
export class InvalidRequestError extends ExchequerError {
  override readonly name = 'InvalidRequestError'
}
/** 401: no key, or an invalid one. */
export class UnauthorizedError extends ExchequerError {
  override readonly name = 'UnauthorizedError'
}
/** 403: another realm's key, or one without the scope. */
export class ForbiddenError extends ExchequerError {
  override readonly name = 'ForbiddenError'
}
/** 404: the member, point type, entry or hold does not exist. */
export class NotFoundError extends ExchequerError {
  override readonly name = 'NotFoundError'
}
/** 412: the member's points have changed since it was read. */
export class MovedError extends ExchequerError {
  override readonly name = 'MovedError'
}
/** 422: rejected by the ledger's rules: too few points, too many, a frozen member. Nothing was changed. */
export class RefusedError extends ExchequerError {
  override readonly name = 'RefusedError'
}
/** 429: rate limit of the key or realm exceeded, even after waiting. */
export class RateLimitedError extends ExchequerError {
  override readonly name = 'RateLimitedError'
}
/** No response or 5xx, even after retries. It can be retried later with the same idempotency key. */
export class UnavailableError extends ExchequerError {
  override readonly name = 'UnavailableError'
}

const classes: Readonly<Record<number, typeof ExchequerError>> = {
  400: InvalidRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  412: MovedError,
  422: RefusedError,
  429: RateLimitedError,
}

/** The error for a problem response. */
export function errorOf(problem: Omit<Problem, 'title'>, cause?: unknown): ExchequerError {
  const made = problem.status >= 500 || problem.status === 0 ? UnavailableError : classes[problem.status]
  return new (made ?? ExchequerError)(problem, cause)
}
