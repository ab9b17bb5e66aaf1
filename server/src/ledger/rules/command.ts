import type { Refusal } from '../../errors.ts'

/** The greatest balance and amount: 2^53 - 1, exact in every client. */
export const greatest = 9_007_199_254_740_991n

/** A realm's own account: points are issued from it and spent to it. It has no balance. */
export const issuance = 0

/**
 * Where points go that can be claimed elsewhere, and from where none comes back. Like the issuance it has no
 * balance: its sum has no bound. The greatest number that an account can have, which no member's reaches.
 */
export const claimed = 2_147_483_647

/** A member's own account: neither the realm's nor what is held. */
export const isMembers = (account: number): boolean => account > issuance && account < claimed

/** Where a member's held points are: beside its account, with the number below zero. */
export const heldOf = (account: number): number => -account

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
  readonly retry: Retry | undefined
  readonly details: Details | undefined
  /** Decided like any other, and nothing is kept of it. */
  readonly dry?: boolean
}

/** A change of one member's points. */
export type Change = {
  /** Member ids are decimal digits: above 2^53 a number would be another person. */
  readonly member: string
  readonly tokens: bigint
  /** A kind of points by its public id; the realm's default when absent. */
  readonly point: string | undefined
}

/**
 * What a member's entity tags must be one of; each is the entry that last moved any of its points. Or only
 * that there is such a member.
 */
export type IfMatch = readonly bigint[] | 'exists'

type OfMember = Common & Change & { readonly ifMatch?: IfMatch | undefined }

/** `opening` is what a member brought along when it moved in. */
export type Adjust = OfMember & {
  readonly kind: 'adjust' | 'opening'
  /** Only if the member has no points of the type: they may have come since an import was checked. */
  readonly ifNone?: boolean
}
export type Transfer = OfMember & { readonly kind: 'transfer'; readonly recipient: string }
/** Changes that happen all or none. What was said of one alone stands with its own entry. */
export type Batch = Common & { readonly kind: 'batch'; readonly changes: readonly BatchChange[] }
export type BatchChange = Change & { readonly details?: Details | undefined }
/**
 * Adjustments and transfers that happen all or none, each as it would alone, with what was said of it. Their
 * entries follow each other, and the first has the request's key: so they are found again.
 */
export type List = Common & { readonly kind: 'list'; readonly commands: readonly (Adjust | Transfer)[] }
export type Reverse = Common & {
  readonly kind: 'reverse'
  readonly entry: bigint
  /** Of each member whose points it moves. */
  readonly ifMatch?: IfMatch | undefined
}
/** Reserves points, until they are captured or released, or so long at most. */
export type Hold = OfMember & {
  readonly kind: 'hold'
  readonly forUs: bigint
  /** A moment instead of `forUs`. */
  readonly untilUs?: bigint | undefined
}
/** Spends what was held, or a part of it; the rest is the member's again. */
export type Capture = Common & {
  readonly kind: 'capture'
  readonly hold: bigint
  readonly tokens: bigint | undefined
  readonly ifMatch?: IfMatch | undefined
}
/** `expire` is for a hold whose time has run out. */
export type Release = Common & {
  readonly kind: 'release' | 'expire'
  readonly hold: bigint
  readonly ifMatch?: IfMatch | undefined
}

/**
 * Takes all that these members have of a point type, for a snapshot: ledger/lane/claim.ts. It comes in
 * pieces; `first` is the first entry of them all.
 */
export type Claim = Common & {
  readonly kind: 'claim'
  readonly members: readonly string[]
  readonly point: string
  readonly first: bigint | undefined
}

export type Command = Adjust | Transfer | Batch | List | Reverse | Hold | Capture | Release

/** Commands one after the other, each building on those before it, to see what would come of them. */
export type Rehearsal = Common & { readonly kind: 'rehearsal'; readonly commands: readonly Command[] }

/** What a lane takes. */
export type Posted = Command | Rehearsal

/** What an answer needs to know of an entry. */
export type Receipt = {
  readonly seq: bigint
  readonly atUs: bigint
  readonly amount: bigint
  readonly fromBalance: bigint | null
  readonly toBalance: bigint | null
}

/** What a command made, in their order: there is at least one. */
export type Receipts = readonly [Receipt, ...Receipt[]]

/** Whose points an entry moved, by member id, null for nobody's, and which. */
export type About = { readonly from: string | null; readonly to: string | null; readonly point: string }

/** How a command ended. `recalled` is a refusal remembered from an earlier transaction, to the byte. */
export type Outcome =
  | {
      readonly kind: 'done'
      readonly receipts: Receipts
      /** Of a reversal, a hold, or what ends one. */
      readonly about?: About | undefined
      readonly replayed: boolean
    }
  | {
      readonly kind: 'refused'
      readonly refusal: Refusal
      readonly requestId: string
      readonly replayed: boolean
    }
  | { readonly kind: 'recalled'; readonly status: number; readonly body: string }

/** Of a rehearsal, one for each of its commands. */
export type Rehearsed = { readonly kind: 'rehearsed'; readonly outcomes: readonly Outcome[] }
