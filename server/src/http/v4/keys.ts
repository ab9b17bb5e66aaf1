import { keyRoutesAt } from '../keyRoutes.ts'
import { realmRoute } from '../route.ts'
import { realmIdParam } from '../schemas.ts'

/** For a key that may manage the keys of its own realm. */
export const realmKeyRoutes = keyRoutesAt({
  route: (documented, handle) => realmRoute({ ...documented, scope: 'realm:admin' }, handle),
  base: '/api/v4/realms/{realmID}/keys',
  params: { realmID: realmIdParam },
  refusals: [],
  realmOf: ({ caller }) => {
    if (!caller) throw new Error('a realm route was reached without a key')
    return caller.realm
  },
})
