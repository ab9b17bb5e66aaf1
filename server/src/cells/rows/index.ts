import type { Queryable } from '../../db/session.ts'
import { type Deleted, deleteActs, deletePiece, listActs } from './store.ts'

export { countRows as countRealmRows, listTables as listRealmTables } from './store.ts'

/** Rows deleted in one transaction. */
const pieceSize = 5_000

export type Deletion = {
  readonly realm: number
  readonly tables: readonly string[]
  readonly watch: {
    /** Called after each transaction. */
    readonly onPiece: (table: string, deleted: number) => void
  }
}

async function emptyTable(
  session: Queryable,
  table: string,
  { realm, watch }: Omit<Deletion, 'tables'>,
): Promise<number> {
  let count = 0
  for (let from: bigint | null = null; ; ) {
    const piece: Deleted = await deletePiece(session, { realm, table, most: pieceSize, from })
    if (piece.deleted === 0) return count
    count += piece.deleted
    from = piece.last_key
    watch.onPiece(table, piece.deleted)
  }
}

/** Until all tables are found empty one after the other: a deleted row may add one to another table. */
export async function deleteRealmRows(
  session: Queryable,
  { realm, tables, watch }: Deletion,
): Promise<number> {
  let deleted = 0
  for (let before = -1; before !== deleted; ) {
    before = deleted
    for (const table of tables) deleted += await emptyTable(session, table, { realm, watch })
  }
  return deleted
}

const firstId = '00000000-0000-0000-0000-000000000000'

/** Deletes the acts that the realm's cell has too; how many. Those on people are in the directory alone. */
export async function deleteCarriedActs(session: Queryable, home: Queryable, realm: number): Promise<number> {
  let deleted = 0
  for (let after: string | undefined = firstId; after !== undefined; ) {
    const ids: string[] = await listActs(home, realm, { after, most: pieceSize })
    after = ids.at(-1)
    if (ids.length > 0) deleted += await deleteActs(session, realm, ids)
  }
  return deleted
}
