import { plainArray as plain } from '../db/arrays.ts'
import type { Queryable } from '../db/session.ts'
import type { Activity, Changes, JournalRow } from './fold.ts'

/** What is folded from the journal. A writer holds the lock on the realm's row of `standings`. */
export const statements = {
  /** Lost changes are folded again, so this waits for no disk and no standby. */
  lightly: { name: 'standings_lightly', text: `select set_config('synchronous_commit', 'off', true)` },
  insertProgress: {
    name: 'standings_insert_progress',
    text: `insert into standings (realm, time_zone, form)
      select realm, time_zone, $2 from settings where realm = $1 on conflict do nothing`,
  },
  /** Skipped while another session folds this realm. */
  lockProgress: {
    name: 'standings_lock_progress',
    text: `select p.seq, p.time_zone, p.build, p.swept, p.form, s.time_zone as wanted
      from standings p
      cross join lateral (select time_zone from settings where realm = $1 limit 1) s
      where p.realm = $1 for update of p skip locked`,
  },
  /** How far it is, and how far it could be. */
  readProgress: {
    name: 'standings_read_progress',
    text: `select h.seq as head, h.next_account, s.time_zone as wanted, p.seq, p.time_zone, p.build,
        p.form
      from heads h
      cross join lateral (select time_zone from settings where realm = $1 limit 1) s
      left join lateral (select seq, time_zone, build, form from standings where realm = $1 limit 1) p on true
      where h.realm = $1`,
  },
  /** Entries in their order, for a reversal the reversed entry, and a part of their hash. */
  readEntries: {
    name: 'standings_read_entries',
    text: `select j.seq::float8, j.at_us::float8, j.kind, j.point, j.from_account, j.to_account, j.amount,
        o.at_us::float8 as original_at_us, o.kind as original_kind,
        left(encode(j.hash, 'hex'), 16) as mark
      from bound_journal j
      left join lateral (select at_us, kind from bound_journal
        where realm = $1 and seq = case when j.kind = 3 then j.link end limit 1) o on true
      where j.realm = $1 and j.seq > $2 order by j.seq limit $3`,
  },
  readActivity: {
    name: 'standings_read_activity',
    text: `select a.* from unnest($3::integer[]) as asked (account)
      cross join lateral (select account, day from activity
        where realm = $1 and build = $2 and account = asked.account limit 1) a`,
  },
  /** A page's changes and the progress, in one statement: all or nothing. */
  writePage: {
    name: 'standings_write_page',
    text: `with gained as (
        insert into gains (realm, build, point, day, account, gained, seq)
        select $1, $2, point, day, account, gained, $3
        from unnest($4::smallint[], $5::integer[], $6::integer[], $7::numeric[])
          as n (point, day, account, gained)
        on conflict (realm, build, point, day, account)
        do update set gained = gains.gained + excluded.gained, seq = excluded.seq),
      counted as (
        insert into daily (realm, build, day, point, kind, entries, amount, issued, spent, held)
        select $1, $2, day, point, kind, entries, amount, issued, spent, held
        from unnest($8::integer[], $9::smallint[], $10::smallint[], $11::bigint[], $12::numeric[],
            $22::numeric[], $23::numeric[], $24::numeric[])
          as n (day, point, kind, entries, amount, issued, spent, held)
        on conflict (realm, build, day, point, kind)
        do update set entries = daily.entries + excluded.entries, amount = daily.amount + excluded.amount,
          issued = daily.issued + excluded.issued, spent = daily.spent + excluded.spent,
          held = daily.held + excluded.held),
      supplied as (
        insert into supply (realm, build, point, issued, spent, held, claimed)
        select $1, $2, point, issued, spent, held, claimed
        from unnest($13::smallint[], $14::numeric[], $15::numeric[], $16::numeric[], $25::numeric[])
          as n (point, issued, spent, held, claimed)
        on conflict (realm, build, point) do update set issued = supply.issued + excluded.issued,
          spent = supply.spent + excluded.spent, held = supply.held + excluded.held,
          claimed = supply.claimed + excluded.claimed),
      seen as (
        insert into activity (realm, build, account, day)
        select $1, $2, account, day from unnest($17::integer[], $18::integer[]) as n (account, day)
        on conflict (realm, build, account) do update set day = excluded.day),
      shown as (
        insert into active_days (realm, build, day, active, latest)
        select $1, $2, day, active, latest
        from unnest($19::integer[], $20::bigint[], $21::bigint[]) as n (day, active, latest)
        on conflict (realm, build, day)
        do update set active = active_days.active + excluded.active,
          latest = active_days.latest + excluded.latest)
      update standings set seq = $3 where realm = $1`,
  },
  /** From entry 1 on, next to the old build. */
  startBuild: {
    name: 'standings_start_build',
    text: `update standings p set seq = 0, build = p.build + 1, time_zone = s.time_zone, form = $2
      from settings s where s.realm = $1 and p.realm = $1`,
  },
  endSweep: { name: 'standings_end_sweep', text: 'update standings set swept = $2 where realm = $1' },
  sweepGains: {
    name: 'standings_sweep_gains',
    text: `delete from gains where realm = $1 and ctid = any (array(
      select ctid from gains where realm = $1 and build < $2 limit $3))`,
  },
  sweepActivity: {
    name: 'standings_sweep_activity',
    text: `delete from activity where realm = $1 and ctid = any (array(
      select ctid from activity where realm = $1 and build < $2 limit $3))`,
  },
  sweepDaily: {
    name: 'standings_sweep_daily',
    text: `delete from daily where realm = $1 and ctid = any (array(
      select ctid from daily where realm = $1 and build < $2 limit $3))`,
  },
  sweepActiveDays: {
    name: 'standings_sweep_active_days',
    text: `delete from active_days where realm = $1 and ctid = any (array(
      select ctid from active_days where realm = $1 and build < $2 limit $3))`,
  },
  sweepSupply: {
    name: 'standings_sweep_supply',
    text: `delete from supply where realm = $1 and ctid = any (array(
      select ctid from supply where realm = $1 and build < $2 limit $3))`,
  },
} as const

