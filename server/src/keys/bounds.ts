import { refuse } from '../errors.ts'
import type { LimitSetting } from '../limits/index.ts'

/** The expiry and rate limit of a key that issues or changes others: none of them may exceed these. */
export type KeyBounds = { readonly expiresAt: Date | null; readonly rateLimit: LimitSetting }

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

const beyond = (why: string) => refuse('forbidden', `This key has bounds of its own. ${why}`)
