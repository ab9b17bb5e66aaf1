import { keyRoutesAt } from '../keyRoutes.ts'
import { operatorRoute } from '../route.ts'
import { realmIdParam } from '../schemas.ts'

export const keyRoutes = keyRoutesAt({
  route: operatorRoute,
  base: '/operator/v1/realms/{realmID}/keys',
  params: { realmID: realmIdParam },
  refusals: ['realm_not_found'],
  realmOf: ({ params: { realmID = '' } }, { realms }) => realms.number(realmID),
})
