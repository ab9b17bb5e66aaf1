import type { Queryable, ReadStatement } from '../../db/session.ts'
import { RefusalError, wrongCell } from '../../errors.ts'
import { ownerText, pendingOf, pendingText } from '../../ledger/index.ts'
import { stepsColumn } from '../../realms/index.ts'
import { rowsAfter } from './pieces.ts'

/** To the microsecond, which JavaScript's dates are not. */
const iso = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const owner = pendingText('b.account')

/** A whole realm in pages, each in its own transaction: an open snapshot would slow down every write. */
/** The member that an entry's account belongs to now, if it was merged. */
const survivor = (account: string): string => `(select m.id from (select account from identities
          where realm = $1 and merged = ${account} limit 1) i
        cross join lateral (select id from members where realm = $1 and account = i.account limit 1) m)`

export const statements = {
  /** The head first, with all that is small, in one snapshot: everything is exported as of its seq. */
  readRealm: {
    name: 'exports_read_realm',
    text: `select r.id, r.next_key, r.rate, r.burst, ${iso('r.created_at')} as created_at,
        h.seq, encode(h.hash, 'hex') as hash, h.at_us, h.next_account, s.name, s.unknown_members,
        s.default_point, s.logo, s.colours, s.time_zone, encode(s.identity_key, 'hex') as identity_key
      from realms r
      cross join lateral (select * from heads where realm = r.realm limit 1) h
      cross join lateral (select * from settings where realm = r.realm limit 1) s
      where r.realm = $1`,
  },
  readPoints: {
    name: 'exports_read_points',
    text: `select number, id, name, emoji, max_balance, max_per_transfer, max_per_day, transferable,
        ${iso('created_at')} as created_at, ${iso('archived_at')} as archived_at, ${stepsColumn} as lapse
      from points p where realm = $1 order by number`,
  },
  readMembers: {
    name: 'exports_read_members',
    text: `select account, id::text, username, display_name, metadata, note, hidden,
        ${iso('frozen_at')} as frozen_at, ${iso('unfrozen_at')} as unfrozen_at,
        ${iso('joined_at')} as joined_at, ${iso('updated_at')} as updated_at
      from members where realm = $1 and account > $2 and account < $3 order by account limit $4`,
  },
  readWallets: {
    name: 'exports_read_wallets',
    text: `select account, match, address, chain, ${iso('linked_at')} as linked_at,
        ${iso('verified_at')} as verified_at, merged
      from wallets where realm = $1 and account > $2 and account <= $3 order by account, match`,
  },
  /**
   * Balances as of an entry. One that changed later is read from its last entry before: of those that it gave
   * in, and of those that it received. Held points are received only from the member's own account, and the
   * awards name the entries that pending points were received by.
   */
  readBalancesAt: {
    name: 'exports_read_balances_at',
    text: `select b.account, b.point, coalesce(case when b.seq <= $4 then b.balance else l.balance end, 0)
        as balance
      from balances b left join lateral (
        select j.balance from (
          (select seq, from_balance as balance from bound_journal
            where b.seq > $4 and realm = $1 and from_account = b.account and from_account > 0 and seq <= $4
              and point = b.point order by seq desc limit 1)
          union all
          (select seq, to_balance from bound_journal
            where b.seq > $4 and realm = $1 and to_account = b.account and to_account > 0 and seq <= $4
              and point = b.point order by seq desc limit 1)
          union all
          (select seq, from_balance from bound_journal
            where b.seq > $4 and realm = $1 and from_account = b.account and from_account < 0 and seq <= $4
              and point = b.point order by seq desc limit 1)
          union all
          (select p.seq, p.to_balance from (select seq from awards
              where b.seq > $4 and b.account < -1073741824 and realm = $1 and account = ${owner}
                and seq <= $4 and point = b.point order by seq desc limit 1) a
            cross join lateral (select seq, to_balance from bound_journal
              where realm = $1 and seq = a.seq limit 1) p)
          union all
          (select seq, to_balance from bound_journal
            where b.seq > $4 and b.account < 0 and b.account > -1073741824 and realm = $1
              and from_account = -b.account
              and from_account > 0 and to_account = b.account and seq <= $4
              and point = b.point order by seq desc limit 1)
        ) j order by j.seq desc limit 1) l on true
      where b.realm = $1 and b.account >= $2 and b.account <= $3`,
  },
  readEntries: {
    name: 'exports_read_entries',
    text: `select j.seq, to_char(to_timestamp(0) at time zone 'UTC' + j.at_us * interval '1 microsecond',
          'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, j.kind, j.key, j.point,
        coalesce(f.id, ${survivor('abs(j.from_account)')})::text as from_id,
        coalesce(t.id, ${survivor('abs(j.to_account)')})::text as to_id, j.amount, j.from_balance,
        j.to_balance, j.link,
        case when j.said <> j.seq and j.details_hash is not null then s.reason else d.reason end as reason,
        d.reference, d.metadata, d.actor_id::text
      from (select *, case when kind = any (array[1, 8, 9, 11]) then coalesce(link, seq) else seq end as said
        from bound_journal where realm = $1 and seq > $2 and seq <= $3 order by seq limit $4) j
      left join lateral (select id from members
        where realm = $1 and account = ${ownerText('j.from_account')} limit 1) f on true
      left join lateral (select id from members
        where realm = $1 and account = ${ownerText('j.to_account')} limit 1) t on true
      left join lateral (select seq from erasures where realm = $1 and seq = j.seq limit 1) e on true
      left join lateral (select * from details
        where realm = $1 and seq = j.said and e.seq is null limit 1) d on true
      left join lateral (select reason from details
        where realm = $1 and seq = j.seq and j.said <> j.seq and e.seq is null limit 1) s on true
      order by j.seq`,
  },
  readHolds: {
    name: 'exports_read_holds',
    text: `select seq, account, point, amount, expires_us,
        case when ended_seq <= $3 then ended_seq end as ended_seq
      from holds where realm = $1 and seq > $2 and seq <= $3 order by seq limit $4`,
  },
  readAwards: {
    name: 'exports_read_awards',
    text: `select seq, account, point, amount, grant_us,
        case when ended_seq <= $3 then ended_seq end as ended_seq
      from awards where realm = $1 and seq > $2 and seq <= $3 order by seq limit $4`,
  },
} as const

