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
    name = 'ExchequerError';
    code;
    /** The HTTP status; 0 where there was no answer. */
    status;
    /** Tell it to the operator of the server. */
    requestId;
    errors;
    constructor({ status, code, detail, requestId, errors = [] }, cause) {
        super(detail, cause === undefined ? {} : { cause });
        this.code = code;
        this.status = status;
        this.requestId = requestId;
        this.errors = errors;
    }
}
/** 400: the request is not as it should be; `errors` says where. */
export class InvalidRequestError extends ExchequerError {
    name = 'InvalidRequestError';
}
/** 401: no key, or one that opens nothing. */
export class UnauthorizedError extends ExchequerError {
    name = 'UnauthorizedError';
}
/** 403: another realm's key, or one without the scope. */
export class ForbiddenError extends ExchequerError {
    name = 'ForbiddenError';
}
/** 404: no such member, kind of points, entry or hold. */
export class NotFoundError extends ExchequerError {
    name = 'NotFoundError';
}
/** 412: the member's points have moved since it was read. */
export class MovedError extends ExchequerError {
    name = 'MovedError';
}
/** 422: the ledger's rules refuse it: too few points, too many, a frozen member. Nothing was changed. */
export class RefusedError extends ExchequerError {
    name = 'RefusedError';
}
/** 429: more requests than the key or the realm may send, also after waiting. */
export class RateLimitedError extends ExchequerError {
    name = 'RateLimitedError';
}
/** No answer, or 5xx, also after trying again. With the same idempotency key the request can be sent later. */
export class UnavailableError extends ExchequerError {
    name = 'UnavailableError';
}
const classes = {
    400: InvalidRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    412: MovedError,
    422: RefusedError,
    429: RateLimitedError,
};
/** The error that a problem is. */
export function errorOf(problem, cause) {
    const made = problem.status >= 500 || problem.status === 0 ? UnavailableError : classes[problem.status];
    return new (made ?? ExchequerError)(problem, cause);
}
