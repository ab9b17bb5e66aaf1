import { keyRoutesAt } from '../shared/keyRoutes.ts'
import { operatorDoor } from '../route/scopedRoutes.ts'

export const keyRoutes = keyRoutesAt(operatorDoor('/keys'))
