import type { MemberId } from './ids.ts'
import type { OperatorOperations, RealmOperations } from './types.ts'

/** What a route of a realm answers, and what it takes. */
export type AnswerOf<Route extends keyof RealmOperations> = RealmOperations[Route]['answer']
export type BodyOf<Route extends keyof RealmOperations> = RealmOperations[Route]['body']

/** The same of a route of the operator's door. */
export type OperatorAnswer<Route extends keyof OperatorOperations> = OperatorOperations[Route]['answer']
export type OperatorBody<Route extends keyof OperatorOperations> = OperatorOperations[Route]['body']

/** What is shown once. The client sends no Idempotency-Key with it, so it is never a replay without it. */
export type Shown<T, Field extends keyof T> = Omit<T, Field> & { readonly [Name in Field]: string }

export type WithId<T> = T & { readonly id: MemberId }

/** How a call is sent. */
export type CallOptions = {
  /** Gives up when it is aborted, between two attempts too. */
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take, in milliseconds; what the client is set to when left out. */
  readonly timeoutMs?: number | undefined
}

/** Those alone: what a caller gives may have more in it. */
export const sentAs = ({ signal, timeoutMs }: CallOptions): CallOptions => ({ signal, timeoutMs })
