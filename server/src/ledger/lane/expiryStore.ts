import type { Queryable } from '../../db/session.ts'

/** Which holds are due. */
export const statements = {
  /** Of all realms, in turn; each is then released through its own realm's journal. */
  dueHolds: { name: 'ledger_due_holds', text: 'select realm, seq from due_holds($1)' },
} as const

export type DueHold = { readonly realm: number; readonly seq: bigint }

/** Expired holds, of any realm. */
export async function dueHolds(db: Queryable, most: number): Promise<DueHold[]> {
  return (await db.query<DueHold>(statements.dueHolds, [most])).rows
}
