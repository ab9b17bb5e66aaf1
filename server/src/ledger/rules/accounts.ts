/**
 * The accounts of a realm: 0 is its issuance, a positive one a member's, a negative one has points of a
 * member that are set aside: -a the held points of account a, -2^30 - a its pending awards. So accounts of
 * members end below 2^30.
 */

/** Above it an account below 0 has held points, below it pending ones. */
export const pendingFloor = -1_073_741_824

/** The account of a member's pending awards. */
export const pendingOf = (account: number): number => pendingFloor - account

export const isPending = (account: number): boolean => account < pendingFloor

/** The account of the member whose points an account has; its own account for the realm's. */
export const ownerOf = (account: number): number =>
  isPending(account) ? pendingFloor - account : Math.abs(account)

/** What an account has of its member. */
export type Side = 'spendable' | 'held' | 'pending'

export const sideOf = (account: number): Side =>
  account >= 0 ? 'spendable' : isPending(account) ? 'pending' : 'held'

/** The account of one side of a member. */
export const accountOn = (side: Side, account: number): number =>
  side === 'pending' ? pendingOf(account) : side === 'held' ? -account : account

/** As an expression of SQL: the account of pending awards, and the owner of an account. */
export const pendingText = (account: string): string => `${pendingFloor} - ${account}`
export const ownerText = (account: string): string =>
  `case when ${account} < ${pendingFloor} then ${pendingFloor} - ${account} else abs(${account}) end`
