import { asOperator } from '../route/scopedRoutes.ts'
import { keyRoutesAt } from '../shared/keyRoutes.ts'

export const keyRoutes = keyRoutesAt(asOperator('/keys'))
