import { plainArray as plain } from '../../db/arrays.ts'
import type { Queryable } from '../../db/session.ts'
import { isPending, pendingText } from '../rules/accounts.ts'
import type { BalanceRow, StoredAside } from './journalStore.ts'

/** What the entries before a range left, for a replay that does not begin with entry 1. */

/** The last entry of an account and point type up to `$4`, by one of its indexes. */
const last = (side: 'from' | 'to', condition: string): string =>
  `left join lateral (select seq, ${side}_balance as balance from bound_journal
        where realm = $1 and ${condition} and point = asked.point and seq <= $4`

const asideText = (table: 'holds' | 'awards'): string =>
  `select h.* from unnest($2::bigint[]) as asked (seq) cross join lateral (
        select seq, account, point, amount, ended_seq from ${table}
        where realm = $1 and seq = asked.seq limit 1) h`

export const statements = {
  readStart: {
    name: 'segment_read_start',
    text: `select seq, encode(hash, 'hex') as hash, at_us from bound_journal where realm = $1 and seq = $2`,
  },
  readBefore: {
    name: 'segment_read_before',
    text: `select asked.account, asked.point,
        case when i.seq is null then o.balance else i.balance end as balance,
        coalesce(i.seq, o.seq) as seq
      from unnest($2::integer[], $3::smallint[]) as asked (account, point)
      ${last('from', 'from_account = asked.account and from_account > 0')}
        order by seq desc limit 1) o on true
      ${last('to', 'to_account = asked.account and to_account > 0')}
        and seq > coalesce(o.seq, 0) order by seq desc limit 1) i on true
      where coalesce(i.seq, o.seq) is not null`,
  },
  /** Held points leave by entries with an index of their own, and come by entries of the member. */
  readHeldBefore: {
    name: 'segment_read_held_before',
    text: `select asked.account, asked.point,
        case when i.seq is null then o.balance else i.balance end as balance,
        coalesce(i.seq, o.seq) as seq
      from unnest($2::integer[], $3::smallint[]) as asked (account, point)
      ${last('from', 'from_account = asked.account and from_account < 0')}
        order by seq desc limit 1) o on true
      ${last('to', 'from_account = -asked.account and from_account > 0 and to_account = asked.account')}
        and seq > coalesce(o.seq, 0) order by seq desc limit 1) i on true
      where coalesce(i.seq, o.seq) is not null`,
  },
  /** Pending points leave like held ones. They come by entries of the realm, which the awards name. */
  readPendingBefore: {
    name: 'segment_read_pending_before',
    text: `select asked.account, asked.point,
        case when i.seq is null then o.balance else i.balance end as balance,
        coalesce(i.seq, o.seq) as seq
      from unnest($2::integer[], $3::smallint[]) as asked (account, point)
      ${last('from', 'from_account = asked.account and from_account < 0')}
        order by seq desc limit 1) o on true
      left join lateral (select j.seq, j.balance
        from (select seq from awards where realm = $1 and account = ${pendingText('asked.account')}
          and point = asked.point and seq <= $4 and seq > coalesce(o.seq, 0)
          order by seq desc limit 1) a
        cross join lateral (select seq, to_balance as balance from bound_journal
          where realm = $1 and seq = a.seq limit 1) j) i on true
      where coalesce(i.seq, o.seq) is not null`,
  },
  /** Which of these entries were reversed by an entry up to `$3`. */
  readReversed: {
    name: 'segment_read_reversed',
    text: `select j.link from unnest($2::bigint[]) as asked (link) cross join lateral (
        select link from bound_journal
        where realm = $1 and link = asked.link and kind = 3 and seq <= $3 limit 1) j`,
  },
  /** Both sides of some entries. */
  readSides: {
    name: 'segment_read_sides',
    text: `select j.* from unnest($2::bigint[]) as asked (seq) cross join lateral (
        select seq, kind, link, point, from_account, to_account, from_balance, to_balance from bound_journal
        where realm = $1 and seq = asked.seq limit 1) j`,
  },
  readBalancesOf: {
    name: 'segment_read_balances_of',
    text: `select b.* from unnest($2::integer[], $3::smallint[]) as asked (account, point)
      cross join lateral (
        select account, point, balance, seq, lots from balances
        where realm = $1 and account = asked.account and point = asked.point limit 1) b`,
  },
  /** Stored balances of the accounts up to `$4`, a page. */
  readBalanceRange: {
    name: 'segment_read_balance_range',
    text: `select account, point, balance, seq, lots from balances
      where realm = $1 and (account, point) > ($2, $3) and account <= $4 order by account, point limit $5`,
  },
  readHoldsOf: { name: 'segment_read_holds_of', text: asideText('holds') },
  readAwardsOf: { name: 'segment_read_awards_of', text: asideText('awards') },
} as const

