import type { Scope } from '../../keys/index.ts'
import type { Realms } from '../../realms/index.ts'
import { type MakeRoute, operatorRoute, type Request, type RouteDescription, realmRoute } from './route.ts'
import { realmIdParam } from './schemas.ts'

/** A realm's resources are managed under two paths: by the operator, and by a realm key with the scope. */
export type RouteBase = {
  readonly route: MakeRoute
  readonly base: string
  readonly params: { readonly realmID: typeof realmIdParam }
  readonly refusals: readonly 'realm_not_found'[]
  readonly realmOf: (
    request: Request<unknown, { readonly realmID: string }>,
    realms: Realms,
  ) => number | Promise<number>
}

/** `createKey` for a realm key is `createRealmKey` for the operator. */
const ofRealm = ({ operationId }: RouteDescription): Pick<RouteDescription, 'operationId' | 'tag'> => ({
  operationId: typeof operationId === 'string' ? operationId.replace(/^[a-z]+/, '$&Realm') : operationId,
  tag: 'Realms',
})

export const asOperator = (under: string): RouteBase => ({
  route: (documented, handle) => operatorRoute({ ...documented, ...ofRealm(documented) }, handle),
  base: `/operator/v1/realms/{realmID}${under}`,
  params: { realmID: realmIdParam },
  refusals: ['realm_not_found'],
  realmOf: ({ params: { realmID } }, realms) => realms.number(realmID),
})

export const asRealmKey = (under: string, scope: Scope | readonly Scope[]): RouteBase => ({
  route: (documented, handle) => realmRoute({ ...documented, scope }, handle as never),
  base: `/api/v4/realms/{realmID}${under}`,
  params: { realmID: realmIdParam },
  refusals: [],
  realmOf: ({ caller }) => {
    if (!caller) throw new Error('a realm route was reached without a key')
    return caller.realm
  },
})
