import { bytesArray as bytes, plainArray as plain, textArray as texts } from '../../db/arrays.ts'
import type { Queryable, Writable } from '../../db/session.ts'

/** How far each realm was verified. Not the signed checkpoints, of which none is stored. */
export const statements = {
  /**
   * A page of realms at once, as most have no new entry. `is_same`: the journal still ends with the entry
   * that was verified last, and the head says so.
   */
  readVerified: {
    name: 'verified_read',
    text: `select v.realm, v.seq, encode(v.hash, 'hex') as hash, v.verified_at, v.slice, v.entry, v.account,
        v.wrong_at is not null as is_wrong, h.seq as head_seq, h.next_account,
        h.seq = v.seq and h.hash = v.hash and s.realm_id = asked.id and l.seq is null
          and (v.seq = 0 or coalesce(j.hash = v.hash, false)) as is_same
      from unnest($1::integer[], $2::text[]) as asked (realm, id)
      cross join lateral (select * from verified where realm = asked.realm limit 1) v
      cross join lateral (select seq, hash, next_account from heads where realm = asked.realm limit 1) h
      cross join lateral (select realm_id from settings where realm = asked.realm limit 1) s
      left join lateral (select hash from bound_journal
        where realm = asked.realm and seq = v.seq limit 1) j on true
      left join lateral (select seq from bound_journal
        where realm = asked.realm and seq > h.seq limit 1) l on true`,
  },
  /** A run that did not replay everything leaves a realm that is wrong as it is. */
  saveVerified: {
    name: 'verified_save',
    writes: true,
    text: `insert into verified (realm, seq, hash, slice, entry, account)
      select * from unnest(
        $1::integer[], $2::bigint[], $3::bytea[], $4::smallint[], $5::bigint[], $6::integer[])
      on conflict (realm) do update set seq = excluded.seq, hash = excluded.hash,
        verified_at = clock_timestamp(), slice = excluded.slice, entry = excluded.entry,
        account = excluded.account, wrong_at = null
      where $7 or verified.wrong_at is null`,
  },
  markWrong: {
    name: 'verified_mark_wrong',
    writes: true,
    text: 'update verified set wrong_at = clock_timestamp() where realm = $1',
  },
  saveShard: {
    name: 'verified_save_shard',
    writes: true,
    text: `insert into verified_shards (realm, shards, shard, verified_at)
      values ($1, $2, $3, clock_timestamp())
      on conflict (realm, shards, shard) do update set verified_at = excluded.verified_at`,
  },
  countShards: {
    name: 'verified_count_shards',
    text: `select count(*)::integer as count from verified_shards
      where realm = $1 and shards = $2 and verified_at > coalesce($3::timestamptz, '-infinity')`,
  },
} as const

/** Where a realm's next run starts, and which slice of its older entries is next. */
export type VerifiedState = {
  readonly seq: bigint
  readonly hash: string
  /** Slices of this round that are done. */
  readonly slice: number
  /** They replayed the entries up to this one. */
  readonly entry: bigint
  /** They compared the stored balances of the accounts up to this one. */
  readonly account: number
}

export type Verified = VerifiedState & {
  readonly realm: number
  readonly verifiedAt: Date
  readonly isWrong: boolean
  readonly isSame: boolean
  readonly headSeq: bigint
  readonly nextAccount: number
}

type VerifiedRow = VerifiedState & {
  readonly realm: number
  readonly verified_at: Date
  readonly is_wrong: boolean
  readonly is_same: boolean
  readonly head_seq: bigint
  readonly next_account: number
}

/** By realm number; those that were verified before. */
export async function readVerified(
  db: Queryable,
  realms: readonly { readonly number: number; readonly id: string }[],
): Promise<ReadonlyMap<number, Verified>> {
  const { rows } = await db.query<VerifiedRow>(statements.readVerified, [
    plain(realms, ({ number }) => number),
    texts(realms, ({ id }) => id),
  ])
  return new Map(rows.map((row) => [row.realm, verifiedOf(row)]))
}

function verifiedOf(row: VerifiedRow): Verified {
  const { realm, seq, hash, slice, entry, account } = row
  const state = { seq, hash, slice, entry, account }
  const { verified_at: verifiedAt, is_wrong: isWrong, is_same: isSame } = row
  return {
    realm,
    ...state,
    verifiedAt,
    isWrong,
    isSame,
    headSeq: row.head_seq,
    nextAccount: row.next_account,
  }
}

export async function saveVerified(
  db: Writable,
  rows: readonly (VerifiedState & { readonly realm: number })[],
  isWhole: boolean,
): Promise<void> {
  await db.query(statements.saveVerified, [
    plain(rows, ({ realm }) => realm),
    plain(rows, ({ seq }) => seq),
    bytes(rows, ({ hash }) => hash),
    plain(rows, ({ slice }) => slice),
    plain(rows, ({ entry }) => entry),
    plain(rows, ({ account }) => account),
    isWhole,
  ])
}

export async function markWrong(db: Writable, realm: number): Promise<void> {
  await db.query(statements.markWrong, [realm])
}

export type Shard = { readonly shard: number; readonly of: number }

export async function saveShard(db: Writable, realm: number, { shard, of }: Shard): Promise<void> {
  await db.query(statements.saveShard, [realm, of, shard])
}

/** How many of so many shards were verified since then. */
export async function countShards(
  db: Queryable,
  realm: number,
  { of, since }: { readonly of: number; readonly since: Date | undefined },
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(statements.countShards, [realm, of, since ?? null])
  return rows[0]?.count ?? 0
}
