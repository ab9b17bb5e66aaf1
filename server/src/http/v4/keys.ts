import { keyRoutesAt } from '../shared/keyRoutes.ts'
import { keyDoor } from '../route/scopedRoutes.ts'

/** For a key that may manage the keys of its own realm. */
export const realmKeyRoutes = keyRoutesAt(keyDoor('/keys', 'realm:admin'))
