import type { Refusal } from '../../errors.ts'
import type { Lots } from './lots.ts'

/** The greatest balance and amount: 2^53 - 1, exact in every client. */
export const greatest = 9_007_199_254_740_991n

/** A realm's own account: points are issued from it and spent to it. It has no balance. */
export const issuance = 0

/**
 * The account of points that can be claimed elsewhere; none come back from it. Like the issuance it has no
 * balance: its sum has no bound. It is the greatest account number, which no member reaches.
 */
export const claimed = 2_147_483_647

/** A member's own account: neither one of the realm's nor one of held points. */
export const isMembers = (account: number): boolean => account > issuance && account < claimed

/** The account of a member's held points: its account number, negated. */
export const heldOf = (account: number): number => -account

/** What the caller provided about a change, with its salt and hash; computed outside the lane. */
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
 * The caller's Idempotency-Key and the fingerprint of the request without its point type, each as 128 bits in
 * UUID form.
 */
export type Retry = { readonly request: string; readonly fingerprint: string }

/** The most points that a key may move in one change, and in one UTC day; null for no limit. */
export type KeyLimits = { readonly maxPerChange: bigint | null; readonly maxPerDay: bigint | null }

type Common = {
  readonly realm: number
  /** The realm's number of the calling key; 0 for the operator. */
  readonly key: number
  /** Only for a key that has any. */
  readonly limits?: KeyLimits | undefined
  readonly requestId: string
  readonly retry: Retry | undefined
  readonly details: Details | undefined
  /** A dry run: decided like any other, but nothing is stored. */
  readonly dry?: boolean
}

/** A change of one member's points. */
export type Change = {
  /** Member ids are decimal digits: above 2^53 a number would be rounded to another member's. */
  readonly member: string
  readonly tokens: bigint
  /** A point type by its public id; the realm's default when absent. */
  readonly point: string | undefined
}

/** The entry that last moved any of a member's points, and the member's account; 0 for one without. */
export type MemberTag = { readonly seq: bigint; readonly account: number }

/** The accepted entity tags of a member. `exists` only requires that the member exists. */
export type IfMatch = readonly MemberTag[] | 'exists'

type OfMember = Common & Change & { readonly ifMatch?: IfMatch | undefined }

/** `opening` is a member's balance from another system, set by an import. */
export type Adjust = OfMember & {
  readonly kind: 'adjust' | 'opening'
  /** Only if the member has no points of the type: it may have got some since the import was checked. */
  readonly ifNone?: boolean
  /** The days on which its points lapse, as an import names them. */
  readonly lots?: Lots | undefined
}
export type Transfer = OfMember & { readonly kind: 'transfer'; readonly recipient: string }
/** Changes that happen all or none. The details of a single change are stored with its own entry. */
export type Batch = Common & { readonly kind: 'batch'; readonly changes: readonly BatchChange[] }
export type BatchChange = Change & { readonly details?: Details | undefined }
/**
 * Adjustments and transfers that happen all or none, each with its own details, as if sent alone. Their
 * entries are consecutive, and the first has the request's key: so a retry finds them again.
 */
export type List = Common & { readonly kind: 'list'; readonly commands: readonly (Adjust | Transfer)[] }
export type Reverse = Common & {
  readonly kind: 'reverse'
  readonly entry: bigint
  /** Whether it may bring back points that lapsed. */
  readonly isAdmin?: boolean
  /** For each member whose points it moves. */
  readonly ifMatch?: IfMatch | undefined
}
/** Reserves points until they are captured or released, or until the hold expires. */
export type Hold = OfMember & {
  readonly kind: 'hold'
  readonly forUs: bigint
  /** An absolute time instead of `forUs`. */
  readonly untilUs?: bigint | undefined
}
/** Captures a hold, or a part of it; the rest is released to the member. */
export type Capture = Common & {
  readonly kind: 'capture'
  readonly hold: bigint
  readonly tokens: bigint | undefined
  readonly ifMatch?: IfMatch | undefined
}
/** `expire` is for an expired hold. */
export type Release = Common & {
  readonly kind: 'release' | 'expire'
  readonly hold: bigint
  readonly ifMatch?: IfMatch | undefined
}

