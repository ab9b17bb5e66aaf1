/** A kind of points of a realm. */
export type Point = {
  readonly number: number
  readonly id: string
  readonly name: string
  readonly archived: boolean
}

/**
 * What decisions and answers need to know of a realm beside its members. Changes only under the head lock.
 */
export type RealmConfig = {
  readonly version: number
  readonly id: string
  readonly name: string
  readonly unknownMembers: 'refuse' | 'create'
  readonly defaultPoint: Point
  /** By public id, the default first, then as they were made. */
  readonly points: ReadonlyMap<string, Point>
}
