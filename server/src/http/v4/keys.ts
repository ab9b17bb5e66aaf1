import { asRealmKey } from '../route/scopedRoutes.ts'
import { keyRoutesAt } from '../shared/keyRoutes.ts'

/** For keys that can manage the keys of their realm. */
export const realmKeyRoutes = keyRoutesAt(asRealmKey('/keys', 'realm:admin'))
