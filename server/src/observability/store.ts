import type { Queryable } from '../db/session.ts'

export const statements = {
  /** For a standby that the role may not see, PostgreSQL returns only the process id. */
  standbys: {
    name: 'watch_standbys',
    text: `select current_setting('synchronous_standby_names') <> '' as needed,
        count(*) filter (where sync_state in ('sync', 'quorum') and state = 'streaming')::integer as standbys,
        coalesce(bool_or(pid is not null and state is null), false) as hidden
      from pg_stat_get_wal_senders()`,
  },
} as const

export type Standbys = { needed: boolean; standbys: number; hidden: boolean }

export async function readStandbys(db: Queryable): Promise<Standbys | undefined> {
  return (await db.query<Standbys>(statements.standbys)).rows[0]
}
