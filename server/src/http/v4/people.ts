import { peopleRoutesAt } from '../peopleRoutes.ts'
import { keyDoor } from '../twoDoors.ts'

/** For a key that may manage the people of its own realm. */
export const realmPeopleRoutes = peopleRoutesAt(keyDoor('', 'realm:admin'))
