import type { Queryable } from '../db/session.ts'

/**
 * What PostgreSQL reports of itself: one row or a few, from memory and the catalogue, which have no realms.
 * Some need a release or a right.
 */
export const catalogStatements = {
  /** numbackends counts every session, also those that the role may not see. */
  basics: {
    name: 'watch_basics',
    text: `select pg_database_size(current_database())::float8 as bytes,
        (select max(greatest(age(datfrozenxid), mxid_age(datminmxid)))::float8 from pg_database) as id_age,
        (select sum(numbackends)::float8 from pg_stat_database) as sessions,
        current_setting('max_connections')::float8
          - current_setting('superuser_reserved_connections')::float8
          - coalesce(current_setting('reserved_connections', true), '0')::float8 as sessions_limit,
        current_setting('server_version_num')::integer as version,
        has_function_privilege('pg_ls_waldir()', 'execute') as sees_wal,
        case when pg_has_role('pg_read_all_stats', 'usage') then
          (select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8
            from pg_stat_activity where backend_type = 'client backend') end as oldest_transaction`,
  },
  archive: {
    name: 'watch_archive',
    text: `select archived_count::float8 as archived, failed_count::float8 as failures,
        extract(epoch from last_archived_time)::float8 as last_archived,
        coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing
      from pg_stat_archiver where current_setting('archive_mode') <> 'off'`,
  },
  wal: {
    name: 'watch_wal',
    text: `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as written`,
  },
  walFolder: { name: 'watch_wal_folder', text: 'select sum(size)::float8 as bytes from pg_ls_waldir()' },
  slots: {
    name: 'watch_slots',
    text: `select slot_name::text as slot, safe_wal_size::float8 as safe,
        coalesce(wal_status in ('unreserved', 'lost'), false) as lost,
        pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 as retained
      from pg_replication_slots order by restart_lsn nulls first limit $1`,
  },
  /** PostgreSQL shows positions only to a role with pg_read_all_stats. */
  standbys: {
    name: 'watch_standby_lag',
    text: `select application_name as standby,
        max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::float8 as bytes,
        max(extract(epoch from coalesce(replay_lag, interval '0')))::float8 as seconds
      from pg_stat_replication where replay_lsn is not null
      group by application_name order by bytes desc limit $1`,
  },
  checkpoints: {
    name: 'watch_checkpoints',
    text: `select num_timed::float8 as timed, num_requested::float8 as requested
      from pg_stat_checkpointer`,
  },
  /** Before PostgreSQL 17. */
  checkpointsBefore17: {
    name: 'watch_checkpoints_before_17',
    text: `select checkpoints_timed::float8 as timed, checkpoints_req::float8 as requested
      from pg_stat_bgwriter`,
  },
} as const

export const statements = {
  largest: {
    name: 'watch_largest',
    text: 'select realm_id as realm, seq::float8 as entries from largest_realms($1)',
  },
} as const

/** Slots, standbys or realms, at most. */
const most = 20
const largestListed = 10

type Basics = {
  bytes: number
  id_age: number
  sessions: number
  sessions_limit: number
  version: number
  sees_wal: boolean
  oldest_transaction: number | null
}
type Archive = { archived: number; failures: number; last_archived: number | null; failing: boolean }
export type Slot = { slot: string; safe: number | null; lost: boolean; retained: number | null }
export type Standby = { standby: string; bytes: number; seconds: number }

export async function readBasics(db: Queryable): Promise<Basics> {
  const [row] = (await db.query<Basics>(catalogStatements.basics)).rows
  if (!row) throw new Error('PostgreSQL returned nothing about itself')
  return row
}

/** Undefined where no archive is configured. */
export const readArchive = async (db: Queryable): Promise<Archive | undefined> =>
  (await db.query<Archive>(catalogStatements.archive)).rows[0]

/** Bytes of WAL that were ever written. */
export const readWalWritten = async (db: Queryable): Promise<number | undefined> =>
  (await db.query<{ written: number }>(catalogStatements.wal)).rows[0]?.written

export const readWalFolder = async (db: Queryable): Promise<number | undefined> =>
  (await db.query<{ bytes: number }>(catalogStatements.walFolder)).rows[0]?.bytes

export const readSlots = async (db: Queryable): Promise<readonly Slot[]> =>
  (await db.query<Slot>(catalogStatements.slots, [most])).rows

export const readStandbyLag = async (db: Queryable): Promise<readonly Standby[]> =>
  (await db.query<Standby>(catalogStatements.standbys, [most])).rows

export async function readCheckpoints(db: Queryable, version: number) {
  const statement = version >= 170_000 ? catalogStatements.checkpoints : catalogStatements.checkpointsBefore17
  return (await db.query<{ timed: number; requested: number }>(statement)).rows[0]
}

/** The realms with most entries. It reads the heads of all realms. */
export const readLargest = async (db: Queryable): Promise<readonly { realm: string; entries: number }[]> =>
  (await db.query<{ realm: string; entries: number }>(statements.largest, [largestListed])).rows
