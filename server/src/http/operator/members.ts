import { memberRoutesAt } from '../memberRoutes.ts'
import { operatorDoor } from '../twoDoors.ts'
import { walletRoutesAt } from '../walletRoutes.ts'

const door = operatorDoor('/members')

export const memberRoutes = [...memberRoutesAt(door), ...walletRoutesAt(door)]
