import type { Scope } from '../keys/index.ts'

/** What a person can be in a realm. */
export const roles = ['owner', 'manager', 'viewer'] as const

export type Role = (typeof roles)[number]

/** `operator` is above: any realm, without a role of one's own. */
export type Standing = Role | 'operator'

const reads: readonly Scope[] = ['members:read', 'wallets:read', 'journal:read']
const works: readonly Scope[] = [...reads, 'members:write', 'wallets:write', 'points:write']
const all: readonly Scope[] = [...works, 'realm:admin']

/** What keys may do that are made for someone who is this. */
export const scopesFor: Readonly<Record<Standing, readonly Scope[]>> = {
  viewer: reads,
  manager: works,
  owner: all,
  operator: all,
}

/** The most that someone is: an operator may do whatever an owner may. */
export function standingOf(role: Role | null, operator: boolean): Standing | undefined {
  return operator ? 'operator' : (role ?? undefined)
}
