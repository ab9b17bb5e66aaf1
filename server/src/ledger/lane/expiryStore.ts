import type { Queryable } from '../../db/session.ts'

/** Which holds and awards are due. */
export const statements = {
  /** Of all realms, in turn; each is then ended through its own realm's journal. */
  readDue: {
    name: 'ledger_read_due',
    text: `select realm, seq, 'hold' as what from due_holds($1)
      union all select realm, seq, 'award' from due_awards($1)`,
  },
} as const

export type Due = { readonly realm: number; readonly seq: bigint; readonly what: 'hold' | 'award' }

/** Expired holds and awards that are due, of any realm: up to `most` of each. */
export async function readDue(db: Queryable, most: number): Promise<Due[]> {
  return (await db.query<Due>(statements.readDue, [most])).rows
}
