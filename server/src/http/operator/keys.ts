import { keyRoutesAt } from '../keyRoutes.ts'
import { operatorDoor } from '../twoDoors.ts'

export const keyRoutes = keyRoutesAt(operatorDoor('/keys'))
