import { asRealmKey } from '../route/scopedRoutes.ts'
import { peopleRoutesAt } from '../shared/peopleRoutes.ts'

/** For a key that may manage the people of its own realm. */
export const realmPeopleRoutes = peopleRoutesAt(asRealmKey('', 'realm:admin'))
