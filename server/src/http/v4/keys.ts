import { keyRoutesAt } from '../keyRoutes.ts'
import { keyDoor } from '../twoDoors.ts'

/** For a key that may manage the keys of its own realm. */
export const realmKeyRoutes = keyRoutesAt(keyDoor('/keys', 'realm:admin'))