export type RealmRow = {
  id: string
  next_key: number
  rate: number | null
  burst: number | null
  created_at: string
  seq: bigint
  hash: string
  at_us: bigint
  next_account: number
  name: string
  unknown_members: string
  default_point: number
  logo: string | null
  colours: string | null
  time_zone: string
  identity_key: string | null
}
export type PointRow = {
  number: number
  id: string
  name: string
  emoji: string | null
  max_balance: bigint | null
  max_per_transfer: bigint | null
  max_per_day: bigint | null
  transferable: boolean
  created_at: string
  archived_at: string | null
  /** All steps of its lapse rule, as JSON. */
  lapse: string | null
}
export type MemberRow = {
  account: number
  id: string
  username: string | null
  display_name: string | null
  metadata: string | null
  note: string | null
  hidden: boolean
  frozen_at: string | null
  unfrozen_at: string | null
  joined_at: string
  updated_at: string
}
export type WalletRow = {
  account: number
  match: string
  address: string
  chain: string
  linked_at: string
  verified_at: string | null
  /** The merge that it came by. */
  merged: number | null
}
export type BalanceRow = { account: number; point: number; balance: bigint }
export type ListedEntry = {
  seq: bigint
  at: string
  kind: number
  key: number
  point: number
  from_id: string | null
  to_id: string | null
  amount: bigint
  from_balance: bigint | null
  to_balance: bigint | null
  link: bigint | null
  reason: string | null
  reference: string | null
  metadata: string | null
  actor_id: string | null
}
export type HoldRow = {
  seq: bigint
  account: number
  point: number
  amount: bigint
  expires_us: bigint
  ended_seq: bigint | null
}

export type AwardRow = Omit<HoldRow, 'expires_us'> & { grant_us: bigint | null }

/** For rows without long texts: about 10 ms of work. */
const pageSize = 1_000

/** The file can't be consistent as of its entry: a member had points then and has been removed since. */
export class MemberLeft extends RefusalError {
  constructor() {
    const detail = 'A member who had points was removed while the export ran. Nothing is lost: export again.'
    super({ code: 'unavailable', detail })
  }
}

export type Whole = RealmRow & { readonly points: readonly PointRow[] }

export async function readRealm(db: Queryable, realm: number): Promise<Whole> {
  const { rows } = await db.query<RealmRow>(statements.readRealm, [realm])
  const [found] = rows
  if (!found) throw new RefusalError(wrongCell)
  // After the head: the point type of an entry is older than the entry.
  const { rows: points } = await db.query<PointRow>(statements.readPoints, [realm])
  return { ...found, points }
}

/** Members with accounts below `end`, in their order, and the account before each page. */
export async function* readMembers(
  db: Queryable,
  realm: number,
  end: number,
): AsyncGenerator<{ readonly after: number; readonly upTo: number; readonly rows: MemberRow[] }> {
  for (let after = 0, count = rowsAfter([]); ; ) {
    const { rows } = await db.query<MemberRow>(statements.readMembers, [realm, after, end, count])
    const last = rows.at(-1)
    if (!last) return
    yield { after, upTo: last.account, rows }
    after = last.account
    count = rowsAfter(rows)
  }
}

type Range = { readonly after: number; readonly upTo: number }

export const readWallets = async (db: Queryable, realm: number, { after, upTo }: Range) =>
  (await db.query<WalletRow>(statements.readWallets, [realm, after, upTo])).rows

/** Of these accounts, and their held and pending balances. */
export async function readBalancesAt(
  db: Queryable,
  realm: number,
  { after, upTo, seq }: Range & { readonly seq: bigint },
): Promise<BalanceRow[]> {
  const ask = (from: number, to: number) =>
    db.query<BalanceRow>(statements.readBalancesAt, [realm, from, to, seq])
  const found = await Promise.all([
    ask(after + 1, upTo),
    ask(-upTo, -after - 1),
    ask(pendingOf(upTo), pendingOf(after + 1)),
  ])
  return found.flatMap(({ rows }) => rows)
}

export async function* readListedEntries(
  db: Queryable,
  realm: number,
  upTo: bigint,
): AsyncGenerator<ListedEntry[]> {
  for (let after = 0n, count = rowsAfter([]); ; ) {
    const { rows } = await db.query<ListedEntry>(statements.readEntries, [realm, after, upTo, count])
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.seq
    count = rowsAfter(rows)
  }
}

export const readHolds = (db: Queryable, realm: number, upTo: bigint): AsyncGenerator<HoldRow[]> =>
  readBySeq<HoldRow>(db, statements.readHolds, { realm, upTo })

export const readAwards = (db: Queryable, realm: number, upTo: bigint): AsyncGenerator<AwardRow[]> =>
  readBySeq<AwardRow>(db, statements.readAwards, { realm, upTo })

async function* readBySeq<Row extends { readonly seq: bigint }>(
  db: Queryable,
  statement: ReadStatement,
  { realm, upTo }: { readonly realm: number; readonly upTo: bigint },
): AsyncGenerator<Row[]> {
  for (let after = 0n; ; ) {
    const { rows } = await db.query<Row>(statement, [realm, after, upTo, pageSize])
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.seq
  }
}
