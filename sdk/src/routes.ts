import type { MemberId } from './ids.ts'
import type { OperatorOperations, RealmOperations } from './types.ts'

/** What a route of a realm answers, and what it takes. */
export type AnswerOf<Route extends keyof RealmOperations> = RealmOperations[Route]['answer']
export type BodyOf<Route extends keyof RealmOperations> = RealmOperations[Route]['body']

/** The same of a route of the operator's door. */
export type OperatorAnswer<Route extends keyof OperatorOperations> = OperatorOperations[Route]['answer']
export type OperatorBody<Route extends keyof OperatorOperations> = OperatorOperations[Route]['body']

/**
 * What is shown once. The client makes no Idempotency-Key for it, so its answer is never a replay. Under a key of your
 * own a replay has null in its place.
 */
export type Shown<T, Field extends keyof T> = Omit<T, Field> & { readonly [Name in Field]: string }

export type WithId<T> = T & { readonly id: MemberId }

/** How a call is sent. */
export type CallOptions = {
  /** Gives up when it is aborted, between two attempts too. */
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take, in milliseconds; what the client is set to when left out. */
  readonly timeoutMs?: number | undefined
  /** Your own key for what changes something: sent again under it, also after a crash, it is done once. */
  readonly idempotencyKey?: string
}

/** Those alone: what a caller gives may have more in it. */
export const sentAs = ({ signal, timeoutMs, idempotencyKey }: CallOptions): CallOptions => ({
  signal,
  timeoutMs,
  ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
})
