import type { Answer, Queryable, Writable } from '../../db/session.ts'

const shown = `s.id, p.id as point, s.chain, s.seq, encode(s.hash, 'hex') as hash, s.first_seq, s.taken_at,
        s.members, s.tokens::text, s.unproved, s.unproved_tokens::text, s.frozen, s.frozen_tokens::text,
        encode(substring(s.tree from 1 for 32), 'hex') as root`
const itsPoint = 'cross join lateral (select id from points where realm = $1 and number = s.point limit 1) p'

/** Rows read or written at once. */
export const pageSize = 2_000

export const statements = {
  /** Members are removed under this lock. */
  lockHead: { name: 'snapshots_lock_head', text: 'select seq from heads where realm = $1 for update' },
  count: { name: 'snapshots_count', text: 'select count(*)::integer from snapshots where realm = $1' },
  insert: {
    name: 'snapshots_insert',
    writes: true,
    text: `insert into snapshots (realm, id, point, chain, seq, hash, first_seq, members, tokens, unproved,
        unproved_tokens, frozen, frozen_tokens)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
  },
  list: {
    name: 'snapshots_list',
    text: `select ${shown}, (extract(epoch from s.taken_at) * 1000000)::bigint as taken_us
      from snapshots s ${itsPoint}
      where s.realm = $1 and ($2::float8 is null or (s.taken_at, s.id)
        < ('epoch'::timestamptz + $2 * interval '1 microsecond', $3::text collate "C"))
      order by s.taken_at desc, s.id collate "C" desc limit $4`,
  },
  find: {
    name: 'snapshots_find',
    text: `select ${shown} from snapshots s ${itsPoint} where s.realm = $1 and s.id = $2`,
  },
  deleteMembers: {
    name: 'snapshots_delete_members',
    writes: true,
    text: 'delete from snapshot_members where realm = $1 and snapshot = $2',
  },
  delete: {
    name: 'snapshots_delete',
    writes: true,
    text: 'delete from snapshots where realm = $1 and id = $2 and first_seq is null',
  },
} as const

export type SnapshotRow = {
  id: string
  point: string
  chain: string
  seq: bigint
  hash: string
  first_seq: bigint | null
  taken_at: Date
  members: number
  tokens: string
  unproved: number
  unproved_tokens: string
  frozen: number
  frozen_tokens: string
  /** Null until its tree is built. */
  root: string | null
}

export async function lockHead(tx: Queryable, realm: number): Promise<void> {
  await tx.query(statements.lockHead, [realm])
}

export async function countSnapshots(db: Queryable, realm: number): Promise<number> {
  return (await db.query<{ count: number }>(statements.count, [realm])).rows[0]?.count ?? 0
}

export type NewSnapshot = Omit<SnapshotRow, 'point' | 'taken_at' | 'root'> & {
  readonly realm: number
  readonly point: number
}

export function insertSnapshot(db: Writable, made: NewSnapshot): Promise<Answer<never>> {
  const { realm, id, point, chain, seq, hash, first_seq: first, members, tokens } = made
  const apart = [made.unproved, made.unproved_tokens, made.frozen, made.frozen_tokens]
  const values = [realm, id, point, chain, seq, Buffer.from(hash, 'hex'), first, members, tokens, ...apart]
  return db.query(statements.insert, values)
}

/** A page of snapshots, newest first: those taken before this one. */
export type SnapshotPage = {
  readonly before: { readonly takenUs: number; readonly id: string } | undefined
  readonly limit: number
}

export type ListedSnapshot = SnapshotRow & { readonly taken_us: bigint }

export async function listSnapshots(
  db: Queryable,
  realm: number,
  { before, limit }: SnapshotPage,
): Promise<ListedSnapshot[]> {
  const values = [realm, before?.takenUs ?? null, before?.id ?? null, limit]
  return (await db.query<ListedSnapshot>(statements.list, values)).rows
}

export async function findSnapshot(
  db: Queryable,
  realm: number,
  id: string,
): Promise<SnapshotRow | undefined> {
  return (await db.query<SnapshotRow>(statements.find, [realm, id])).rows[0]
}

export type Which = { readonly realm: number; readonly id: string }

/** Returns whether it could be deleted. */
export async function deleteSnapshot(tx: Writable, { realm, id }: Which): Promise<boolean> {
  const { count } = await tx.query(statements.delete, [realm, id])
  if (count === 1) await tx.query(statements.deleteMembers, [realm, id])
  return count === 1
}
