import type { KeyData, Realm } from '@exchequer/sdk'

/** The most active keys a realm can have; of the others only the newest are shown. */
const max = 1_000

/** All active keys, then the revoked and expired ones. */
export async function keysOf({ keys }: Pick<Realm, 'keys'>): Promise<readonly KeyData[]> {
  const live = await keys.list().toArray({ max })
  return [...live, ...(await keys.list({ status: 'revoked' }).toArray({ max }))]
}
