import type { Refusal } from '../../errors.ts'
import type { Point, RealmConfig } from '../../realms/realm.ts'
import type { Details, Outcome, Receipt, Rehearsed, Retry } from './command.ts'

/** Numbers of the kinds of entries, as stored and hashed. */
export const kindNumbers = {
  adjust: 1,
  transfer: 2,
  reversal: 3,
  hold: 4,
  capture: 5,
  release: 6,
  expiry: 7,
  opening: 8,
  claim: 9,
} as const

export type EntryKind = keyof typeof kindNumbers

const kinds = new Map<number, EntryKind>(
  Object.entries(kindNumbers).map(([name, number]) => [number, name as EntryKind]),
)

export function kindOf(number: number): EntryKind {
  const kind = kinds.get(number)
  if (kind === undefined) throw new Error(`there is no kind ${number} of entries`)
  return kind
}

/** An entry as decided; its hash is added when the realm's chain is sealed. */
export type Entry = Receipt & {
  readonly kind: EntryKind
  readonly key: number
  readonly point: Point
  readonly from: number
  readonly to: number
  readonly retry: Retry | undefined
  readonly details: Details | undefined
  /** The entry that this one is about. */
  readonly link: bigint | null
}

/** What the realm remembers under an Idempotency-Key. */
export type Remembered = {
  readonly fingerprint: string
  /** The public id of the point that the first request meant. */
  readonly point: string
  readonly outcome: Outcome
  /** The entries behind the first, where a list is asked for: those of a list follow each other. */
  readonly following?: readonly Receipt[] | undefined
}

/** A balance as it is stored, and the entry that left it so: null where no row is yet. */
export type Stored = { readonly balance: bigint; readonly seq: bigint | null }

/** An entry that is to be reversed. */
export type Original = {
  readonly kind: number
  readonly point: number
  /** Accounts that hold spendable points. */
  readonly from: number
  readonly to: number
  readonly amount: bigint
  /** Members by id; null for the issuance, and for one that is no longer a member. */
  readonly fromId: string | null
  readonly toId: string | null
  readonly reversedBy: bigint | null
}

export type Held = {
  readonly account: number
  /** The member; null for one that is no longer. */
  readonly id: string | null
  readonly point: number
  readonly amount: bigint
  readonly expiresUs: bigint
  readonly endedBy: bigint | null
}

/** What a decision looks at beside accounts and balances; read only for commands that need it. */
export type DecisionContext = {
  readonly originals: ReadonlyMap<bigint, Original>
  readonly holds: ReadonlyMap<bigint, Held>
  /** What each balance gave by transfers since midnight. */
  readonly given: ReadonlyMap<string, bigint>
  /** When that day ends for each of them. */
  readonly dayEndsUs?: ReadonlyMap<string, bigint>
  /** The entry that last moved any points of a member, by account. */
  readonly versions: ReadonlyMap<number, bigint>
}

export const nothingAside: DecisionContext = {
  originals: new Map(),
  holds: new Map(),
  given: new Map(),
  versions: new Map(),
}

/** All that a decision may look at. */
export type RealmState = {
  readonly config: RealmConfig
  readonly seq: bigint
  readonly atUs: bigint
  readonly nextAccount: number
  readonly nowUs: bigint
  readonly accounts: ReadonlyMap<string, number>
  readonly frozen: ReadonlySet<number>
  readonly balances: ReadonlyMap<string, Stored>
  readonly remembered: ReadonlyMap<string, Remembered>
  readonly aside: DecisionContext
}

export type NewBalance = {
  readonly account: number
  readonly point: number
  readonly balance: bigint
  readonly seq: bigint
  /** The seq of the row that it replaces; null for one that is new. */
  readonly replaces: bigint | null
}
export type NewMember = { readonly account: number; readonly id: string }
export type NewHold = { readonly seq: bigint; readonly held: Held }
export type EndedHold = { readonly seq: bigint; readonly endedBy: bigint }
/** One that could not expire, and when to try again. */
export type DeferredHold = { readonly seq: bigint; readonly retryUs: bigint }
export type NewRefusal = {
  readonly retry: Retry
  readonly point: string
  readonly refusal: Refusal
  readonly requestId: string
  readonly untilUs: bigint
}

export type Decision = {
  /** One for each command, in their order. */
  readonly outcomes: (Outcome | Rehearsed)[]
  readonly entries: Entry[]
  readonly balances: NewBalance[]
  readonly members: NewMember[]
  readonly holds: NewHold[]
  readonly endedHolds: EndedHold[]
  readonly deferredHolds: DeferredHold[]
  readonly refusals: NewRefusal[]
  readonly atUs: bigint
  readonly nextAccount: number
}

export const balanceKey = (account: number, point: number): string => `${account}:${point}`
