/** What a key can be allowed to do. */
export const scopes = [
  'members:read',
  'members:write',
  'wallets:read',
  'wallets:write',
  'points:write',
  'journal:read',
  'realm:admin',
] as const

export type Scope = (typeof scopes)[number]

/** The scopes of a key created without scopes: those that the original API had. */
const given: ReadonlySet<Scope> = new Set(['members:read', 'wallets:read', 'points:write'])

export function scopesOf(stored: readonly string[] | null): ReadonlySet<Scope> {
  return stored === null ? given : new Set(scopes.filter((scope) => stored.includes(scope)))
}
