import { NotFoundError, type Realm } from '@exchequer/sdk'
import type { WebhookEvent } from '@exchequer/sdk/webhooks'

/** Roles of a chat platform. Giving one that a member has, or taking one that it has not, changes nothing. */
export type Roles = {
  readonly give: (memberId: string, role: string) => Promise<void>
  readonly take: (memberId: string, role: string) => Promise<void>
}

export type RoleBot = {
  readonly realm: Realm
  readonly roles: Roles
  /** The role that a member has from this balance on. */
  readonly roleAt: ReadonlyMap<number, string>
}

/**
 * Gives or takes a role when a `balance.crossed` webhook arrives. The event says that something changed; the
 * balance says what is right now. So the order of events does not matter, nor how often one is handled.
 */
export async function updateRole({ realm, roles, roleAt }: RoleBot, event: WebhookEvent): Promise<void> {
  if (event.type !== 'balance.crossed') return
  const { memberId, realmPointId, threshold } = event.data
  const role = roleAt.get(threshold)
  // Null: the member was erased.
  if (role === undefined || memberId === null) return
  try {
    const { balances } = await realm.member(memberId).get()
    const isEarned = (balances[realmPointId] ?? 0) >= threshold
    await (isEarned ? roles.give : roles.take)(memberId, role)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    await roles.take(memberId, role)
  }
}
