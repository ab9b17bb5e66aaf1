import type { Queryable, Writable } from '../../db/session.ts'

export const statements = {
  dueLapses: { name: 'lapse_due', text: 'select realm, point from due_lapses($1)' },
  /** The place of a sweep, and the day that it is on in this time zone. */
  readSweep: {
    name: 'lapse_read_sweep',
    text: `select s.after_account, s.after_point, s.day as last_day,
        (statement_timestamp() at time zone $3::text)::date - date '1970-01-01' as today
      from lapse_sweeps s
      where s.realm = $1 and s.point = $2 and coalesce(s.due_at <= statement_timestamp(), false)`,
  },
  /**
   * A page of all balances by their key: the members of these who may have something that is due, and the
   * last row. What is due is decided under the lock. Undated points are, if their last entry is before $7.
   */
  readPage: {
    name: 'lapse_read_page',
    text: `with page as materialized (
        select account, point, balance, seq, lots from balances
        where realm = $1 and (account, point) > ($2, $3) order by account, point limit $4)
      select p.account, p.point, m.id::text as id, h.config_version
      from page p
      cross join lateral (select config_version from heads where realm = $1 limit 1) h
      left join lateral (select id from members
        where realm = $1 and account = p.account and frozen_at is null
          and (unfrozen_at is null or unfrozen_at <= statement_timestamp() - interval '24 hours')
          and p.account > 0 and p.point = $5 and p.balance > 0
          and (nullif(split_part(p.lots, ':', 1), '')::integer <= $6
            or p.seq < $7 and (p.lots is null or p.lots like '%2147483647:%'))
        limit 1) m on true
      where m.id is not null or (p.account, p.point) = (select account, point from page
        order by account desc, point desc limit 1)
      order by p.account, p.point`,
  },
  /** Members of a page who have points that lapse up to a day, where a webhook asks for them. */
  readLapsing: {
    name: 'lapse_read_soon',
    text: `select p.account, p.balance as amount, p.seq, p.lots
      from balances p
      cross join lateral (select from members where realm = $1 and account = p.account
        and frozen_at is null limit 1) m
      where p.realm = $1 and (p.account, p.point) > ($2, $3) and (p.account, p.point) <= ($4, $5)
        and p.account > 0 and p.point = $6 and p.balance > 0
        and (nullif(split_part(p.lots, ':', 1), '')::integer <= $7
          or p.seq < $8 and (p.lots is null or p.lots like '%2147483647:%'))
        and exists (select from endpoints e where e.realm = $1
          and (e.types is null or 'points.lapsing' = any (e.types)) offset 0)
      order by p.account`,
  },
  keepPlace: {
    name: 'lapse_keep_place',
    writes: true,
    text: `update lapse_sweeps set after_account = $3, after_point = $4 where realm = $1 and point = $2`,
  },
  /** The next one begins at the next midnight in this time zone. */
  endSweep: {
    name: 'lapse_end_sweep',
    writes: true,
    text: `update lapse_sweeps set after_account = 0, after_point = 0, day = $3::integer,
        due_at = case when due_at is not null
          then (date '1970-01-01' + $3::integer + 1)::timestamp at time zone $4::text end
      where realm = $1 and point = $2`,
  },
  postpone: {
    name: 'lapse_postpone',
    writes: true,
    text: `update lapse_sweeps set due_at = case when due_at is not null
          then statement_timestamp() + $3 * interval '1 second' end
      where realm = $1 and point = $2`,
  },
} as const

/** A point type that has not been searched today. */
export type DuePoint = { readonly realm: number; readonly point: number }

export async function dueLapses(db: Queryable, most: number): Promise<DuePoint[]> {
  return (await db.query<DuePoint>(statements.dueLapses, [most])).rows
}

type SweepRow = { after_account: number; after_point: number; last_day: number; today: number }

export async function readSweep(
  db: Queryable,
  { realm, point }: DuePoint,
  timeZone: string,
): Promise<SweepRow | undefined> {
  return (await db.query<SweepRow>(statements.readSweep, [realm, point, timeZone])).rows[0]
}

/** Balances of a page. */
export const pageSize = 5_000

/** A member who may have points that are due; `id` is null for the last row of the page. */
type PageRow = { account: number; point: number; id: string | null; config_version: number }

export type PageQuery = {
  readonly after: PagePlace
  readonly today: number
  /** Undated points whose last entry is before this one are due. */
  readonly undatedBefore: bigint
}

export async function readPage(
  db: Queryable,
  { realm, point }: DuePoint,
  { after, today, undatedBefore }: PageQuery,
): Promise<PageRow[]> {
  const values = [realm, ...after, pageSize, point, today, undatedBefore]
  return (await db.query<PageRow>(statements.readPage, values)).rows
}

/** A balance by its key. */
export type PagePlace = readonly [account: number, point: number]

export type LapsingQuery = DuePoint & {
  readonly after: PagePlace
  readonly last: PagePlace
  readonly today: number
  readonly undatedBefore: bigint
}

export type LapsingRow = { account: number; amount: bigint; seq: bigint; lots: string | null }

export async function readLapsing(db: Queryable, asked: LapsingQuery): Promise<LapsingRow[]> {
  const { realm, point, after, last, today, undatedBefore } = asked
  const values = [realm, ...after, ...last, point, today, undatedBefore]
  return (await db.query<LapsingRow>(statements.readLapsing, values)).rows
}

export async function keepPlace(
  db: Writable,
  { realm, point }: DuePoint,
  [account, last]: PagePlace,
): Promise<void> {
  await db.query(statements.keepPlace, [realm, point, account, last])
}

export async function endSweep(
  db: Writable,
  { realm, point }: DuePoint,
  { day, timeZone }: { readonly day: number; readonly timeZone: string },
): Promise<void> {
  await db.query(statements.endSweep, [realm, point, day, timeZone])
}

export async function postpone(db: Writable, { realm, point }: DuePoint, seconds: number): Promise<void> {
  await db.query(statements.postpone, [realm, point, seconds])
}
