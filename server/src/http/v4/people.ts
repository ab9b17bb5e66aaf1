import { peopleRoutesAt } from '../shared/peopleRoutes.ts'
import { keyDoor } from '../route/scopedRoutes.ts'

/** For a key that may manage the people of its own realm. */
export const realmPeopleRoutes = peopleRoutesAt(keyDoor('', 'realm:admin'))
