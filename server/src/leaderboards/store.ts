import { plainArray as plain } from '../db/arrays.ts'
import type { Queryable, Writable } from '../db/session.ts'
import { RefusalError, wrongCell } from '../errors.ts'
import type { Activity, Changes, JournalRow } from './fold.ts'

/** What is folded from the journal. A writer holds the lock on the realm's row of `standings`. */
export const statements = {
  /** Lost changes are folded again, so this waits for no disk and no standby. */
  lightly: { name: 'standings_lightly', text: `select set_config('synchronous_commit', 'off', true)` },
  insertProgress: {
    name: 'standings_insert_progress',
    writes: true,
    text: `insert into standings (realm, time_zone, form)
      select realm, time_zone, $2 from settings where realm = any ($1) on conflict do nothing`,
  },
  /** Without those that another session is folding. */
  lockProgress: {
    name: 'standings_lock_progress',
    text: `select p.realm, p.seq, p.time_zone, p.build, p.swept, p.form, s.time_zone as wanted, p.merged,
        coalesce((select max(number) from merges where realm = p.realm), 0) as merges
      from standings p
      cross join lateral (select time_zone from settings where realm = p.realm limit 1) s
      where p.realm = any ($1) for update of p skip locked`,
  },
  /** How far it is, and how far it could be. */
  readProgress: {
    name: 'standings_read_progress',
    text: `select h.seq as head, h.next_account, s.time_zone as wanted, p.seq, p.time_zone, p.build,
        p.form, p.merged, coalesce((select max(number) from merges where realm = $1), 0) as merges
      from heads h
      cross join lateral (select time_zone from settings where realm = $1 limit 1) s
      left join lateral (select seq, time_zone, build, form, merged from standings
        where realm = $1 limit 1) p on true
      where h.realm = $1`,
  },
  /**
   * Entries of each realm in their order, for a reversal the reversed entry, and a part of their hash. Not
   * past a merge that is to be folded next.
   */
  readEntries: {
    name: 'standings_read_entries',
    text: `select r.realm, j.seq::float8, j.at_us::float8, j.kind, j.point, j.from_account, j.to_account,
        j.amount, o.at_us::float8 as original_at_us, o.kind as original_kind,
        left(encode(j.hash, 'hex'), 16) as mark
      from unnest($1::integer[], $2::bigint[], $4::integer[]) as r (realm, after, merged)
      cross join lateral (select seq, at_us, kind, point, from_account, to_account, amount, link, hash
        from bound_journal where realm = r.realm and seq > r.after and seq <= coalesce(
          (select min(after_seq) from merges where realm = r.realm and number > r.merged),
          9223372036854775807) order by seq limit $3) j
      left join lateral (select at_us, kind from bound_journal
        where realm = r.realm and seq = case when j.kind = 3 then j.link end limit 1) o on true
      limit $3`,
  },
  readActivity: {
    name: 'standings_read_activity',
    text: `select a.*
      from unnest($1::integer[], $2::integer[], $3::integer[]) as asked (realm, build, account)
      cross join lateral (select realm, account, day from activity
        where realm = asked.realm and build = asked.build and account = asked.account limit 1) a`,
  },
  /** The changes of some pages and their progress, in one statement: all or nothing. */
  writePages: {
    name: 'standings_write_pages',
    writes: true,
    text: `with gained as (
        insert into gains (realm, build, point, day, account, gained, seq)
        select ($1::integer[])[page], ($2::integer[])[page], point, day, account, gained, ($3::bigint[])[page]
        from unnest($4::integer[], $5::smallint[], $6::integer[], $7::integer[], $8::numeric[])
          as n (page, point, day, account, gained)
        on conflict (realm, build, point, day, account)
        do update set gained = gains.gained + excluded.gained, seq = excluded.seq),
      counted as (
        insert into daily (realm, build, day, point, kind, entries, amount, issued, spent, held,
          lapsed)
        select ($1::integer[])[page], ($2::integer[])[page], day, point, kind, entries, amount, issued, spent,
          held, lapsed
        from unnest($9::integer[], $10::integer[], $11::smallint[], $12::smallint[], $13::bigint[],
            $14::numeric[], $15::numeric[], $16::numeric[], $17::numeric[], $31::numeric[])
          as n (page, day, point, kind, entries, amount, issued, spent, held, lapsed)
        on conflict (realm, build, day, point, kind)
        do update set entries = daily.entries + excluded.entries, amount = daily.amount + excluded.amount,
          issued = daily.issued + excluded.issued, spent = daily.spent + excluded.spent,
          held = daily.held + excluded.held, lapsed = daily.lapsed + excluded.lapsed),
      supplied as (
        insert into supply (realm, build, point, issued, spent, held, claimed, lapsed)
        select ($1::integer[])[page], ($2::integer[])[page], point, issued, spent, held, claimed, lapsed
        from unnest($18::integer[], $19::smallint[], $20::numeric[], $21::numeric[], $22::numeric[],
            $23::numeric[], $32::numeric[])
          as n (page, point, issued, spent, held, claimed, lapsed)
        on conflict (realm, build, point) do update set issued = supply.issued + excluded.issued,
          spent = supply.spent + excluded.spent, held = supply.held + excluded.held,
          claimed = supply.claimed + excluded.claimed, lapsed = supply.lapsed + excluded.lapsed),
      seen as (
        insert into activity (realm, build, account, day)
        select ($1::integer[])[page], ($2::integer[])[page], account, day
        from unnest($24::integer[], $25::integer[], $26::integer[]) as n (page, account, day)
         
        on conflict (realm, build, account) do update set day = excluded.day),
      shown as (
        insert into active_days (realm, build, day, active, latest)
        select ($1::integer[])[page], ($2::integer[])[page], day, active, latest
        from unnest($27::integer[], $28::integer[], $29::bigint[], $30::bigint[])
          as n (page, day, active, latest)
        on conflict (realm, build, day)
        do update set active = active_days.active + excluded.active,
          latest = active_days.latest + excluded.latest)
      update standings s set seq = done.seq from (
        select p.realm, f.place, p.seq from unnest($1::integer[], $3::bigint[]) as p (realm, seq)
        cross join lateral (select ctid as place from standings where realm = p.realm limit 1) f
        offset 0) done
      where s.ctid = done.place and s.realm is not distinct from done.realm`,
  },
  /** From entry 1 on, next to the old build. */
  startBuild: {
    name: 'standings_start_build',
    writes: true,
    text: `update standings p set seq = 0, merged = 0, build = p.build + 1, time_zone = s.time_zone, form = $2
      from settings s where s.realm = $1 and p.realm = $1`,
  },
} as const

