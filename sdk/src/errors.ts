import type { ProblemCode, RefusedChange } from './types.ts'

/**
 * What went wrong: a code of the server, `no_answer`, or one that a newer server has and this client does not know.
 */
export type Code = ProblemCode | 'no_answer' | (string & {})

/** Where in a request something is wrong. */
export type Fault = {
  /** A JSON pointer into the body, or `path:`, `query:`, `header:` and a name. */
  readonly pointer: string
  readonly in: 'body' | 'query' | 'path' | 'header'
  readonly name: string
  /** `unknown_field`, `unknown_parameter`, `missing`, `invalid_value`, or a code of the route. */
  readonly code: string
  readonly detail: string
}

/** What a refusal is about, each where it applies. */
export type Facts = {
  /** What the member or hold has, and what was asked for. */
  readonly balance?: number
  readonly required?: number
  /** The limit that would be passed, and when the same request may pass. */
  readonly limit?: number
  readonly resetAt?: string
  /** Which change of a list was refused; the first is 0. */
  readonly index?: number
  /** Why that one was, as it would be alone. */
  readonly error?: RefusedChange
  /** The entry that reversed the entry, or ended the hold. */
  readonly transactionId?: string
  /** With an unknown field or parameter: the release of the server, which does not know it. */
  readonly serverVersion?: string
}

/** What the server answers when it does not do what was asked. */
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
 * Whatever went wrong. `code` tells one from the other, and `message` says what to do.
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
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number
  /** Tell it to the operator of the server. */
  readonly requestId: string | undefined
  /**
   * Of a 422 to a change: until when its idempotency key gets this answer again, in RFC 3339. A new key tries
   * again at once.
   */
  readonly rememberedUntil: string | undefined
  readonly errors: readonly Fault[]
  readonly balance: number | undefined
  readonly required: number | undefined
  readonly limit: number | undefined
  readonly resetAt: string | undefined
  readonly index: number | undefined
  /** Of an atomic list: why the change at `index` was refused. */
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

/** 400: the request is not as it should be; `errors` says where. */
export class InvalidRequestError extends ExchequerError {
  override readonly name = 'InvalidRequestError'
}
/** 401: no key, or one that opens nothing. */
export class UnauthorizedError extends ExchequerError {
  override readonly name = 'UnauthorizedError'
}
/** 403: another realm's key, or one without the scope. */
export class ForbiddenError extends ExchequerError {
  override readonly name = 'ForbiddenError'
}
/** 404: no such member, kind of points, entry or hold. */
export class NotFoundError extends ExchequerError {
  override readonly name = 'NotFoundError'
}
/** 412: the member's points have moved since it was read. */
export class MovedError extends ExchequerError {
  override readonly name = 'MovedError'
}
/** 422: the ledger's rules refuse it: too few points, too many, a frozen member. Nothing was changed. */
export class RefusedError extends ExchequerError {
  override readonly name = 'RefusedError'
}
/** 429: more requests than the key or the realm may send, also after waiting. */
export class RateLimitedError extends ExchequerError {
  override readonly name = 'RateLimitedError'
}
/** No answer, or 5xx, also after trying again. With the same idempotency key the request can be sent later. */
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

/** The error that a problem is. */
export function errorOf(problem: Omit<Problem, 'title'>, cause?: unknown): ExchequerError {
  const made = problem.status >= 500 || problem.status === 0 ? UnavailableError : classes[problem.status]
  return new (made ?? ExchequerError)(problem, cause)
}
