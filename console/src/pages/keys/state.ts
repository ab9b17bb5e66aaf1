import type { KeyData } from '@exchequer/sdk'

const soonMs = 7 * 24 * 3_600_000

/** The status shown next to a key's name. */
export function stateOf({ revokedAt, expiresAt }: KeyData): 'revoked' | 'expired' | 'soon' | undefined {
  if (revokedAt) return 'revoked'
  if (!expiresAt) return undefined
  const leftMs = Date.parse(expiresAt) - Date.now()
  if (leftMs <= 0) return 'expired'
  return leftMs < soonMs ? 'soon' : undefined
}

export const hasEnded = (key: KeyData): boolean => ['revoked', 'expired'].includes(stateOf(key) ?? '')

/** A key to show once. The page shows it, because the row that created it may be gone by then. */
export type MadeKey = { readonly title: string; readonly key: string }
export type OnCreate = (made: MadeKey) => void
