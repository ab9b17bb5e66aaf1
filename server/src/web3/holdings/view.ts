import type { CollectionRow, HeldRow } from './store.ts'

/** A collection, and how current its data is. */
export type Collection = {
  readonly id: string
  readonly name: string
  readonly chain: string
  readonly standard: string
  readonly address: string | null
  readonly tokenId: string | null
  /** The block at which all of it was read; null before the first reading. */
  readonly block: string | null
  readonly blockHash: string | null
  readonly seenAt: Date | null
  readonly stale: boolean
}

export type Held = { readonly address: string; readonly verified: boolean; readonly amount: string | null }

/** What a member holds of a collection: in all its wallets, in the proved ones, and in each. */
export type Holding = Omit<Collection, 'id' | 'name'> & {
  readonly collection: string
  readonly name: string
  readonly amount: string
  readonly provedAmount: string
  readonly wallets: readonly Held[]
}

/** The times before which a reading, and a block, count as stale. */
export type StaleBefore = { readonly read: Date; readonly block: Date }

export function collectionOf(row: CollectionRow, staleBefore: StaleBefore): Collection {
  const { seen_at: seenAt, block_at: blockAt } = row
  const isOld = seenAt === null || seenAt < staleBefore.read
  const isOldBlock = blockAt !== null && blockAt < staleBefore.block
  return {
    id: row.id,
    name: row.name,
    chain: row.chain,
    standard: row.standard,
    address: row.address,
    tokenId: row.token_id,
    block: seenAt === null ? null : String(row.block),
    blockHash: seenAt === null ? null : row.block_hash,
    seenAt,
    stale: isOld || isOldBlock || row.failed_at !== null,
  }
}

/** The rows of one member. What a wallet linked after the last reading holds is unknown. */
export function holdingsOf(
  collections: readonly CollectionRow[],
  rows: readonly HeldRow[],
  staleBefore: StaleBefore,
): Holding[] {
  const wallets = Map.groupBy(rows, ({ address }) => address)
  return collections.map((row) => {
    const { id, ...collection } = collectionOf(row, staleBefore)
    const { seenAt } = collection
    const held: Held[] = []
    for (const [address, amounts] of wallets) {
      const [wallet] = amounts
      if (!wallet || !['eip155', row.chain].includes(wallet.chain)) continue
      const kept = amounts.find(({ collection: number }) => number === row.number)?.amount
      // Before a collection was read, rows belong to an older one that had its number.
      const known = seenAt !== null && (wallet.linked_at <= seenAt || kept !== undefined)
      const amount = known ? (kept ?? '0') : null
      held.push({ address, verified: wallet.verified_at !== null, amount })
    }
    const sum = (some: readonly Held[]) =>
      String(some.reduce((total, { amount }) => total + BigInt(amount ?? 0), 0n))
    return {
      collection: id,
      ...collection,
      amount: sum(held),
      provedAmount: sum(held.filter(({ verified }) => verified)),
      wallets: held,
      stale: collection.stale || held.some(({ amount }) => amount === null),
    }
  })
}
