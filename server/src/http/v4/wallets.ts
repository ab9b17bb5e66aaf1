import { asRealmKey } from '../route/scopedRoutes.ts'
import { walletRoutesAt } from './walletRoutes.ts'

/** For a key that may link wallets in its own realm. */
export const realmWalletRoutes = walletRoutesAt(asRealmKey('/members', 'wallets:write'), {
  listing: asRealmKey('/members', ['wallets:write', 'wallets:read']),
  reading: asRealmKey('/members', 'wallets:read'),
})
