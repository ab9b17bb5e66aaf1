/** Where in a request something is wrong. */
export type Fault = {
    readonly pointer: string;
    readonly detail: string;
};
/** What the server answers when it does not do what was asked. */
export type Problem = {
    readonly status: number;
    readonly code: string;
    readonly title: string;
    readonly detail: string;
    readonly requestId?: string;
    readonly errors?: readonly Fault[];
};
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
export declare class ExchequerError extends Error {
    readonly name: string;
    readonly code: string;
    /** The HTTP status; 0 where there was no answer. */
    readonly status: number;
    /** Tell it to the operator of the server. */
    readonly requestId: string | undefined;
    readonly errors: readonly Fault[];
    constructor({ status, code, detail, requestId, errors }: Omit<Problem, 'title'>, cause?: unknown);
}
/** 400: the request is not as it should be; `errors` says where. */
export declare class InvalidRequestError extends ExchequerError {
    readonly name = "InvalidRequestError";
}
/** 401: no key, or one that opens nothing. */
export declare class UnauthorizedError extends ExchequerError {
    readonly name = "UnauthorizedError";
}
/** 403: another realm's key, or one without the scope. */
export declare class ForbiddenError extends ExchequerError {
    readonly name = "ForbiddenError";
}
/** 404: no such member, kind of points, entry or hold. */
export declare class NotFoundError extends ExchequerError {
    readonly name = "NotFoundError";
}
/** 412: the member's points have moved since it was read. */
export declare class MovedError extends ExchequerError {
    readonly name = "MovedError";
}
/** 422: the ledger's rules refuse it: too few points, too many, a frozen member. Nothing was changed. */
export declare class RefusedError extends ExchequerError {
    readonly name = "RefusedError";
}
/** 429: more requests than the key or the realm may send, also after waiting. */
export declare class RateLimitedError extends ExchequerError {
    readonly name = "RateLimitedError";
}
/** No answer, or 5xx, also after trying again. With the same idempotency key the request can be sent later. */
export declare class UnavailableError extends ExchequerError {
    readonly name = "UnavailableError";
}
/** The error that a problem is. */
export declare function errorOf(problem: Omit<Problem, 'title'>, cause?: unknown): ExchequerError;
