import { asRealmKey } from '../route/scopedRoutes.ts'
import { memberRoutesAt } from './memberRoutes.ts'

/** For a key that may manage the members of its own realm. */
export const realmMemberRoutes = memberRoutesAt(asRealmKey('/members', 'members:write'))
