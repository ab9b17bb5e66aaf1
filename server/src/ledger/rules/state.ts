import type { Code, Refusal } from '../../errors.ts'
import type { Point, RealmConfig } from '../../realms/realm.ts'
import type { Details, Outcome, Receipt, RehearsalOutcome, Retry } from './command.ts'
import type { EntryType } from './entryTypes.ts'

/** An entry as decided; its hash is added when the realm's chain is sealed. */
export type Entry = Receipt & {
  readonly kind: EntryType
  readonly key: number
  readonly point: Point
  readonly from: number
  readonly to: number
  readonly retry: Retry | undefined
  readonly details: Details | undefined
  /** The entry that this one refers to. */
  readonly link: bigint | null
  /** Of a point type that lapses: which lots it moves. */
  readonly lots?: string | undefined
}

/** What the realm remembers under an Idempotency-Key. */
export type RememberedAnswer = {
  readonly fingerprint: string
  /** The public id of the point type that the first request meant. */
  readonly point: string
  readonly outcome: Outcome
  /** For a list: the entries after its first, which are consecutive. */
  readonly following?: readonly Receipt[] | undefined
}

/** A stored balance, and the entry that last changed it: null where there is no row yet. */
export type StoredBalance = {
  readonly balance: bigint
  readonly seq: bigint | null
  /** Null before the first entry of a point type that lapses. */
  readonly lots?: string | null | undefined
}

/** An entry to be reversed. */
export type Original = {
  readonly kind: number
  readonly point: number
  /** Accounts of spendable points. */
  readonly from: number
  readonly to: number
  readonly amount: bigint
  /** Members by id; null for the issuance, and for a member that was removed. */
  readonly fromId: string | null
  readonly toId: string | null
  readonly reversedBy: bigint | null
  readonly lots?: string | null | undefined
}

export type Held = {
  readonly account: number
  /** The member; null if it was removed. */
  readonly id: string | null
  readonly point: number
  readonly amount: bigint
  readonly expiresUs: bigint
  readonly endedBy: bigint | null
  /** Of the entry that reserved them. */
  readonly lots?: string | null | undefined
}

/** Points that are promised to a member. */
export type PendingAward = Omit<Held, 'expiresUs'> & {
  /** When it is granted without a request; null for never. */
  readonly grantUs: bigint | null
}

/** What a key moved on a UTC day, numbered from 1970-01-01: its entries but for releases. */
export type KeyDay = { readonly day: number; readonly moved: bigint }

/** What a decision reads in addition to accounts and balances; loaded only for commands that need it. */
export type DecisionContext = {
  readonly originals: ReadonlyMap<bigint, Original>
  readonly holds: ReadonlyMap<bigint, Held>
  readonly awards: ReadonlyMap<bigint, PendingAward>
  /** What each account transferred of each point type since midnight. */
  readonly given: ReadonlyMap<string, bigint>
  /** When that day ends for each of them. */
  readonly dayEndsUs?: ReadonlyMap<string, bigint>
  /** The entry that last moved any points of a member, by account. */
  readonly versions: ReadonlyMap<number, bigint>
  /** What keys with a limit per day moved on the last day on which they moved any. */
  readonly keyDays?: ReadonlyMap<number, KeyDay>
  /** For members that are named by an identity, their ids; for an unknown identity the id of a new member. */
  readonly ids?: ReadonlyMap<string, string>
}

export const emptyContext: DecisionContext = {
  originals: new Map(),
  holds: new Map(),
  awards: new Map(),
  given: new Map(),
  versions: new Map(),
}

/** All that a decision may read. */
export type RealmState = {
  readonly config: RealmConfig
  readonly seq: bigint
  readonly atUs: bigint
  readonly nextAccount: number
  readonly nowUs: bigint
  readonly accounts: ReadonlyMap<string, number>
  readonly frozen: ReadonlySet<number>
  readonly balances: ReadonlyMap<string, StoredBalance>
  readonly remembered: ReadonlyMap<string, RememberedAnswer>
  readonly context: DecisionContext
}

export type NewBalance = {
  readonly account: number
  readonly point: number
  readonly balance: bigint
  readonly seq: bigint
  /** The seq of the row that it replaces; null for a new row. */
  readonly replaces: bigint | null
  readonly lots?: string | undefined
}
export type NewMember = {
  readonly account: number
  readonly id: string
  /** The identity that it was created by, if any. */
  readonly identity?: string
}
export type NewHold = { readonly seq: bigint; readonly held: Held }
export type EndedHold = { readonly seq: bigint; readonly endedBy: bigint }
/** A hold that could not expire, and when to try again. */
export type DeferredHold = { readonly seq: bigint; readonly retryUs: bigint }
export type NewAward = { readonly seq: bigint; readonly award: PendingAward }
/** An award that could not be granted when it was due, why, and when to try again. */
export type DeferredAward = DeferredHold & { readonly code: Code }
export type NewKeyDay = KeyDay & { readonly key: number }
export type NewRefusal = {
  readonly retry: Retry
  readonly point: string
  readonly refusal: Refusal
  readonly requestId: string
  readonly untilUs: bigint
}

export type Decision = {
  /** One for each command, in their order. */
  readonly outcomes: (Outcome | RehearsalOutcome)[]
  readonly entries: Entry[]
  readonly balances: NewBalance[]
  readonly members: NewMember[]
  readonly holds: NewHold[]
  readonly endedHolds: EndedHold[]
  readonly deferredHolds: DeferredHold[]
  readonly awards: NewAward[]
  readonly endedAwards: EndedHold[]
  readonly deferredAwards: DeferredAward[]
  readonly keyDays: NewKeyDay[]
  readonly refusals: NewRefusal[]
  readonly atUs: bigint
  readonly nextAccount: number
}

export const balanceKey = (account: number, point: number): string => `${account}:${point}`
