import type { Queryable } from '../../db/session.ts'
import type { Step, StoredStep } from './steps.ts'

/** Statements of a move on the directory. They need a role that may write `moves`. */
export const ownerStatements = {
  tryLock: {
    name: 'move_try_lock',
    text: 'select pg_try_advisory_lock($1::integer, $2::integer) as locked',
  },
  ping: { name: 'move_ping', text: 'select 1 as answer' },
  findRealm: {
    name: 'move_find_realm',
    text: `select realm, id, cell, place, purge_began_at is not null as purged from realms where id = $1`,
  },
  findCell: { name: 'move_find_cell', text: 'select state from cells where cell = $1' },
  findOpen: {
    name: 'move_find_open',
    text: `select realm, place, from_cell, to_cell, step, copied_to from moves
      where realm = $1 and ended_at is null`,
  },
  listOpen: {
    name: 'move_list_open',
    text: `select realm, place from moves where realm = any ($1::integer[]) and ended_at is null`,
  },
  /** Each attempt has a place of its own, higher than all before it. */
  begin: {
    name: 'move_begin',
    text: `with moved as (update realms set to_cell = $3 where realm = $1 returning place)
      insert into moves (realm, place, from_cell, to_cell)
        select $1, 1 + greatest((select place from moved),
          (select max(m.place) from moves m where m.realm = $1)), $2, $3
      returning place`,
  },
  setCopied: {
    name: 'move_set_copied',
    text: 'update moves set copied_to = $3 where realm = $1 and place = $2 and ended_at is null',
  },
  setHead: {
    name: 'move_set_head',
    text: `update moves set seq = $3, hash = decode($4, 'hex')
      where realm = $1 and place = $2 and ended_at is null`,
  },
  readHead: {
    name: 'move_read_handed',
    text: `select seq, encode(hash, 'hex') as hash from moves
      where realm = $1 and place = $2 and hash is not null order by began_at desc limit 1`,
  },
  /** Only from the step that this mover has seen: another one may have gone on. */
  record: {
    name: 'move_record',
    text: `update moves set step = $4, stepped_at = clock_timestamp(),
        ended_at = case when $4 = 'done' then clock_timestamp() end
      where realm = $1 and place = $2 and step = $3 and ended_at is null`,
  },
  flip: {
    name: 'move_flip',
    text: `update realms set cell = $3, to_cell = null, place = $2, placed_at = clock_timestamp()
      where realm = $1 and place < $2`,
  },
  /**
   * The realm stays where it was, also when the target has lost it since the directory named it. The place is
   * used up, so that no mover can go on with it.
   */
  stay: {
    name: 'move_stay',
    text: `update realms set to_cell = null, place = $2, cell = $3,
        placed_at = case cell when $3 then placed_at else clock_timestamp() end
      where realm = $1 and (place < $2 or place = $2 and cell <> $3)`,
  },
  /** Moves that began in this range of places and were not given up, but the one that came to this cell. */
  findLater: {
    name: 'move_find_later',
    text: `select place from moves where realm = $1 and place >= $2 and place < $3 and step <> 'cancelled'
        and not (place = $2 and to_cell = $4) limit 1`,
  },
  cancel: {
    name: 'move_cancel',
    text: `update moves set step = 'cancelled', why = $3, ended_at = clock_timestamp()
      where realm = $1 and place = $2 and ended_at is null`,
  },
} as const

export type RealmPlace = {
  readonly realm: number
  readonly id: string
  readonly cell: number
  readonly place: number
  readonly purged: boolean
}

export type MoveRow = {
  readonly realm: number
  readonly place: number
  readonly from_cell: number
  readonly to_cell: number
  readonly step: Step
  readonly copied_to: bigint
}

/** One move of one realm. */
export type MoveId = { readonly realm: number; readonly place: number }

export async function tryLock(db: Queryable, kind: number, number: number): Promise<boolean> {
  const { rows } = await db.query<{ locked: boolean }>(ownerStatements.tryLock, [kind, number])
  return rows[0]?.locked ?? false
}

export async function ping(db: Queryable): Promise<void> {
  await db.query(ownerStatements.ping)
}

export async function findRealm(db: Queryable, id: string): Promise<RealmPlace | undefined> {
  return (await db.query<RealmPlace>(ownerStatements.findRealm, [id])).rows[0]
}

/** Undefined for a cell that does not exist. */
export async function findCell(db: Queryable, cell: number): Promise<string | undefined> {
  return (await db.query<{ state: string }>(ownerStatements.findCell, [cell])).rows[0]?.state
}

export async function findOpen(db: Queryable, realm: number): Promise<MoveRow | undefined> {
  return (await db.query<MoveRow>(ownerStatements.findOpen, [realm])).rows[0]
}

export async function listOpen(db: Queryable, realms: readonly number[]): Promise<MoveId[]> {
  return (await db.query<MoveId>(ownerStatements.listOpen, [realms])).rows
}

export async function beginMove(
  db: Queryable,
  realm: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  await db.query(ownerStatements.begin, [realm, from, to])
}

export async function setCopied(db: Queryable, { realm, place }: MoveId, copiedTo: bigint): Promise<void> {
  await db.query(ownerStatements.setCopied, [realm, place, copiedTo])
}

export async function setHead(
  db: Queryable,
  { realm, place }: MoveId,
  head: { readonly seq: bigint; readonly hash: string },
): Promise<void> {
  await db.query(ownerStatements.setHead, [realm, place, head.seq, head.hash])
}

/** The head that the realm was paused with, undefined before that. */
export async function readHanded(
  db: Queryable,
  { realm, place }: MoveId,
): Promise<{ readonly seq: bigint; readonly hash: string } | undefined> {
  return (await db.query<{ seq: bigint; hash: string }>(ownerStatements.readHead, [realm, place])).rows[0]
}

/** Whether the move was still at the step before. */
export async function recordStep(
  db: Queryable,
  { realm, place }: MoveId,
  { from, to }: { readonly from: Step; readonly to: StoredStep },
): Promise<boolean> {
  return (await db.query(ownerStatements.record, [realm, place, from, to])).count === 1
}

/** The directory names the new cell, unless a later move has placed the realm since. */
export async function flip(db: Queryable, { realm, place }: MoveId, cell: number): Promise<void> {
  await db.query(ownerStatements.flip, [realm, place, cell])
}

export async function stay(db: Queryable, { realm, place }: MoveId, cell: number): Promise<void> {
  await db.query(ownerStatements.stay, [realm, place, cell])
}

/** Whether the realm may have been elsewhere since it had this place in this cell, before another place. */
export async function hasMovedSince(
  db: Queryable,
  { realm, place }: MoveId,
  { cell, before }: { readonly cell: number; readonly before: number },
): Promise<boolean> {
  return (await db.query(ownerStatements.findLater, [realm, place, before, cell])).rows.length > 0
}

export async function cancelMove(db: Queryable, { realm, place }: MoveId, why: string): Promise<void> {
  await db.query(ownerStatements.cancel, [realm, place, why])
}
