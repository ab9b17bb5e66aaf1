import { plainArray as plain } from '../../db/arrays.ts'
import type { Queryable } from '../../db/session.ts'
import { ownerText, pendingText } from '../rules/accounts.ts'

/** The member that an entry's account belongs to now, if it was merged. */
const survivor = (account: string): string => `(select m.id from (select account from identities
          where realm = $1 and merged = ${account} limit 1) i
        cross join lateral (select id from members where realm = $1 and account = i.account limit 1) m)`

/** For an entry `j`: its members, its details, and what became of it. */
const joins = `
      left join lateral (select id from points where realm = $1 and number = j.point limit 1) p on true
      left join lateral (select id from members
        where realm = $1 and account = ${ownerText('j.from_account')} limit 1) f on true
      left join lateral (select id from members
        where realm = $1 and account = ${ownerText('j.to_account')} limit 1) t on true
      left join lateral (select seq from bound_journal
        where realm = $1 and link = j.seq and kind = 3 limit 1) r on true
      left join lateral (select seq from bound_journal where realm = $1 and seq = j.seq + 1
        and link = j.seq and kind = any (array[1, 8, 9, 11]) limit 1) n on true
      left join lateral (select seq from erasures where realm = $1 and seq = j.seq limit 1) e on true
      left join lateral (select reason, reference, metadata, actor_id from details
        where realm = $1 and seq = j.said and e.seq is null limit 1) d on true
      left join lateral (select reason from details
        where realm = $1 and seq = j.seq and j.said <> j.seq and e.seq is null limit 1) s on true
      left join lateral (select person from roles where realm = $1 and key = j.key limit 1) o on true
      left join lateral (select name from people where person = o.person limit 1) w on true
      left join lateral (select name from keys where realm = $1 and number = j.key limit 1) k on true`

/**
 * An entry, and the entry that carries its details (`said`). Computed here: under row-level security no index
 * is used for a `coalesce`.
 */
const entry = (seq: string): string => `(select *, case when kind = any (array[1, 8, 9, 11])
          then coalesce(link, seq) else seq end as said
        from bound_journal where realm = $1 and seq = ${seq} limit 1) j`

const columns = `j.seq, j.at_us, j.kind, j.key, p.id as point, j.from_account, j.to_account, j.amount,
        j.from_balance, j.to_balance, j.link, encode(j.hash, 'hex') as hash,
        coalesce(f.id, ${survivor(ownerText('j.from_account'))})::text as from_id,
        coalesce(t.id, ${survivor(ownerText('j.to_account'))})::text as to_id, r.seq as reversed_by,
        n.seq as follower,
        case when j.said <> j.seq and j.details_hash is not null then s.reason else d.reason end as reason,
        d.reference, d.metadata,
        d.actor_id::text as actor_id, o.person, w.name as person_name, k.name as key_name`

/** The entries of each of a member's accounts that a table names, newest first. */
const foundIn = (table: string, condition: string): string => `(select a.account, e.seq, e.point
        from unnest($2::integer[]) as a (account)
        cross join lateral (select seq, point from ${table}
          where realm = $1 and ${condition} and seq > $3 and seq < $4 order by seq desc limit $5) e)`

/** The same by one of the journal's three indexes. */
const touched = (condition: string): string => foundIn('bound_journal', condition)

/** A part that reached its limit knows nothing older than its last entry. */
const frontier = (part: string): string => `(select max(f.seq) from (
          select case when count(*) = $5 then min(seq) end as seq from ${part} group by account) f)`