/** Enough to be worth a transaction, little enough to delay no other. */
export const pageSize = 2_000

/** The format of a build. A build in an older format is started over. */
export const form = 2

export type Progress = { seq: bigint; time_zone: string; build: number }
type Locked = Progress & { swept: number; wanted: string; form: number }
export type Standing = {
  head: bigint
  next_account: number
  /** The realm's time zone; what is folded stays in the old one until it is folded again. */
  wanted: string
  seq: bigint | null
  time_zone: string | null
  build: number | null
  form: number | null
}

export async function insertProgress(tx: Queryable, realm: number): Promise<void> {
  await tx.query(statements.insertProgress, [realm, form])
}

export async function lightly(tx: Queryable): Promise<void> {
  await tx.query(statements.lightly)
}

export async function lockProgress(tx: Queryable, realm: number): Promise<Locked | undefined> {
  return (await tx.query<Locked>(statements.lockProgress, [realm])).rows[0]
}

export async function readProgress(db: Queryable, realm: number): Promise<Standing> {
  const [row] = (await db.query<Standing>(statements.readProgress, [realm])).rows
  if (!row) throw new Error(`the head of realm ${realm} is missing`)
  return row
}

/** `mark` distinguishes an entry from any other that has or had its number. */
type EntryRow = JournalRow & { readonly mark: string }

export async function readEntries(
  db: Queryable,
  realm: number,
  { after, limit = pageSize }: { readonly after: bigint; readonly limit?: number },
): Promise<EntryRow[]> {
  return (await db.query<EntryRow>(statements.readEntries, [realm, after, limit])).rows
}

/** The last active day of each of these accounts that has one. */
export async function readActivity(
  db: Queryable,
  realm: number,
  { build, accounts }: { readonly build: number; readonly accounts: readonly number[] },
): Promise<ReadonlyMap<number, number>> {
  const values = [realm, build, plain(accounts, (account) => account)]
  const { rows } = await db.query<{ account: number; day: number }>(statements.readActivity, values)
  return new Map(rows.map((row) => [row.account, row.day]))
}

export type Page = {
  readonly build: number
  /** Its last entry. */
  readonly seq: bigint
  readonly changes: Changes
  readonly activity: Activity
}

export async function writePage(tx: Queryable, realm: number, page: Page): Promise<void> {
  const { build, seq, changes, activity } = page
  const { gains, daily, supply } = changes
  const latest = [...activity.latest]
  const days = [...activity.days.values()]
  const { count } = await tx.query(statements.writePage, [
    realm,
    build,
    seq,
    plain(gains, (one) => one.point),
    plain(gains, (one) => one.day),
    plain(gains, (one) => one.account),
    plain(gains, (one) => one.by),
    plain(daily, (one) => one.day),
    plain(daily, (one) => one.point),
    plain(daily, (one) => one.kind),
    plain(daily, (one) => one.entries),
    plain(daily, (one) => one.amount),
    plain(supply, (one) => one.point),
    plain(supply, (one) => one.issued),
    plain(supply, (one) => one.spent),
    plain(supply, (one) => one.held),
    plain(latest, ([account]) => account),
    plain(latest, ([, day]) => day),
    plain(days, (one) => one.day),
    plain(days, (one) => one.active),
    plain(days, (one) => one.latest),
    plain(daily, (one) => one.issued),
    plain(daily, (one) => one.spent),
    plain(daily, (one) => one.held),
    plain(supply, (one) => one.claimed),
  ])
  if (count !== 1) throw new Error(`standings of realm ${realm} are missing`)
}

export async function startBuild(tx: Queryable, realm: number): Promise<void> {
  await tx.query(statements.startBuild, [realm, form])
}

/** Deletes rows of older builds, at most a page of each table; returns whether any may be left. */
export async function sweep(tx: Queryable, realm: number, build: number): Promise<boolean> {
  let most = 0
  for (const statement of [
    statements.sweepGains,
    statements.sweepActivity,
    statements.sweepDaily,
    statements.sweepActiveDays,
    statements.sweepSupply,
  ])
    most = Math.max(most, (await tx.query(statement, [realm, build, pageSize])).count)
  return most === pageSize
}

export async function endSweep(tx: Queryable, realm: number, build: number): Promise<void> {
  await tx.query(statements.endSweep, [realm, build])
}
