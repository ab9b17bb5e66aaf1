import { asRealmKey } from '../route/scopedRoutes.ts'
import { memberRoutesAt } from './memberRoutes.ts'

/** For keys that can manage the members of their realm. */
export const realmMemberRoutes = memberRoutesAt(asRealmKey('/members', 'members:write'))
