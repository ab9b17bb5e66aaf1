import { type Scope, scopes } from '../../server/src/keys/index.ts'
import { type Answer, patiently } from './call.ts'
import { makeRealm, type RealmAccess } from './fixture.ts'
import { asRealm } from './operator.ts'
import { operatorToken } from './process.ts'
import type { Suite } from './suite.ts'
import { asOperator } from './v4.ts'

/** One request with a realm's key: send('PUT /members/1', body). */
export type Send = (line: string, body?: unknown) => Promise<Answer>

export type ManagedRealm = RealmAccess & {
  /** With every scope. */
  readonly send: Send
  /** With every scope except one. */
  readonly without: (scope: Scope) => Promise<Send>
}

/** A new realm, and a key that has every scope. */
export async function managed(made: Suite, body: object = {}): Promise<ManagedRealm> {
  const realm = await makeRealm({ baseUrl: made.app.url, token: operatorToken }, body)
  const keyed = async (may: readonly Scope[]): Promise<Send> => {
    const path = `/realms/${realm.id}/keys`
    const { key } = await asOperator(made, 'POST', { path, body: { scopes: may } })
    return (line, sent) => patiently(() => asRealm(made.app.url, { id: realm.id, key }, { line, body: sent }))
  }
  return {
    ...realm,
    send: await keyed(scopes),
    without: (scope) => keyed(scopes.filter((one) => one !== scope)),
  }
}
