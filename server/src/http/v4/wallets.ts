import { keyDoor } from '../route/scopedRoutes.ts'
import { walletRoutesAt } from './walletRoutes.ts'

/** For a key that may link wallets in its own realm. */
export const realmWalletRoutes = walletRoutesAt(keyDoor('/members', 'wallets:write'), {
  listing: keyDoor('/members', ['wallets:write', 'wallets:read']),
  reading: keyDoor('/members', 'wallets:read'),
})
