import type { Queryable } from '../db/session.ts'

/** Statements of a purge. They need the role that owns the schema: migration 0029 has the functions. */
export const statements = {
  mayPurge: {
    name: 'purge_may',
    text: `select coalesce(has_function_privilege(
        to_regprocedure('exchequer.purge_piece(integer, text, integer, bigint)'), 'execute'), false) as may`,
  },
  /** Purged ones too. */
  lockRealm: {
    name: 'purge_lock_realm',
    text: `select realm, purged_at, purged_head, purge_began_at is not null as began,
        coalesce(extract(epoch from clock_timestamp() - purge_began_at) * 1000, 0)::float8 as began_ms
      from realms where id = $1 for update`,
  },
  lockHead: {
    name: 'purge_lock_head',
    text: `select seq || ':' || encode(hash, 'hex') as head from heads where realm = $1 for update`,
  },
  begin: {
    name: 'purge_begin',
    text: 'update realms set purge_began_at = clock_timestamp(), purged_head = $2 where realm = $1',
  },
  revokeKeys: {
    name: 'purge_revoke_keys',
    text: `update keys set revoked_at = now(), changed_at = clock_timestamp()
      where realm = $1 and revoked_at is null`,
  },
  endSessionKeys: {
    name: 'purge_end_session_keys',
    text: `update session_keys set ended_at = now(), changed_at = clock_timestamp()
      where realm = $1 and ended_at is null`,
  },
  end: { name: 'purge_end', text: 'update realms set purged_at = now() where realm = $1' },
} as const

/** Functions that only the owner of the schema can call; each names the realm. */
const functions = {
  tables: { name: 'purge_tables', text: 'select t.name from purge_tables() as t (name)' },
  count: { name: 'purge_count', text: 'select purge_count($1, $2, $3) as count' },
  piece: { name: 'purge_piece', text: 'select deleted, last_key from purge_piece($1, $2, $3, $4)' },
} as const

export type PurgeRow = {
  realm: number
  /** The head of the journal when the purge began, as SEQ:HASH. */
  purged_head: string | null
  purged_at: Date | null
  began: boolean
  /** How long ago. */
  began_ms: number
}

export async function mayPurge(db: Queryable): Promise<boolean> {
  return (await db.query<{ may: boolean }>(statements.mayPurge)).rows[0]?.may ?? false
}

export async function lockRealm(tx: Queryable, id: string): Promise<PurgeRow | undefined> {
  return (await tx.query<PurgeRow>(statements.lockRealm, [id])).rows[0]
}

/** Waits for writes that hold the head. */
export async function lockHead(tx: Queryable, realm: number): Promise<string | undefined> {
  return (await tx.query<{ head: string }>(statements.lockHead, [realm])).rows[0]?.head
}

/** From here on the realm does not exist for operators, and its keys are revoked. */
export async function beginPurge(tx: Queryable, realm: number, head: string): Promise<void> {
  await tx.query(statements.begin, [realm, head])
  await tx.query(statements.revokeKeys, [realm])
  await tx.query(statements.endSessionKeys, [realm])
}

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

export async function endPurge(tx: Queryable, realm: number): Promise<void> {
  await tx.query(statements.end, [realm])
}
