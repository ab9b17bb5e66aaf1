import type { Refusal } from '../errors.ts'

/** The greatest balance and amount: 2^53 - 1, exact in every client. */
export const greatest = 9_007_199_254_740_991n

/** A realm's own account: points are issued from it and spent to it. It has no balance. */
export const issuance = 0

/** What the caller said about a change, with its salt and hash; made outside the lane. */
export type Details = {
  readonly salt: Buffer
  readonly reason: string | undefined
  readonly reference: string | undefined
  /** A JSON object, as text. */
  readonly metadata: string | undefined
  readonly actorId: string | undefined
  /** sha256(salt ‖ details), in hex. */
  readonly hash: string
}

/**
 * The caller's Idempotency-Key and what the request means without its point, each as 128 bits in UUID form.
 */
export type Retry = { readonly request: string; readonly fingerprint: string }

type Common = {
  readonly realm: number
  /** The realm's number of the key that acts; 0 for the operator. */
  readonly key: number
  readonly requestId: string
  /** Member ids are decimal digits: above 2^53 a number would be another person. */
  readonly member: string
  readonly tokens: bigint
  /** A kind of points by its public id; the realm's default when absent. */
  readonly point: string | undefined
  readonly retry: Retry | undefined
  readonly details: Details | undefined
}

export type Adjust = Common & { readonly kind: 'adjust' }
export type Transfer = Common & { readonly kind: 'transfer'; readonly recipient: string }
export type Command = Adjust | Transfer

/** What an answer needs to know of an entry. */
export type Receipt = {
  readonly seq: bigint
  readonly fromBalance: bigint | null
  readonly toBalance: bigint | null
}

/** How a command ended. `recalled` is a refusal remembered from an earlier transaction, to the byte. */
export type Outcome =
  | { readonly kind: 'done'; readonly receipt: Receipt; readonly replayed: boolean }
  | {
      readonly kind: 'refused'
      readonly refusal: Refusal
      readonly requestId: string
      readonly replayed: boolean
    }
  | { readonly kind: 'recalled'; readonly status: number; readonly body: string }
