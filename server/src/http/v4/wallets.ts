import { asRealmKey } from '../route/scopedRoutes.ts'
import { walletRoutesAt } from './walletRoutes.ts'

/** For keys that can link wallets in their realm. */
export const realmWalletRoutes = walletRoutesAt(asRealmKey('/members', 'wallets:write'), {
  listing: asRealmKey('/members', ['wallets:write', 'wallets:read']),
  reading: asRealmKey('/members', 'wallets:read'),
})
