import { memberRoutesAt } from './memberRoutes.ts'
import { keyDoor } from '../route/scopedRoutes.ts'

/** For a key that may manage the members of its own realm. */
export const realmMemberRoutes = memberRoutesAt(keyDoor('/members', 'members:write'))
