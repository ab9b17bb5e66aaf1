import type { Queryable, Writable } from '../db/session.ts'

export const statements = {
  readPlace: {
    name: 'lapse_read_place',
    text: `select seq, greatest(at_us, (extract(epoch from clock_timestamp()) * 1000000)::bigint) as now_us
      from heads where realm = $1`,
  },
  insertStep: {
    name: 'lapse_insert_step',
    writes: true,
    text: `insert into lapse_rules (realm, point, number, from_seq, base_day, not_before, time_zone, rule)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
  },
  /** Searched at once, as a rule may make points lapse today that another one kept. */
  scheduleSweep: {
    name: 'lapse_schedule_sweep',
    writes: true,
    text: `insert into lapse_sweeps (realm, point, due_at)
      values ($1, $2, case when $3 then clock_timestamp() end)
      on conflict (realm, point) do update set due_at = excluded.due_at, after_account = 0, after_point = 0`,
  },
  /**
   * Points that have no day yet: those of balances that no entry has changed before $3, the first one of the
   * last rule. Day 2147483647 is always the last lot.
   */
  countUndated: {
    name: 'lapse_count_undated',
    text: `select count(*) as members, coalesce(sum(u.tokens), 0)::text as tokens
      from (select case when lots is null then balance
          else nullif(split_part(lots, '2147483647:', 2), '')::bigint end as tokens from balances
        where realm = $1 and point = $2 and account > 0 and balance > 0 and seq >= $3) u
      where u.tokens is not null`,
  },
  readLapsing: {
    name: 'lapse_read_lapsing',
    text: `select m.id::text as id, b.account, b.balance, b.seq, b.lots
      from (select account, balance, seq, lots from balances
        where realm = $1 and point = $2 and account > $3 and balance > 0
        order by account limit $4) b
      cross join lateral (select id from members
        where realm = $1 and account = b.account limit 1) m order by b.account`,
  },
} as const

export type Place = { readonly seq: bigint; readonly now_us: bigint }

export async function readPlace(db: Queryable, realm: number): Promise<Place | undefined> {
  return (await db.query<Place>(statements.readPlace, [realm])).rows[0]
}

export type StepRow = {
  readonly realm: number
  readonly point: number
  readonly number: number
  readonly fromSeq: bigint
  readonly baseDay: number
  readonly notBefore: number | null
  readonly timeZone: string
  /** As JSON. */
  readonly rule: string | null
}

export async function insertStep(db: Writable, row: StepRow): Promise<void> {
  const { realm, point, number, fromSeq, baseDay, notBefore, timeZone, rule } = row
  await db.query(statements.insertStep, [realm, point, number, fromSeq, baseDay, notBefore, timeZone, rule])
}

export async function scheduleSweep(
  db: Writable,
  realm: number,
  { point, isDue }: { readonly point: number; readonly isDue: boolean },
): Promise<void> {
  await db.query(statements.scheduleSweep, [realm, point, isDue])
}

export type Undated = { readonly members: bigint; readonly tokens: string }

export type UndatedQuery = { readonly point: number; readonly since: bigint }

export async function countUndated(
  db: Queryable,
  realm: number,
  { point, since }: UndatedQuery,
): Promise<Undated> {
  const [row] = (await db.query<Undated>(statements.countUndated, [realm, point, since])).rows
  return row ?? { members: 0n, tokens: '0' }
}

/** A member's balance of a point type. */
export type LapsingRow = {
  readonly id: string
  readonly account: number
  readonly balance: bigint
  readonly seq: bigint
  readonly lots: string | null
}

export type LapsingQuery = { readonly point: number; readonly after: number; readonly limit: number }

export async function readLapsing(
  db: Queryable,
  realm: number,
  { point, after, limit }: LapsingQuery,
): Promise<LapsingRow[]> {
  return (await db.query<LapsingRow>(statements.readLapsing, [realm, point, after, limit])).rows
}
