import type { MemberId } from './ids.ts'
import type { OperatorOperations, RealmOperations } from './types.ts'

/** Response and request of a realm route. */
export type AnswerOf<Route extends keyof RealmOperations> = RealmOperations[Route]['answer']
export type BodyOf<Route extends keyof RealmOperations> = RealmOperations[Route]['body']

/** The same for an operator route. */
export type OperatorAnswer<Route extends keyof OperatorOperations> = OperatorOperations[Route]['answer']
export type OperatorBody<Route extends keyof OperatorOperations> = OperatorOperations[Route]['body']

/**
 * A secret shown once. The client sends no Idempotency-Key for it, so the response is never a replay. With a
 * key of your own, a replay has null in its place.
 */
export type Shown<T, Field extends keyof T> = Omit<T, Field> & { readonly [Name in Field]: string }

export type WithId<T> = T & { readonly id: MemberId }

/** How a call is sent. */
export type CallOptions = {
  /** Aborts the call, also between two attempts. */
  readonly signal?: AbortSignal | undefined
  /** Timeout of one attempt, in milliseconds; defaults to the client's. */
  readonly timeoutMs?: number | undefined
  /** Your own idempotency key for a change: retried with it, also after a crash, it is applied once. */
  readonly idempotencyKey?: string
}

/** Only these options: the caller's object may have more. */
export const sentAs = ({ signal, timeoutMs, idempotencyKey }: CallOptions): CallOptions => ({
  signal,
  timeoutMs,
  ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
})
