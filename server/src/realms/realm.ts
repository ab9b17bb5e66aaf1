/** A kind of points of a realm, and its rules. */
export type Point = {
  readonly number: number
  readonly id: string
  readonly name: string
  readonly emoji: string | null
  readonly archived: boolean
  /** Where it is null, the greatest balance there is. */
  readonly maxBalance: bigint | null
  readonly transferable: boolean
  /** What a member may transfer at once, and from midnight to midnight in the realm's time zone. */
  readonly maxPerTransfer: bigint | null
  readonly maxPerDay: bigint | null
}

/**
 * What decisions and answers need to know of a realm beside its members. Changes only under the head lock.
 */
export type RealmConfig = {
  readonly version: number
  readonly id: string
  readonly name: string
  readonly logo: string | null
  /** A JSON object as text. */
  readonly colours: string | null
  /** A name of the IANA time zone database. */
  readonly timeZone: string
  /** Whether anyone may read the leaderboard, without a key. */
  readonly publicBoard: boolean
  readonly unknownMembers: 'refuse' | 'create'
  readonly defaultPoint: Point
  /** By public id, the default first, then as they were made. */
  readonly points: ReadonlyMap<string, Point>
}
