import type { LapseStep } from './lapse/rule.ts'

/** A point type of a realm, and its rules. */
export type Point = {
  readonly number: number
  readonly id: string
  readonly name: string
  readonly emoji: string | null
  readonly archived: boolean
  /** Null for no limit but the greatest possible balance. */
  readonly maxBalance: bigint | null
  readonly transferable: boolean
  /** What a member may transfer at once, and from midnight to midnight in the realm's time zone. */
  readonly maxPerTransfer: bigint | null
  readonly maxPerDay: bigint | null
  /** All changes of its lapse rule, in order; absent where there was none. */
  readonly lapse?: readonly LapseStep[] | undefined
}

/** Why a realm can only be read, and since when. The operator's reason is shown to the realm's people. */
export type Suspension = { readonly reason: string; readonly since: Date }

/** What decisions and answers need of a realm besides its members. Changes only under the head lock. */
export type RealmConfig = {
  readonly version: number
  readonly id: string
  readonly name: string
  readonly logo: string | null
  /** A JSON object as text. */
  readonly colours: string | null
  /** A name of the IANA time zone database. */
  readonly timeZone: string
  /** Whether the leaderboard is public, readable without a key. */
  readonly publicBoard: boolean
  readonly unknownMembers: 'refuse' | 'create'
  /** Whether members were ever merged: only then may a numeric id be another member's old one. */
  readonly hasMerges: boolean
  /** Set while the realm can only be read. */
  readonly suspended: Suspension | null
  readonly defaultPoint: Point
  /** By public id, the default first, then in the order they were created. */
  readonly points: ReadonlyMap<string, Point>
}
