import type { KeyData, Realm } from '@exchequer/sdk'

/** A realm has so many that work, at most; of those that do not the newest are shown. */
const max = 1_000

/** All keys that work, and behind them those that were revoked or have expired. */
export async function keysOf({ keys }: Pick<Realm, 'keys'>): Promise<readonly KeyData[]> {
  const live = await keys.list().toArray({ max })
  return [...live, ...(await keys.list({ status: 'revoked' }).toArray({ max }))]
}
