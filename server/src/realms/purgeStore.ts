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
    text: `select realm, cell, (select cell from this_cell limit 1) as own, purged_at, purged_head,
        purge_began_at is not null as began,
        coalesce(extract(epoch from clock_timestamp() - purge_began_at) * 1000, 0)::float8 as began_ms
      from realms where id = $1 for update`,
  },
  /** Where a realm has moved that was here. */
  findDeparted: {
    name: 'purge_find_departed',
    text: `select d.to_cell from departed d where d.realm = $1
      and not exists (select from heads h where h.realm = $1)`,
  },
  /** In the directory: a move that has not ended. */
  findMove: {
    name: 'purge_find_move',
    text: 'select to_cell from moves where realm = $1 and ended_at is null',
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

export type PurgeRow = {
  realm: number
  /** Where the realm is, according to this database, and the database's own cell. */
  cell: number
  own: number
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

/** The cell that a realm has moved to, undefined for one that has not left. */
export async function findDeparted(tx: Queryable, realm: number): Promise<number | undefined> {
  return (await tx.query<{ to_cell: number }>(statements.findDeparted, [realm])).rows[0]?.to_cell
}

/** The cell that a realm is moving to, undefined for one that is not. */
export async function findMove(tx: Queryable, realm: number): Promise<number | undefined> {
  return (await tx.query<{ to_cell: number }>(statements.findMove, [realm])).rows[0]?.to_cell
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

export async function endPurge(tx: Queryable, realm: number): Promise<void> {
  await tx.query(statements.end, [realm])
}
