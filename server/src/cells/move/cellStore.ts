import type { Queryable } from '../../db/session.ts'
import type { MoveId } from './directoryStore.ts'

/** Statements of a move on the two cells, with the roles that own their schemas. */
export const ownerStatements = {
  begin: { name: 'move_begin_write', text: 'begin isolation level read committed, read write' },
  rollback: { name: 'move_rollback', text: 'rollback' },
  /** Alone against all writes of the realm that take it shared: bind_for_write. */
  lockRealm: { name: 'move_lock_realm', text: 'select pg_advisory_xact_lock(1163415379, $1::integer)' },
  holdRealm: { name: 'move_hold_realm', text: 'select pg_advisory_lock_shared(1163415379, $1::integer)' },

  putRealm: {
    name: 'move_put_realm',
    text: `insert into realms (realm, id, created_at) overriding system value values ($1, $2, $3)
      on conflict (realm) do nothing`,
  },
  readRealm: {
    name: 'move_read_realm',
    text: 'select id, created_at, purge_began_at is not null as purged from realms where realm = $1',
  },

  putArrival: {
    name: 'move_put_arrival',
    text: `insert into arrivals (realm, place, from_cell, state) values ($1, $2, $3, $4)
      on conflict (realm, place) do nothing`,
  },
  lockArrival: {
    name: 'move_lock_arrival',
    text: 'select state from arrivals where realm = $1 and place = $2 for update',
  },
  /** This one row decides whether a move has landed or was given up. */
  turnArrival: {
    name: 'move_turn_arrival',
    text: `update arrivals set state = $4, changed_at = clock_timestamp()
      where realm = $1 and place = $2 and state = any ($3::text[])`,
  },

  lockHead: {
    name: 'move_lock_head',
    text: `select seq, encode(hash, 'hex') as hash, place from heads where realm = $1 for update`,
  },
  readHead: {
    name: 'move_read_head',
    text: `select seq, encode(hash, 'hex') as hash, place from heads where realm = $1`,
  },
  /** The head and all that landing needs besides the rows. */
  depart: {
    name: 'move_depart',
    text: `insert into departed (realm, place, to_cell, seq, hash, head)
      select h.realm, $2, $3, h.seq, h.hash, to_jsonb(h) || jsonb_build_object(
        'next_key', r.next_key, 'rate', r.rate, 'burst', r.burst, 'counts', $4::jsonb)
      from heads h cross join realms r where h.realm = $1 and r.realm = $1
      on conflict (realm) do update set place = excluded.place, to_cell = excluded.to_cell,
        seq = excluded.seq, hash = excluded.hash, head = excluded.head, departed_at = clock_timestamp(),
        purge_began_at = null, purged_at = null
      where departed.purged_at is not null`,
  },
  removeHead: { name: 'move_remove_head', text: 'delete from heads where realm = $1' },
  takeLeases: {
    name: 'move_take_leases',
    text: `update endpoints set lease = null, leased_until = '-infinity' where realm = $1`,
  },
  takeReadings: {
    name: 'move_take_readings',
    text: 'update readings set lease = lease + 1 where realm = $1',
  },
  count: {
    name: 'move_count',
    text: `select jsonb_build_object(
        'keys', (select count(*) from keys where realm = $1),
        'openHolds', (select count(*) from (select from holds
          where realm = $1 and ended_seq is null order by realm, seq) h),
        'pendingAwards', (select count(*) from (select from awards
          where realm = $1 and ended_seq is null order by realm, seq) a),
        'points', (select count(*) from points where realm = $1),
        'endpoints', (select count(*) from endpoints where realm = $1)) as counts`,
  },
  readDeparted: {
    name: 'move_read_departed',
    text: `select place, to_cell, seq, encode(hash, 'hex') as hash, head, departed_at, purge_began_at,
        purged_at, departed_at < clock_timestamp() - interval '1 day' as kept
      from departed where realm = $1`,
  },
  /** With the place of the move that was given up, which no mover can use any more. */
  restoreHead: {
    name: 'move_restore_head',
    text: `insert into heads select (jsonb_populate_record(null::heads,
        d.head || jsonb_build_object('place', $2::integer,
          'config_version', floor(random() * 2000000000)::integer))).*
      from departed d where d.realm = $1 and d.place = $3 and d.purge_began_at is null
      on conflict (realm) do nothing`,
  },
  forgetDeparted: {
    name: 'move_forget_departed',
    text: 'delete from departed where realm = $1 and place <= $2',
  },
  raisePlace: {
    name: 'move_raise_place',
    text: 'update heads set place = $2 where realm = $1 and place < $2',
  },

  putMark: { name: 'move_put_mark', text: 'insert into move_marks (realm, mark) values ($1, $2)' },
  listMarks: { name: 'move_list_marks', text: 'select mark from move_marks where realm = $1' },
  countMarks: {
    name: 'move_count_marks',
    text: 'select from move_marks where realm = $1 and mark = any ($2::uuid[])',
  },
  forgetMarks: { name: 'move_forget_marks', text: 'delete from move_marks where realm = $1' },

  lastEntry: {
    name: 'move_last_entry',
    text: `select seq, encode(hash, 'hex') as hash from journal where realm = $1 order by seq desc limit 1`,
  },
  landHead: {
    name: 'move_land_head',
    text: `insert into heads select (jsonb_populate_record(null::heads, $1::jsonb
        || jsonb_build_object('place', $2::integer,
          'config_version', floor(random() * 2000000000)::integer))).*`,
  },
  landRealm: {
    name: 'move_land_realm',
    text: 'update realms set next_key = $2, rate = $3, burst = $4 where realm = $1',
  },
  landKeys: {
    name: 'move_land_keys',
    text: 'update keys set changed_at = clock_timestamp() where realm = $1',
  },
  landReadings: {
    name: 'move_land_readings',
    text: `insert into readings (realm, chain) select distinct realm, chain from collections where realm = $1
      on conflict (realm, chain) do update set due_at = clock_timestamp()`,
  },

  putMoving: {
    name: 'move_put_moving',
    text: `insert into moving (realm, place, copied_to) values ($1, $2, $3)
      on conflict (realm) do update set place = excluded.place, copied_to = excluded.copied_to`,
  },
  forgetMoving: {
    name: 'move_forget_moving',
    text: 'delete from moving where realm = $1 and place <= $2',
  },

  beginPurge: {
    name: 'move_begin_purge',
    text: `update departed set purge_began_at = coalesce(purge_began_at, clock_timestamp())
      where realm = $1 and place = $2 and purged_at is null`,
  },
  endPurge: {
    name: 'move_end_purge',
    text: `update departed set purged_at = clock_timestamp()
      where realm = $1 and place = $2 and purge_began_at is not null`,
  },
} as const

