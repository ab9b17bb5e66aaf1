import type { Scope } from '../keys/index.ts'

/** The roles of a person in a realm. */
export const roles = ['owner', 'manager', 'viewer'] as const

export type Role = (typeof roles)[number]

/** `operator` is above: any realm, without a role in it. */
export type Standing = Role | 'operator'

const reads: readonly Scope[] = ['members:read', 'wallets:read', 'journal:read']
const works: readonly Scope[] = [...reads, 'members:write', 'wallets:write', 'points:write']
const all: readonly Scope[] = [...works, 'realm:admin']

/** The scopes of session keys for each role. */
export const scopesFor: Readonly<Record<Standing, readonly Scope[]>> = {
  viewer: reads,
  manager: works,
  owner: all,
  operator: all,
}

/** The highest role: an operator may do whatever an owner may. */
export function standingOf(role: Role | null, operator: boolean): Standing | undefined {
  return operator ? 'operator' : (role ?? undefined)
}
