import type { Queryable } from '../../db/session.ts'

/** Only the owner of the schema can run these; each names the realm. */
const functions = {
  tables: { name: 'purge_tables', text: 'select t.name from purge_tables() as t (name)' },
  count: { name: 'purge_count', text: 'select purge_count($1, $2, $3) as count' },
  piece: { name: 'purge_piece', text: 'select deleted, last_key from purge_piece($1, $2, $3, $4)' },
  listActs: {
    name: 'purge_list_acts',
    text: 'select id from audit where realm = $1 and id > $2::uuid order by id limit $3',
  },
  /** As purge_piece does it: the table's trigger lets only a purge delete. */
  deleteActs: {
    name: 'purge_delete_acts',
    text: `delete from audit where realm = $1 and id = any ($2::uuid[])
      and (select set_config('exchequer.purges', $1::integer::text, true)) is not null`,
  },
} as const

export async function listTables(db: Queryable): Promise<string[]> {
  return (await db.query<{ name: string }>(functions.tables)).rows.map(({ name }) => name)
}

export type Rows = { readonly realm: number; readonly table: string; readonly most: number }

/** How many rows of the realm a table has, counted up to `most`. */
export async function countRows(db: Queryable, { realm, table, most }: Rows): Promise<number> {
  const { rows } = await db.query<{ count: number }>(functions.count, [realm, table, most])
  return rows[0]?.count ?? 0
}

/** How many rows were deleted, and the key of the last one, where the table's key has an order. */
export type Deleted = { readonly deleted: number; readonly last_key: bigint | null }

/** Deletes up to `most` rows of the realm, from this key on. */
export async function deletePiece(
  db: Queryable,
  { realm, table, most, from }: Rows & { readonly from: bigint | null },
): Promise<Deleted> {
  const { rows } = await db.query<Deleted>(functions.piece, [realm, table, most, from])
  return rows[0] ?? { deleted: 0, last_key: null }
}

/** A page of the realm's acts in the audit log, by id. */
export async function listActs(
  db: Queryable,
  realm: number,
  { after, most }: { readonly after: string; readonly most: number },
): Promise<string[]> {
  return (await db.query<{ id: string }>(functions.listActs, [realm, after, most])).rows.map(({ id }) => id)
}

export async function deleteActs(db: Queryable, realm: number, ids: readonly string[]): Promise<number> {
  return (await db.query(functions.deleteActs, [realm, ids])).count
}