export type StartRow = { seq: bigint; hash: string; at_us: bigint }

/** An account in one point type. */
export type AccountKey = { readonly account: number; readonly point: number }

/** What an entry left to an account; null only in an entry that is wrong. */
export type StateBefore = { account: number; point: number; balance: bigint | null; seq: bigint }

export type SidesRow = {
  seq: bigint
  kind: number
  link: bigint | null
  point: number
  from_account: number
  to_account: number
  from_balance: bigint | null
  to_balance: bigint | null
}

export async function readStart(db: Queryable, realm: number, seq: bigint): Promise<StartRow | undefined> {
  return (await db.query<StartRow>(statements.readStart, [realm, seq])).rows[0]
}

const keysOf = (keys: readonly AccountKey[]): string[] => [
  plain(keys, ({ account }) => account),
  plain(keys, ({ point }) => point),
]

/** What the last entry up to `upTo` left to each of these accounts; none for one that no entry changed. */
export async function readStatesBefore(
  db: Queryable,
  realm: number,
  { keys, upTo }: { readonly keys: readonly AccountKey[]; readonly upTo: bigint },
): Promise<StateBefore[]> {
  const found: StateBefore[] = []
  for (const [statement, own] of [
    [statements.readBefore, keys.filter(({ account }) => account > 0)],
    [statements.readHeldBefore, keys.filter(({ account }) => account < 0 && !isPending(account))],
    [statements.readPendingBefore, keys.filter(({ account }) => isPending(account))],
  ] as const) {
    if (own.length === 0) continue
    found.push(...(await db.query<StateBefore>(statement, [realm, ...keysOf(own), upTo])).rows)
  }
  return found
}

export async function readReversed(
  db: Queryable,
  realm: number,
  { links, upTo }: { readonly links: readonly bigint[]; readonly upTo: bigint },
): Promise<bigint[]> {
  const { rows } = await db.query<{ link: bigint }>(statements.readReversed, [
    realm,
    plain(links, (link) => link),
    upTo,
  ])
  return rows.map(({ link }) => link)
}

export async function readSides(
  db: Queryable,
  realm: number,
  seqs: readonly bigint[],
): Promise<ReadonlyMap<bigint, SidesRow>> {
  const { rows } = await db.query<SidesRow>(statements.readSides, [realm, plain(seqs, (seq) => seq)])
  return new Map(rows.map((row) => [row.seq, row]))
}

export async function readBalancesOf(
  db: Queryable,
  realm: number,
  keys: readonly AccountKey[],
): Promise<BalanceRow[]> {
  return (await db.query<BalanceRow>(statements.readBalancesOf, [realm, ...keysOf(keys)])).rows
}

const pageSize = 1_000

/** Stored balances of the accounts after `after` up to `upTo`, a page at a time. */
export async function* readBalanceRange(
  db: Queryable,
  realm: number,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): AsyncGenerator<BalanceRow[]> {
  const greatestPoint = 32_767
  for (let last: readonly number[] = [after, greatestPoint]; ; ) {
    const { rows } = await db.query<BalanceRow>(statements.readBalanceRange, [realm, ...last, upTo, pageSize])
    const end = rows.at(-1)
    if (!end) return
    yield rows
    last = [end.account, end.point]
  }
}

type AsideQuery = { readonly table: 'holds' | 'awards'; readonly seqs: readonly bigint[] }

export async function readAsideOf(
  db: Queryable,
  realm: number,
  { table, seqs }: AsideQuery,
): Promise<ReadonlyMap<bigint, StoredAside>> {
  const statement = table === 'holds' ? statements.readHoldsOf : statements.readAwardsOf
  const { rows } = await db.query<StoredAside>(statement, [realm, plain(seqs, (seq) => seq)])
  return new Map(rows.map((row) => [row.seq, row]))
}