const numbers = (realms: readonly number[]): string => plain(realms, (realm) => realm)

/** Enough to be worth a transaction, little enough to delay no other. */
export const pageSize = 2_000

/** The format of a build. A build in an older format is started over. */
export const form = 2

/** `merged` is the last merge that is folded. */
export type Progress = { seq: bigint; time_zone: string; build: number; merged: number }
export type Locked = Progress & { realm: number; swept: number; wanted: string; form: number; merges: number }
export type Standing = {
  head: bigint
  next_account: number
  /** The realm's time zone; what is folded stays in the old one until it is folded again. */
  wanted: string
  seq: bigint | null
  time_zone: string | null
  build: number | null
  form: number | null
  merged: number | null
  /** The realm's last merge. */
  merges: number
}

export async function insertProgress(tx: Writable, realms: readonly number[]): Promise<void> {
  await tx.query(statements.insertProgress, [numbers(realms), form])
}

export async function lightly(tx: Queryable): Promise<void> {
  await tx.query(statements.lightly)
}

export async function lockProgress(tx: Queryable, realms: readonly number[]): Promise<Locked[]> {
  return (await tx.query<Locked>(statements.lockProgress, [numbers(realms)])).rows
}

export async function readProgress(db: Queryable, realm: number): Promise<Standing> {
  const [row] = (await db.query<Standing>(statements.readProgress, [realm])).rows
  if (!row) throw new RefusalError(wrongCell)
  return row
}

