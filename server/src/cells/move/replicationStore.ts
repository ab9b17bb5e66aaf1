import type { Queryable } from '../../db/session.ts'
import type { ReadStatement } from '../../db/statement.ts'
import { linkName } from './steps.ts'
import { notCarried } from './tables.ts'

/** Statements on PostgreSQL's catalogues, and those that set up the replication of a realm. */
const catalogue = {
  readServer: {
    name: 'move_read_server',
    text: `select (select cell from this_cell limit 1) as cell,
        current_setting('server_version_num')::integer as version, current_setting('wal_level') as wal_level,
        (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
        (select count(*) from pg_prepared_xacts where database = current_database())::integer as prepared,
        (select string_agg(number || ' ' || checksum, ', ' order by number) from migrations) as migrations,
        (select count(*) from pg_replication_slots)::integer as slots,
        current_setting('max_replication_slots')::integer as slot_limit,
        pg_has_role(current_user, c.relowner, 'usage') as is_owner,
        pg_has_role(current_user, 'pg_read_all_stats', 'usage') as may_see_standbys,
        r.rolsuper as is_superuser, r.rolsuper or r.rolreplication as may_replicate,
        r.rolsuper or exists (select from pg_roles p where p.rolname = 'pg_create_subscription'
          and pg_has_role(current_user, p.oid, 'usage')) as may_subscribe
      from pg_roles r cross join pg_class c
      where r.rolname = current_user and c.oid = 'exchequer.journal'::regclass`,
  },
  listCarried: {
    name: 'move_list_carried',
    text: `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'exchequer'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attname = 'realm' and not a.attisdropped and c.relname <> all ($1::text[])
      order by 1`,
  },
  listColumns: {
    name: 'move_list_columns',
    text: `select string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns from pg_attribute a
      where a.attrelid = ('exchequer.' || $1::text)::regclass and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = ''`,
  },
  hasPublication: {
    name: 'move_has_publication',
    text: 'select from pg_publication where pubname = $1',
  },
  hasSlot: {
    name: 'move_has_slot',
    text: `select coalesce(wal_status, '') as wal_status from pg_replication_slots where slot_name = $1`,
  },
  createSlot: {
    name: 'move_create_slot',
    text: `select from pg_create_logical_replication_slot($1, 'pgoutput')`,
  },
  dropSlot: {
    name: 'move_drop_slot',
    text: `select pg_drop_replication_slot(slot_name) from pg_replication_slots
      where slot_name = $1 and not active`,
  },
  hasSubscription: {
    name: 'move_has_subscription',
    text: `select s.subname from pg_subscription s join pg_database d on d.oid = s.subdbid
      where d.datname = current_database() and s.subname = $1`,
  },
  /**
   * Until the transaction ends, statements are not written to PostgreSQL's log, as far as the role may decide
   * that: a superuser, or one that was granted it.
   */
  keepFromLog: {
    name: 'move_keep_from_log',
    text: `select set_config(s.name, s.value, true) from (values ('log_min_error_statement', 'panic'),
        ('log_statement', 'none'), ('log_min_duration_statement', '-1')) as s (name, value)
      where has_parameter_privilege(current_user, s.name, 'set')`,
  },
  /** How many tables are replicated, and how many of them do not follow yet. */
  readProgress: {
    name: 'move_read_progress',
    text: `select count(*)::integer as tables,
        (count(*) filter (where r.srsubstate <> 'r'))::integer as behind,
        (select e.apply_error_count + e.sync_error_count from pg_stat_subscription_stats e
          where e.subname = $1)::integer as errors
      from pg_subscription s join pg_database d on d.oid = s.subdbid
        join pg_subscription_rel r on r.srsubid = s.oid
      where d.datname = current_database() and s.subname = $1`,
  },
  /** Publications, slots and subscriptions of a realm, whatever its move. */
  listLinks: {
    name: 'move_list_links',
    text: `select 'publication' as what, pubname::text as name from pg_publication where pubname like $1
      union all select 'slot', slot_name::text from pg_replication_slots
        where slot_name like $1 and database = current_database()
      union all select 'subscription', s.subname::text from pg_subscription s
        join pg_database d on d.oid = s.subdbid
        where d.datname = current_database() and s.subname like $1`,
  },
  readXmax: {
    name: 'move_read_xmax',
    text: 'select pg_snapshot_xmax(pg_current_snapshot())::text as xmax',
  },
  isPast: {
    name: 'move_is_past',
    text: 'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as past',
  },
  readPosition: { name: 'move_read_position', text: 'select pg_current_wal_flush_lsn()::text as lsn' },
  /**
   * Standbys that do not have everything up to this position, also those that catch up. Copies that are being
   * made for a backup take over from no primary.
   */
  countBehind: {
    name: 'move_count_behind',
    text: `select count(*)::integer as behind from pg_stat_replication r
      left join pg_replication_slots s on s.active_pid = r.pid
      where coalesce(r.state, 'streaming') = any (array['streaming', 'catchup'])
        and r.application_name <> all (array['pg_receivewal', 'pg_basebackup'])
        and s.slot_type is distinct from 'logical' and coalesce(r.flush_lsn < $1::pg_lsn, true)`,
  },
} as const

const s = catalogue

export type Server = {
  readonly cell: number
  readonly version: number
  readonly wal_level: string
  readonly now_ms: number
  readonly prepared: number
  readonly migrations: string
  readonly slots: number
  readonly slot_limit: number
  readonly is_owner: boolean
  /** Without it pg_stat_replication has no state, and no standby that is behind is found. */
  readonly may_see_standbys: boolean
  readonly is_superuser: boolean
  readonly may_replicate: boolean
  readonly may_subscribe: boolean
}

