import type { Queryable } from '../../db/session.ts'

export const statements = {
  /** The last entry that is at least this old, in microseconds; no row if there is none. */
  readEntry: {
    name: 'checkpoint_entry',
    text: `select seq, encode(hash, 'hex') as hash from bound_journal
      where realm = $1 and seq = (select seq_at($1,
        (extract(epoch from clock_timestamp()) * 1000000)::bigint - $2::bigint)) limit 1`,
  },
  /**
   * Writes a few bytes of WAL and no row, so that the COMMIT waits for the synchronous standby. WAL is
   * replicated in order: a standby that has these bytes has every entry that was read before them.
   */
  writeMark: {
    name: 'checkpoint_mark',
    text: `select pg_logical_emit_message(true, 'exchequer', '')::text`,
  },
} as const

export type EntryAt = { readonly seq: bigint; readonly hash: string }

export async function readEntry(tx: Queryable, realm: number, ageUs: bigint): Promise<EntryAt | undefined> {
  return (await tx.query<EntryAt>(statements.readEntry, [realm, ageUs])).rows[0]
}

export async function writeMark(tx: Queryable): Promise<void> {
  await tx.query(statements.writeMark)
}