/** `mark` distinguishes an entry from any other that has or had its number. */
export type EntryRow = JournalRow & { readonly realm: number; readonly mark: string }

/** No merge is waited for. */
const anyMerge = 2_147_483_647

/** The entries after those given, at most so many in all; up to the first merge after `merged`, if given. */
export async function readEntries(
  db: Queryable,
  after: readonly { readonly realm: number; readonly seq: bigint; readonly merged?: number }[],
  limit = pageSize,
): Promise<EntryRow[]> {
  const merged = plain(after, (one) => one.merged ?? anyMerge)
  const values = [plain(after, (one) => one.realm), plain(after, (one) => one.seq), limit, merged]
  return (await db.query<EntryRow>(statements.readEntries, values)).rows
}

type Account = { readonly realm: number; readonly build: number; readonly account: number }

/** By realm, the last active day of each of these accounts that has one. */
export async function readActivity(
  db: Queryable,
  asked: readonly Account[],
): Promise<ReadonlyMap<number, ReadonlyMap<number, number>>> {
  const values = [
    plain(asked, (one) => one.realm),
    plain(asked, (one) => one.build),
    plain(asked, (one) => one.account),
  ]
  type Row = { realm: number; account: number; day: number }
  const { rows } = await db.query<Row>(statements.readActivity, values)
  const byRealm = Map.groupBy(rows, ({ realm }) => realm)
  return new Map(
    Array.from(byRealm, ([realm, of]) => [realm, new Map(of.map(({ account, day }) => [account, day]))]),
  )
}

export type Page = {
  readonly realm: number
  readonly build: number
  /** Its last entry. */
  readonly seq: bigint
  readonly changes: Changes
  readonly activity: Activity
}

/** What belongs to each page, with the page's number from 1. */
const ofPages = <T>(pages: readonly Page[], parts: (page: Page) => Iterable<T>) =>
  pages.flatMap((page, index) => Array.from(parts(page), (part) => ({ ...part, page: index + 1 })))

type Cell = number | bigint
type Columns<T> = readonly ((row: T) => Cell)[]
const arraysOf = <T>(rows: readonly T[], columns: Columns<T>): string[] =>
  columns.map((column) => plain(rows, column))

export async function writePages(tx: Writable, pages: readonly Page[]): Promise<void> {
  const gains = ofPages(pages, (page) => page.changes.gains)
  const daily = ofPages(pages, (page) => page.changes.daily)
  const supply = ofPages(pages, (page) => page.changes.supply)
  const latest = ofPages(pages, ({ activity }) =>
    Array.from(activity.latest, ([account, day]) => ({ account, day })),
  )
  const days = ofPages(pages, (page) => page.activity.days.values())
  const { count } = await tx.query(statements.writePages, [
    ...arraysOf(pages, [(one) => one.realm, (one) => one.build, (one) => one.seq]),
    ...arraysOf(gains, [
      (one) => one.page,
      (one) => one.point,
      (one) => one.day,
      (one) => one.account,
      (one) => one.by,
    ]),
    ...arraysOf(daily, [
      (one) => one.page,
      (one) => one.day,
      (one) => one.point,
      (one) => one.kind,
      (one) => one.entries,
      (one) => one.amount,
      (one) => one.issued,
      (one) => one.spent,
      (one) => one.held,
    ]),
    ...arraysOf(supply, [
      (one) => one.page,
      (one) => one.point,
      (one) => one.issued,
      (one) => one.spent,
      (one) => one.held,
      (one) => one.claimed,
    ]),
    ...arraysOf(latest, [(one) => one.page, (one) => one.account, (one) => one.day]),
    ...arraysOf(days, [(one) => one.page, (one) => one.day, (one) => one.active, (one) => one.latest]),
    ...arraysOf(daily, [(one) => one.lapsed]),
    ...arraysOf(supply, [(one) => one.lapsed]),
  ])
  if (count !== pages.length) throw new Error(`standings of ${pages.length - count} realms are missing`)
}

export async function startBuild(tx: Writable, realm: number): Promise<void> {
  await tx.query(statements.startBuild, [realm, form])
}