/** The queries of a realm's history. */
export const statements = {
  /** Resolves a history query to account, point type and range of entries; times by binary search. */
  readQuestion: {
    name: 'history_question',
    text: `select s.unknown_members,
        (select m.account from members m where m.realm = $1 and m.id = $2 limit 1) as account,
        exists (select from identities i
          where i.realm = $1 and i.provider = 'id' and i.subject = $2::bigint::text) as is_old,
        array(select i.merged || ':' || i.subject
          from (select account from members where realm = $1 and id = $2 limit 1) m
          cross join lateral (select merged, subject from identities
            where realm = $1 and account = m.account and merged is not null offset 0) i) as merged,
        (select p.number from points p where p.realm = $1 and p.id = $3 limit 1) as point,
        case when $4::bigint is null then 0 else seq_at($1, $4 - 1) end as after,
        case when $5::bigint is null then null else seq_at($1, $5 - 1) + 1 end as before
      from settings s where s.realm = $1`,
  },
  /**
   * A page of a member's entries, newest first: points that left the balance, came to it, were held, or were
   * promised: these come from the realm, and the awards name their entries. Each index is scanned for a
   * limited number of entries, however few are of the requested point type, and `frontier` is how far that
   * went: entries before it belong to another page. Points released from a hold are found twice.
   */
  readPage: {
    name: 'history_page',
    text: `with gave as ${touched('from_account = a.account and from_account > 0 and $7')},
      got as ${touched('to_account = a.account and to_account > 0 and $6')},
      freed as ${touched('from_account = -a.account and from_account < 0 and $6 and $7')},
      promised as ${foundIn('awards', 'account = a.account and $6 and $7')},
      kept as ${touched(`from_account = ${pendingText('a.account')} and from_account < 0 and $6 and $7`)},
      looked as (select coalesce(greatest(${frontier('gave')}, ${frontier('got')}, ${frontier('freed')},
        ${frontier('promised')}, ${frontier('kept')}), 0) as frontier)
      select l.frontier, ${columns}
      from looked l
      left join lateral (select seq from (
          select seq, point from gave union select seq, point from got union select seq, point from freed
          union select seq, point from promised union select seq, point from kept) u
        where u.seq >= l.frontier and ($8::smallint is null or u.point = $8)
        order by seq desc limit $9) a on true
      left join lateral ${entry('a.seq')} on true
      ${joins}
      order by j.seq desc`,
  },
  readEntry: {
    name: 'history_entry',
    text: `select 0::bigint as frontier, ${columns}
      from ${entry('$2')} ${joins}`,
  },
  /**
   * A member's balances after the last entry at or before a point in time. A balance that has not changed
   * since is the stored one; for the others the last entry is looked up.
   */
  readBalancesAt: {
    name: 'history_balances_at',
    text: `select p.id as point, case when b.seq <= s.seq then b.balance
          when coalesce(o.seq, 0) > coalesce(i.seq, 0) then o.balance else i.balance end as balance,
        case when h.seq <= s.seq then h.balance
          when coalesce(q.seq, 0) > coalesce(r.seq, 0) then q.balance else r.balance end as held,
        case when u.seq <= s.seq then u.balance
          when coalesce(v.seq, 0) > coalesce(w.seq, 0) then v.balance else w.balance end as pending
      from (select account from members where realm = $1 and id = $2 limit 1) m
      cross join lateral (select seq_at($1, $3) as seq offset 0) s
      cross join lateral (select number, id from points where realm = $1 offset 0) p
      left join lateral (select balance, seq from balances
        where realm = $1 and account = m.account and point = p.number limit 1) b on true
      left join lateral (select seq, from_balance as balance from bound_journal
        where realm = $1 and from_account = m.account and from_account > 0 and seq <= s.seq
          and point = p.number and b.seq > s.seq order by seq desc limit 1) o on true
      left join lateral (select seq, to_balance as balance from bound_journal
        where realm = $1 and to_account = m.account and to_account > 0 and seq <= s.seq
          and seq > coalesce(o.seq, 0) and point = p.number and b.seq > s.seq order by seq desc limit 1) i
        on true
      left join lateral (select balance, seq from balances
        where realm = $1 and account = -m.account and point = p.number limit 1) h on true
      left join lateral (select seq, from_balance as balance from bound_journal
        where realm = $1 and from_account = -m.account and from_account < 0 and seq <= s.seq
          and point = p.number and h.seq > s.seq order by seq desc limit 1) q on true
      left join lateral (select seq, to_balance as balance from bound_journal
        where realm = $1 and from_account = m.account and from_account > 0 and to_account = -m.account
          and seq <= s.seq and seq > coalesce(q.seq, 0) and point = p.number and h.seq > s.seq
        order by seq desc limit 1) r on true
      left join lateral (select balance, seq from balances
        where realm = $1 and account = ${pendingText('m.account')} and point = p.number limit 1) u on true
      left join lateral (select seq, from_balance as balance from bound_journal
        where realm = $1 and from_account = ${pendingText('m.account')} and from_account < 0 and seq <= s.seq
          and point = p.number and u.seq > s.seq order by seq desc limit 1) v on true
      left join lateral (select j.seq, j.balance from (select seq from awards
          where realm = $1 and account = m.account and seq <= s.seq and seq > coalesce(v.seq, 0)
            and point = p.number and u.seq > s.seq order by seq desc limit 1) a
        cross join lateral (select seq, to_balance as balance from bound_journal
          where realm = $1 and seq = a.seq limit 1) j) w on true`,
  },
  /** The last entry before a point in time, found by binary search; 0 when there is none. */
  readSeqBefore: {
    name: 'history_seq_before',
    text: 'select seq_at($1, $2::bigint - 1) as seq',
  },
  readMemberIds: {
    name: 'history_member_ids',
    text: `select asked.account, m.id::text as id from unnest($2::integer[]) as asked (account)
      cross join lateral (select coalesce((select id from members
          where realm = $1 and account = asked.account limit 1), ${survivor('asked.account')}) as id) m
      where m.id is not null`,
  },
} as const