type ArrivalState = 'arriving' | 'ready' | 'landed' | 'cancelled'

export type Head = { readonly seq: bigint; readonly hash: string; readonly place: number }

/** How many rows of some tables a realm has: the same in both cells when it lands. */
export type Counts = Readonly<Record<string, number>>

export type Departed = {
  readonly place: number
  readonly to_cell: number
  readonly seq: bigint
  readonly hash: string
  /** The row of `heads`, and more. */
  readonly head: Readonly<Record<string, unknown>> & {
    readonly next_key: number
    readonly rate: number | null
    readonly burst: number | null
    readonly counts: Counts
  }
  readonly departed_at: Date
  readonly purge_began_at: Date | null
  readonly purged_at: Date | null
  /** Whether it left more than a day ago. */
  readonly kept: boolean
}

const s = ownerStatements

export const lockRealm = async (tx: Queryable, realm: number): Promise<void> =>
  void (await tx.query(s.lockRealm, [realm]))
/** Until the session ends: no move pauses the realm here, and none lands it. */
export const holdRealm = async (session: Queryable, realm: number): Promise<void> =>
  void (await session.query(s.holdRealm, [realm]))

export type RealmRow = { readonly id: string; readonly created_at: Date; readonly purged: boolean }
export const readRealm = async (db: Queryable, realm: number): Promise<RealmRow | undefined> =>
  (await db.query<RealmRow>(s.readRealm, [realm])).rows[0]
export const putRealm = async (db: Queryable, realm: number, row: RealmRow): Promise<void> =>
  void (await db.query(s.putRealm, [realm, row.id, row.created_at]))

