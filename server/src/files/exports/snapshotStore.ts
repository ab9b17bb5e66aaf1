import type { Queryable } from '../../db/session.ts'

/** Snapshots up to an entry, and the members in them. An import builds their trees again. */
export const statements = {
  readSnapshots: {
    name: 'exports_read_snapshots',
    text: `select id, point, chain, seq, encode(hash, 'hex') as hash, first_seq,
        to_char(taken_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as taken_at, members,
        tokens::text, unproved, unproved_tokens::text, frozen, frozen_tokens::text
      from snapshots where realm = $1 and seq <= $2 order by id`,
  },
  readClaimants: {
    name: 'exports_read_claimants',
    text: `select snapshot, account, amount, frozen, address, encode(leaf, 'hex') as leaf
      from snapshot_members where realm = $1 and snapshot = $2 and account > $3 order by account limit $4`,
  },
} as const

export type SnapshotRow = {
  id: string
  point: number
  chain: string
  seq: bigint
  hash: string
  first_seq: bigint | null
  taken_at: string
  members: number
  tokens: string
  unproved: number
  unproved_tokens: string
  frozen: number
  frozen_tokens: string
}
export type ClaimantRow = {
  snapshot: string
  account: number
  amount: bigint
  frozen: boolean
  address: string | null
  leaf: string | null
}

const pageSize = 1_000

export async function readSnapshots(db: Queryable, realm: number, upTo: bigint): Promise<SnapshotRow[]> {
  return (await db.query<SnapshotRow>(statements.readSnapshots, [realm, upTo])).rows
}

export async function* readClaimants(
  db: Queryable,
  realm: number,
  snapshot: string,
): AsyncGenerator<ClaimantRow[]> {
  for (let after = 0; ; ) {
    const values = [realm, snapshot, after, pageSize]
    const { rows } = await db.query<ClaimantRow>(statements.readClaimants, values)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.account
  }
}
