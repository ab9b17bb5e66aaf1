import type { Queryable } from '../db/session.ts'

export const statements = {
  /** Writes what this process has spent, and reads what the others have, of the same limits. */
  exchange: {
    name: 'limits_exchange',
    text: `with written as (
        insert into rates (realm, key, process, spent, asked, level, at)
        select realm, key, $1, spent, asked, level, now()
        from unnest($2::integer[], $3::integer[], $4::float8[], $5::float8[], $6::float8[])
          as mine (realm, key, spent, asked, level)
        on conflict (realm, key, process) do update set spent = excluded.spent, asked = excluded.asked,
          level = excluded.level, at = excluded.at)
      select r.realm, r.key, r.process, r.spent, r.asked, r.level,
        (extract(epoch from now() - r.at) * 1000)::float8 as age_ms
      from unnest($2::integer[], $3::integer[]) as mine (realm, key)
      cross join lateral (select * from rates
        where realm = mine.realm and key = mine.key and process <> $1 limit 1000) r`,
  },
  /** Writes this process's heartbeat, in a row of realm 0 and key 0, and counts the other processes. */
  beat: {
    name: 'limits_beat',
    text: `with written as (
        insert into rates (realm, key, process, spent, asked, level, at) values (0, 0, $1, 0, 0, 0, now())
        on conflict (realm, key, process) do update set at = excluded.at)
      select count(*) filter (where at > now() - interval '30 seconds')::integer as live,
        count(*) filter (where at < now() - interval '1 minute')::integer as gone
      from rates where realm = 0 and key = 0 and process <> $1`,
  },
  /** Deletes the rows of processes that stopped reporting. */
  forget: {
    name: 'limits_forget',
    text: `delete from rates where realm = any($1::integer[]) and at < now() - interval '1 minute'`,
  },
} as const

export type UsageRow = { realm: number; key: number; spent: number; asked: number; level: number }
export type OtherUsageRow = UsageRow & { process: string; age_ms: number }

export async function exchange(
  db: Queryable,
  process: string,
  usage: readonly UsageRow[],
): Promise<OtherUsageRow[]> {
  const columns = [
    usage.map((row) => row.realm),
    usage.map((row) => row.key),
    usage.map((row) => row.spent),
    usage.map((row) => row.asked),
    usage.map((row) => row.level),
  ]
  return (await db.query<OtherUsageRow>(statements.exchange, [process, ...columns])).rows
}

/** How many other processes are alive, and how many are gone. */
export async function beat(db: Queryable, process: string): Promise<{ live: number; gone: number }> {
  const { rows } = await db.query<{ live: number; gone: number }>(statements.beat, [process])
  return rows[0] ?? { live: 0, gone: 0 }
}

export async function forget(db: Queryable, realms: readonly number[]): Promise<void> {
  await db.query(statements.forget, [realms])
}
