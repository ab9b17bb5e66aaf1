import { asRealmKey } from '../route/scopedRoutes.ts'
import { peopleRoutesAt } from '../shared/peopleRoutes.ts'

/** For keys that can manage the people of their realm. */
export const realmPeopleRoutes = peopleRoutesAt(asRealmKey('', 'realm:admin'))