export async function putArrival(
  db: Queryable,
  { realm, place }: MoveId,
  { from, state }: { readonly from: number; readonly state: ArrivalState },
): Promise<void> {
  await db.query(s.putArrival, [realm, place, from, state])
}
/** What the arrival is, which nothing changes until the transaction ends. */
export async function lockArrival(tx: Queryable, move: MoveId): Promise<ArrivalState | undefined> {
  const { rows } = await tx.query<{ state: ArrivalState }>(s.lockArrival, [move.realm, move.place])
  return rows[0]?.state
}
/** Whether the arrival had one of these states. */
export async function turnArrival(
  tx: Queryable,
  { realm, place }: MoveId,
  { from, to }: { readonly from: readonly ArrivalState[]; readonly to: ArrivalState },
): Promise<boolean> {
  return (await tx.query(s.turnArrival, [realm, place, from, to])).count === 1
}

export const lockHead = async (tx: Queryable, realm: number): Promise<Head | undefined> =>
  (await tx.query<Head>(s.lockHead, [realm])).rows[0]
export const readHead = async (db: Queryable, realm: number): Promise<Head | undefined> =>
  (await db.query<Head>(s.readHead, [realm])).rows[0]
export const countRows = async (db: Queryable, realm: number): Promise<Counts> =>
  (await db.query<{ counts: Counts }>(s.count, [realm])).rows[0]?.counts ?? {}
export const readDeparted = async (db: Queryable, realm: number): Promise<Departed | undefined> =>
  (await db.query<Departed>(s.readDeparted, [realm])).rows[0]

/** Removes the head, which stops all writes of the realm in this cell; whether it could. */
export async function depart(tx: Queryable, { realm, place }: MoveId, to: number): Promise<boolean> {
  const counts = await countRows(tx, realm)
  const { count } = await tx.query(s.depart, [realm, place, to, JSON.stringify(counts)])
  if (count !== 1) return false
  await tx.query(s.removeHead, [realm])
  await tx.query(s.takeLeases, [realm])
  await tx.query(s.takeReadings, [realm])
  return true
}

/**
 * The head is here again, if it left with place `left`, with a new configuration version: no batch of before
 * the pause is written now. The place of the move is used up.
 */
export async function restoreHead(tx: Queryable, { realm, place }: MoveId, left: number): Promise<void> {
  await tx.query(s.restoreHead, [realm, place, left])
  await tx.query(s.raisePlace, [realm, place])
  await tx.query(s.forgetDeparted, [realm, place])
  await tx.query(s.forgetMoving, [realm, place])
  await tx.query(s.forgetMarks, [realm])
}

export const putMark = async (db: Queryable, realm: number, mark: string): Promise<void> =>
  void (await db.query(s.putMark, [realm, mark]))
export const listMarks = async (db: Queryable, realm: number): Promise<string[]> =>
  (await db.query<{ mark: string }>(s.listMarks, [realm])).rows.map(({ mark }) => mark)
export const hasMarks = async (db: Queryable, realm: number, marks: readonly string[]): Promise<boolean> =>
  (await db.query(s.countMarks, [realm, marks])).count === marks.length

/** The last entry of the journal, undefined for an empty one. */
export const lastEntry = async (
  db: Queryable,
  realm: number,
): Promise<{ readonly seq: bigint; readonly hash: string } | undefined> =>
  (await db.query<{ seq: bigint; hash: string }>(s.lastEntry, [realm])).rows[0]

/** The realm is here, with all values that it left with, but the place and a new configuration version. */
export async function landHead(
  tx: Queryable,
  { realm, place }: MoveId,
  head: Departed['head'],
): Promise<void> {
  await tx.query(s.landHead, [JSON.stringify(head), place])
  await tx.query(s.landRealm, [realm, head.next_key, head.rate, head.burst])
  await tx.query(s.landKeys, [realm])
  await tx.query(s.landReadings, [realm])
  await tx.query(s.forgetMarks, [realm])
  // It was here before, if it is now back.
  await tx.query(s.forgetDeparted, [realm, place])
}

export const putMoving = async (db: Queryable, { realm, place }: MoveId, copiedTo: bigint): Promise<void> =>
  void (await db.query(s.putMoving, [realm, place, copiedTo]))
export const forgetMoving = async (db: Queryable, { realm, place }: MoveId): Promise<void> =>
  void (await db.query(s.forgetMoving, [realm, place]))

/** Whether rows that the realm left here may be deleted. */
export const beginPurge = async (db: Queryable, { realm, place }: MoveId): Promise<boolean> =>
  (await db.query(s.beginPurge, [realm, place])).count === 1
export const endPurge = async (db: Queryable, { realm, place }: MoveId): Promise<void> =>
  void (await db.query(s.endPurge, [realm, place]))
