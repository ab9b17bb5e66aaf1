import type { Queryable, Writable } from '../../db/session.ts'
import type { CheckpointRealm } from '../checkpoints/index.ts'

export const statements = {
  listUnsigned: { name: 'deliveries_list_unsigned', text: 'select number, id from unsigned_realms($1, $2)' },
  /** No row if the same entry, or a later one, was sent before. */
  markSigned: {
    name: 'deliveries_mark_signed',
    writes: true,
    text: `insert into notice_heads (realm, n, signed_seq) select $1::integer, 0, $2::bigint where $2 > 0
      on conflict (realm) do update set signed_seq = excluded.signed_seq
        where notice_heads.signed_seq < excluded.signed_seq`,
  },
} as const

export async function listUnsigned(db: Queryable, after: number, most: number): Promise<CheckpointRealm[]> {
  return (await db.query<CheckpointRealm>(statements.listUnsigned, [after, most])).rows
}

export async function markSigned(tx: Writable, realm: number, seq: bigint): Promise<boolean> {
  return (await tx.query(statements.markSigned, [realm, seq])).count === 1
}
