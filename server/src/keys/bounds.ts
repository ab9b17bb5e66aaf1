import { refuse } from '../errors.ts'
import type { LimitSetting } from '../limits/index.ts'
import type { MoveLimits, MoveWish } from './moves.ts'

/** The expiry and the limits of a key that issues or changes others: none of them may exceed these. */
export type KeyBounds = {
  readonly expiresAt: Date | null
  readonly rateLimit: LimitSetting
  /** Undefined for a key that may move any number of points. */
  readonly moves: MoveLimits | undefined
}

/** Undefined for callers without bounds: the operator, and people who have signed in. */
type Within = KeyBounds | undefined

/** The requested expiry, or the bound when none was requested. */
export function expiryWithin(wished: Date | null | undefined, within: Within): Date | null {
  const latest = within?.expiresAt ?? null
  if (latest === null) return wished ?? null
  if (wished === undefined) return latest
  if (wished !== null && wished <= latest) return wished
  throw beyond(`It expires at ${latest.toISOString()}, so no key that it issues or changes may expire later.`)
}

/** The requested rate limit, or the bound when none was requested. */
export function limitWithin(wished: LimitSetting | undefined, within: Within): LimitSetting {
  const most = within?.rateLimit
  if (most === undefined || typeof most === 'string') return wished ?? 'default'
  if (wished === undefined) return most
  if (typeof wished === 'object' && wished.rate <= most.rate && wished.burst <= most.burst) return wished
  const words = `${most.rate} requests a second and ${most.burst} at once`
  throw beyond(`It may send ${words}, so no key that it issues or changes may send more.`)
}

/** The requested limits of points; for one that was not requested, the bound. */
export function movesWithin(wished: MoveWish, within: Within): MoveLimits {
  const { maxPerChange = null, maxPerDay = null } = within?.moves ?? {}
  return {
    maxPerChange: mostWithin(wished.maxPerChange, maxPerChange, 'in one change'),
    maxPerDay: mostWithin(wished.maxPerDay, maxPerDay, 'in a day'),
  }
}

function mostWithin(wished: bigint | null | undefined, most: bigint | null, span: string): bigint | null {
  if (most === null) return wished ?? null
  if (wished === undefined) return most
  if (wished !== null && wished <= most) return wished
  throw beyond(`It may move ${most} points ${span}, so no key that it issues or changes may move more.`)
}

/** Each new key would begin a day of its own, so that there would be no limit for the day. */
export function refuseNewKeys(within: Within): void {
  if (within?.moves?.maxPerDay != null)
    throw beyond("It has a limit of points per day, so it can't issue or replace keys.")
}

/** For what is not counted: a key with limits of points can't do it at all. */
export function refuseLimited(within: Within, what: string): void {
  if (within?.moves) throw beyond(`It has limits of points, so it can't ${what}.`)
}

const beyond = (why: string) => refuse('forbidden', `This key has bounds of its own. ${why}`)
