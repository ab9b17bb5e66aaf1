/** What holds for every entry of one type. */
type EntryRules = {
  /** As it is stored and hashed. It never changes. */
  readonly number: number
  readonly isReversible?: true
  /** It ends the hold that its link names. */
  readonly endsHold?: true
  /** It ends the award that its link names. */
  readonly endsAward?: true
  /** It may be one of several that were posted together; its link names the first of them. */
  readonly isBatched?: true
  /** The details of such a batch are stored once, with its first entry. */
  readonly sharesDetails?: true
  /** The points come back, whatever the limit of a balance is. */
  readonly ignoresMaxBalance?: true
  /** Points that the realm issues by it count as gained. */
  readonly isGain?: true
  /** Points that come from the realm by it are earned: activity, for a rule with `idle`. */
  readonly isEarned?: true
  /** Points that go to the realm by it are spent, likewise. */
  readonly isSpent?: true
  /** It does not make a member active on its day. */
  readonly isPassive?: true
  /** It moves pending points, which get the day on which they lapse when they are granted. */
  readonly hasNoLots?: true
}

/** All types of entries. A new one is a line here, and its command in command.ts and rules.ts. */
export const entryTypes = {
  adjust: {
    number: 1,
    isReversible: true,
    isBatched: true,
    sharesDetails: true,
    isGain: true,
    isEarned: true,
    isSpent: true,
  },
  transfer: { number: 2, isReversible: true },
  reversal: { number: 3, ignoresMaxBalance: true },
  hold: { number: 4 },
  capture: { number: 5, isReversible: true, endsHold: true, isSpent: true },
  release: { number: 6, endsHold: true, ignoresMaxBalance: true },
  expiry: { number: 7, endsHold: true, ignoresMaxBalance: true, isPassive: true },
  opening: {
    number: 8,
    isReversible: true,
    isBatched: true,
    sharesDetails: true,
    isEarned: true,
    isPassive: true,
  },
  claim: { number: 9, isBatched: true, isPassive: true },
  lapse: { number: 10, isReversible: true, isPassive: true },
  merge: { number: 11, isBatched: true, ignoresMaxBalance: true, isPassive: true },
  award: { number: 12, hasNoLots: true },
  grant: { number: 13, isReversible: true, endsAward: true, isGain: true, isEarned: true },
  cancel: { number: 14, endsAward: true, hasNoLots: true },
} as const satisfies Readonly<Record<string, EntryRules>>

export type EntryType = keyof typeof entryTypes

export const entryTypeNames = Object.keys(entryTypes) as readonly EntryType[]

const byNumber = new Map(entryTypeNames.map((name) => [entryTypes[name].number as number, name]))

export function entryTypeOf(number: number): EntryType {
  const name = byNumber.get(number)
  if (name === undefined) throw new Error(`unknown entry type ${number}`)
  return name
}

export const rulesOf = (type: EntryType): EntryRules => entryTypes[type]

export const isReversible = (type: EntryType): boolean => rulesOf(type).isReversible === true

/** The numbers of the types for which a rule holds, for statements and sets. */
export const numbersWith = (rule: Exclude<keyof EntryRules, 'number'>): readonly number[] =>
  entryTypeNames.filter((name) => rulesOf(name)[rule]).map((name) => entryTypes[name].number)
