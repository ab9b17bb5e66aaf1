import type { Queryable } from '../../db/session.ts'

export const statements = {
  readHold: {
    name: 'holds_read',
    text: `select h.seq, m.id::text as member, p.id as point, h.amount, h.expires_us, h.ended_seq,
        j.kind as ended_kind
      from (select * from holds where realm = $1 and seq = $2 limit 1) h
      left join lateral (select kind from bound_journal
        where realm = $1 and seq = h.ended_seq limit 1) j on true
      cross join lateral (select id from points where realm = $1 and number = h.point limit 1) p
      left join lateral (select id from members where realm = $1 and account = h.account limit 1) m on true`,
  },
  listHolds: {
    name: 'holds_list',
    text: `select h.seq, m.id::text as member, p.id as point, h.amount, h.expires_us, h.ended_seq
      from ((select account from members where realm = $1 and id = $2 limit 1)
          union all
          (select account from identities where realm = $1 and provider = 'id' and subject = $2::text limit 1)
          limit 1) s
      cross join lateral (select id, account from members where realm = $1 and account = s.account limit 1) m
      cross join lateral (select * from holds where realm = $1 and account = m.account and ended_seq is null
        and seq < $3 order by seq desc limit $4) h
      cross join lateral (select id from points where realm = $1 and number = h.point limit 1) p
      order by h.seq desc`,
  },
  listOfRealm: {
    name: 'holds_list_of_realm',
    text: `select h.seq, m.id::text as member, p.id as point, h.amount, h.expires_us, h.ended_seq
      from (select * from holds where realm = $1 and ended_seq is null and seq < $2
        order by seq desc limit $3) h
      cross join lateral (select id from points where realm = $1 and number = h.point limit 1) p
      left join lateral (select id from members where realm = $1 and account = h.account limit 1) m on true
      order by h.seq desc`,
  },
  /** The spendable balance of a hold's member, as of an entry. */
  readSpendable: {
    name: 'holds_read_spendable',
    text: `select case when b.seq <= $3 then b.balance
          when coalesce(o.seq, 0) > coalesce(i.seq, 0) then o.balance else i.balance end as balance
      from (select account, point from holds where realm = $1 and seq = $2 limit 1) h
      left join lateral (select balance, seq from balances
        where realm = $1 and account = h.account and point = h.point limit 1) b on true
      left join lateral (select seq, from_balance as balance from bound_journal
        where realm = $1 and from_account = h.account and from_account > 0 and seq <= $3
          and point = h.point and b.seq > $3 order by seq desc limit 1) o on true
      left join lateral (select seq, to_balance as balance from bound_journal
        where realm = $1 and to_account = h.account and to_account > 0 and seq <= $3
          and seq > coalesce(o.seq, 0) and point = h.point and b.seq > $3 order by seq desc limit 1) i
        on true`,
  },
} as const

/** Above every entry number. */
const latest = 9_223_372_036_854_775_807n

/** A page of open holds, newest first: those created before this entry. */
export type HoldPage = { readonly before: bigint | undefined; readonly limit: number }

export type HoldView = {
  seq: bigint
  member: string | null
  point: string
  amount: bigint
  expires_us: bigint
  ended_seq: bigint | null
  /** The kind of the entry that ended it; not read where all are open. */
  ended_kind?: number | null
}

export async function readHold(db: Queryable, realm: number, seq: bigint): Promise<HoldView | undefined> {
  return (await db.query<HoldView>(statements.readHold, [realm, seq])).rows[0]
}

export async function readSpendable(
  db: Queryable,
  realm: number,
  { hold, seq }: { readonly hold: bigint; readonly seq: bigint },
): Promise<bigint> {
  const { rows } = await db.query<{ balance: bigint | null }>(statements.readSpendable, [realm, hold, seq])
  return rows[0]?.balance ?? 0n
}

export async function listHolds(
  db: Queryable,
  realm: number,
  { member, before, limit }: HoldPage & { readonly member: string },
): Promise<HoldView[]> {
  return (await db.query<HoldView>(statements.listHolds, [realm, member, before ?? latest, limit])).rows
}

/** The open holds of all members, including removed ones. */
export async function listRealmHolds(
  db: Queryable,
  realm: number,
  { before, limit }: HoldPage,
): Promise<HoldView[]> {
  return (await db.query<HoldView>(statements.listOfRealm, [realm, before ?? latest, limit])).rows
}
