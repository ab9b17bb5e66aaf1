import { asRealmKey } from '../route/scopedRoutes.ts'
import { keyRoutesAt } from '../shared/keyRoutes.ts'

/** For a key that may manage the keys of its own realm. */
export const realmKeyRoutes = keyRoutesAt(asRealmKey('/keys', 'realm:admin'))