/** Promises points: they can't be spent before they are granted, on request or when they are due. */
export type Award = OfMember & {
  readonly kind: 'award'
  /** When it is granted without a request. */
  readonly grantUs: bigint | undefined
}
/** Ends an award; `due` grants one that is due. */
export type EndAward = Common & {
  readonly kind: 'grant' | 'cancel' | 'due'
  readonly award: bigint
  readonly ifMatch?: IfMatch | undefined
}

/**
 * Claims the whole balance of these members in one point type, for a snapshot: ledger/lane/claim.ts. It comes
 * in pieces; `first` is the first entry of all pieces.
 */
export type Claim = Common & {
  readonly kind: 'claim'
  readonly members: readonly string[]
  readonly point: string
  readonly first: bigint | undefined
}

/** Moves the whole balance of each point type from one member to another: ledger/lane/merge.ts. */
export type Merge = Common & {
  readonly kind: 'merge'
  readonly from: MergeSide
  readonly to: MergeSide
  /** To undo a merge: its entries, which are moved back. */
  readonly undoes?: readonly MergeEntry[] | undefined
}
export type MergeSide = { readonly account: number; readonly id: string }
export type MergeEntry = {
  readonly seq: bigint
  readonly point: number
  readonly amount: bigint
  readonly lots: string | null
}

/**
 * Lapses a member's points that are due; `config` is the configuration with which they were found due. `idle`
 * is for a rule with `idle`.
 */
export type Lapse = OfMember & {
  readonly kind: 'lapse'
  readonly config: number
  readonly idle?: IdleBalance | undefined
}

/** An entry that counted as activity. */
export type Active = { readonly seq: bigint; readonly atUs: bigint }

/** A balance of a member without activity, as it was found. */
export type IdleBalance = {
  /** The number of the rule by which it was found. */
  readonly step: number
  /** The entries that last changed the spendable balance and the held one; null for one that never was. */
  readonly seq: bigint
  readonly heldSeq: bigint | null
  readonly last: Active
}

type Aside = Hold | Capture | Release | Award | EndAward
export type Command = Adjust | Transfer | Batch | List | Reverse | Aside | Lapse

/**
 * Commands one after the other, each building on those before it, to see their outcomes without storing them.
 */
export type Rehearsal = Common & { readonly kind: 'rehearsal'; readonly commands: readonly Command[] }

/** What a lane accepts. */
export type PostedCommand = Command | Rehearsal

/** The fields of an entry that an answer needs. */
export type Receipt = {
  readonly seq: bigint
  readonly atUs: bigint
  readonly amount: bigint
  readonly fromBalance: bigint | null
  readonly toBalance: bigint | null
}

/** The entries that a command created, in their order: there is at least one. */
export type Receipts = readonly [Receipt, ...Receipt[]]

/** The members whose points an entry moved, by id, null for the realm's own accounts, and the point type. */
export type About = { readonly from: string | null; readonly to: string | null; readonly point: string }

/** How a command ended. `recalled` is a refusal remembered from an earlier transaction, to the byte. */
export type Outcome =
  | {
      readonly kind: 'done'
      readonly receipts: Receipts
      /** For a reversal, a hold, an award, and what ends these. */
      readonly about?: About | undefined
      /** The member's id, where the command has an old one of it. */
      readonly survivor?: string | undefined
      readonly replayed: boolean
    }
  | {
      readonly kind: 'refused'
      readonly refusal: Refusal
      readonly requestId: string
      readonly replayed: boolean
    }
  | { readonly kind: 'recalled'; readonly status: number; readonly body: string }

/** The outcomes of a rehearsal, one for each of its commands. */
export type RehearsalOutcome = { readonly kind: 'rehearsed'; readonly outcomes: readonly Outcome[] }