export async function readServer(db: Queryable): Promise<Server> {
  const [row] = (await db.query<Server>(s.readServer)).rows
  if (!row) throw new Error('PostgreSQL does not show the current role')
  return row
}

/** The tables that a move carries. */
export async function listCarried(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(s.listCarried, [[...notCarried.keys()]])
  return rows.map(({ name }) => name)
}

export async function listColumns(db: Queryable, table: string): Promise<string> {
  return (await db.query<{ columns: string }>(s.listColumns, [table])).rows[0]?.columns ?? ''
}

const isThere = async (db: Queryable, statement: ReadStatement, name: string): Promise<boolean> =>
  (await db.query(statement, [name])).count > 0

/** DDL takes no parameters. */
const ddl = (db: Queryable, text: string) => db.query({ name: '', text })
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

export type Link = { readonly realm: number; readonly place: number }

/** The rows of a realm, of its journal and details only those after `copiedTo`. */
export async function createPublication(db: Queryable, link: Link, copiedTo: bigint): Promise<void> {
  const name = linkName(link)
  if (await isThere(db, s.hasPublication, name)) return
  const bySeq = new Set(['journal', 'details'])
  const tables = (await listCarried(db)).map((table) => {
    const after = bySeq.has(table) && copiedTo > 0n ? ` and seq > ${copiedTo}` : ''
    return `exchequer.${table} where (realm = ${link.realm}${after})`
  })
  await ddl(
    db,
    `create publication ${name} for table ${tables.join(', ')}
      with (publish = 'insert, update, delete', publish_via_partition_root = true)`,
  )
}

export async function dropPublication(db: Queryable, name: string): Promise<void> {
  await ddl(db, `drop publication if exists ${name}`)
}

/** The state of its WAL, undefined when there is no such slot. */
export async function readSlot(db: Queryable, link: Link): Promise<string | undefined> {
  const { rows } = await db.query<{ wal_status: string }>(s.hasSlot, [linkName(link)])
  return rows[0]?.wal_status
}

export async function createSlot(db: Queryable, link: Link): Promise<void> {
  await db.query(s.createSlot, [linkName(link)])
}

/** Whether it is gone: a slot that is in use stays. */
export async function dropSlot(db: Queryable, name: string): Promise<boolean> {
  await db.query(s.dropSlot, [name])
  return !(await isThere(db, s.hasSlot, name))
}

export const hasSubscription = (db: Queryable, link: Link): Promise<boolean> =>
  isThere(db, s.hasSubscription, linkName(link))

/**
 * The connection that PostgreSQL of the target opens. Under row-level security it would copy nothing, and
 * say that it is ready: with this option it fails.
 */
export function connectionOf(url: string): string {
  const connection = new URL(url)
  const given = connection.searchParams.get('options')
  connection.searchParams.set('options', [given, '-crow_security=off'].filter(Boolean).join(' '))
  connection.search = connection.search.replaceAll('+', '%20')
  return connection.href
}

export async function createSubscription(tx: Queryable, link: Link, sourceUrl: string): Promise<void> {
  const name = linkName(link)
  // The statement has the password of the source's owner.
  await tx.query(s.keepFromLog)
  await ddl(
    tx,
    `create subscription ${name} connection ${literal(connectionOf(sourceUrl))} publication ${name}
      with (create_slot = false, slot_name = '${name}', enabled = true)`,
  )
}

/** Stops its workers before it returns. The slot is another PostgreSQL's, and stays. */
export async function dropSubscription(db: Queryable, name: string): Promise<void> {
  if (!(await isThere(db, s.hasSubscription, name))) return
  await ddl(db, `alter subscription ${name} disable`)
  await ddl(db, `alter subscription ${name} set (slot_name = none)`)
  await ddl(db, `drop subscription ${name}`)
}

export type SyncProgress = {
  readonly tables: number
  readonly behind: number
  readonly errors: number | null
}

export async function readProgress(db: Queryable, link: Link): Promise<SyncProgress> {
  const { rows } = await db.query<SyncProgress>(s.readProgress, [linkName(link)])
  return rows[0] ?? { tables: 0, behind: 0, errors: null }
}

export type LinkPart = { readonly what: string; readonly name: string }

/** Publications, slots and subscriptions of a realm; of all realms without one. */
export async function listLinks(db: Queryable, realm?: number): Promise<LinkPart[]> {
  const pattern = realm === undefined ? 'move\\_%' : `move\\_${realm}\\_%`
  return (await db.query<LinkPart>(s.listLinks, [pattern])).rows
}

/** Transactions that are open now have a lower number. */
export async function readXmax(db: Queryable): Promise<string> {
  return (await db.query<{ xmax: string }>(s.readXmax)).rows[0]?.xmax ?? ''
}

/** Whether every transaction below this number has ended. */
export async function isPast(db: Queryable, xmax: string): Promise<boolean> {
  return (await db.query<{ past: boolean }>(s.isPast, [xmax])).rows[0]?.past ?? false
}

export async function readPosition(db: Queryable): Promise<string> {
  return (await db.query<{ lsn: string }>(s.readPosition)).rows[0]?.lsn ?? ''
}

export async function countBehind(db: Queryable, lsn: string): Promise<number> {
  return (await db.query<{ behind: number }>(s.countBehind, [lsn])).rows[0]?.behind ?? 0
}
