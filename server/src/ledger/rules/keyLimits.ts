import type { Refusal } from '../../errors.ts'
import type { KeyLimits } from './command.ts'
import { type Draft, dayEndsUs, movedBy } from './draft.ts'
import type { EntryType } from './entryTypes.ts'
import * as words from './refusals.ts'

/** What a key with limits wants to move: one entry. */
export type Movement = { readonly kind: EntryType; readonly amount: bigint }

type Posted = { readonly key: number; readonly limits?: KeyLimits | undefined }

/**
 * Every entry of a key counts with its points, but for a release: it gives a member's held points back to it,
 * and a key that has reached its limits must still be able to let go of what it holds.
 */
const isCounted = ({ kind }: Movement): boolean => kind !== 'release'

/** The refusal of an entry that exceeds a limit of its key. A key without limits is not looked at further. */
export function beyondKey(draft: Draft, { key, limits }: Posted, movement: Movement): Refusal | undefined {
  if (!limits || !isCounted(movement)) return undefined
  const { amount } = movement
  const { maxPerChange, maxPerDay } = limits
  if (maxPerChange !== null && amount > maxPerChange) return words.changeAboveKey(amount, maxPerChange)
  if (maxPerDay === null) return undefined
  const moved = movedBy(draft, key)
  if (moved + amount <= maxPerDay) return undefined
  return words.dayAboveKey({ moved, amount, limit: maxPerDay, endsUs: dayEndsUs(draft.atUs) })
}

/** Adds an entry to what its key has moved that day, if the key has a limit for it. */
export function countForKey(draft: Draft, { key, limits }: Posted, movement: Movement): void {
  if (!limits || limits.maxPerDay === null || !isCounted(movement)) return
  draft.moved ??= new Map()
  draft.moved.set(key, movedBy(draft, key) + movement.amount)
}