type QuestionRow = {
  unknown_members: 'refuse' | 'create'
  account: number | null
  /** Whether it is another member's id since a merge. */
  is_old: boolean
  /** The accounts that were merged into the member, each with the id that it had: `7:42`. */
  merged: string[]
  point: number | null
  after: bigint
  /** Null for no bound. */
  before: bigint | null
}

export type RecordedRow = {
  seq: bigint
  at_us: bigint
  kind: number
  key: number
  key_name: string | null
  person: number | null
  person_name: string | null
  point: string
  from_account: number
  to_account: number
  amount: bigint
  from_balance: bigint | null
  to_balance: bigint | null
  link: bigint | null
  hash: string
  from_id: string | null
  to_id: string | null
  reversed_by: bigint | null
  /** The second entry of the batch that this one is the first of. */
  follower: bigint | null
  reason: string | null
  reference: string | null
  metadata: string | null
  actor_id: string | null
}

export type Question = {
  readonly member: string
  readonly point: string | undefined
  readonly fromUs: bigint | undefined
  readonly toUs: bigint | undefined
}

export async function readQuestion(db: Queryable, realm: number, asked: Question): Promise<QuestionRow> {
  const { member, point, fromUs, toUs } = asked
  const values = [realm, member, point ?? null, fromUs ?? null, toUs ?? null]
  const { rows } = await db.query<QuestionRow>(statements.readQuestion, values)
  const [row] = rows
  if (!row) throw new Error(`the settings of realm ${realm} are missing`)
  return row
}

export type PageQuery = {
  /** The member's own, and those that were merged into it. */
  readonly accounts: readonly number[]
  readonly after: bigint
  readonly before: bigint
  /** How many entries are scanned in each index, at most. */
  readonly scan: number
  readonly into: boolean
  readonly out: boolean
  readonly point: number | null
  readonly limit: number
}

export type Page = {
  readonly rows: RecordedRow[]
  /** Older entries were not scanned; 0 when all were. */
  readonly frontier: bigint
}

export async function readPage(db: Queryable, realm: number, asked: PageQuery): Promise<Page> {
  const { accounts, after, before, scan, into, out, point, limit } = asked
  const values = [realm, plain(accounts, (account) => account), after, before, scan, into, out, point, limit]
  const { rows } = await db.query<RecordedRow & { frontier: bigint }>(statements.readPage, values)
  // An empty page has one row without an entry, which carries the frontier.
  return {
    rows: rows.filter(({ seq }) => (seq as bigint | null) !== null),
    frontier: rows[0]?.frontier ?? 0n,
  }
}

export async function readEntry(db: Queryable, realm: number, seq: bigint): Promise<RecordedRow | undefined> {
  return (await db.query<RecordedRow>(statements.readEntry, [realm, seq])).rows[0]
}

export type BalanceAt = { readonly balance: bigint; readonly held: bigint; readonly pending: bigint }

/** By the public id of the point type. */
export async function readBalancesAt(
  db: Queryable,
  realm: number,
  { member, atUs }: { readonly member: string; readonly atUs: bigint },
): Promise<ReadonlyMap<string, BalanceAt>> {
  type Row = { point: string } & { [K in keyof BalanceAt]: bigint | null }
  const { rows } = await db.query<Row>(statements.readBalancesAt, [realm, member, atUs])
  return new Map(
    rows.map(({ point, balance, held, pending }) => [
      point,
      { balance: balance ?? 0n, held: held ?? 0n, pending: pending ?? 0n },
    ]),
  )
}

/** Only accounts that still belong to a member: their own, or one that they were merged into. */
export async function readMemberIds(
  db: Queryable,
  realm: number,
  accounts: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await db.query<{ account: number; id: string }>(statements.readMemberIds, [
    realm,
    plain(accounts, (account) => account),
  ])
  return new Map(rows.map((row) => [row.account, row.id]))
}

export async function readSeqBefore(db: Queryable, realm: number, atUs: bigint): Promise<bigint> {
  const { rows } = await db.query<{ seq: bigint }>(statements.readSeqBefore, [realm, atUs])
  return rows[0]?.seq ?? 0n
}
