import { plainArray as plain } from '../../db/arrays.ts'

/**
 * The statements for points that are set aside: held points and pending awards, each with a table of its own
 * and an account below 0. Each statement runs for a whole batch.
 */
type SetAside = {
  readonly table: 'holds' | 'awards'
  /** The column with the time at which it ends by itself. */
  readonly due: 'expires_us' | 'grant_us'
  /** The account of the points that are set aside, from the member's. */
  readonly account: (owner: string) => string
  /** Whether the points keep the days on which they lapse. */
  readonly hasLots: boolean
}

/** The lots of the entry that reserved points: there are none as long as the balance has none. */
const lotsText = `left join lateral (select lots from bound_journal
        where b.lots is not null and realm = asked.realm and seq = asked.seq limit 1) j on true
      `

/** With the member's balances, spendable and set aside. */
export const readText = ({ table, due, account, hasLots }: SetAside): string =>
  `select asked.realm, h.seq, h.account, h.point, h.amount, h.${due} as due_us, h.ended_seq, m.id, m.frozen,
        b.balance, b.seq as balance_seq, c.balance as held, c.seq as held_seq,
        b.lots as balance_lots${hasLots ? ', j.lots' : ''}
      from unnest($1::integer[], $2::bigint[]) as asked (realm, seq)
      cross join lateral (select * from ${table} where realm = asked.realm and seq = asked.seq limit 1) h
      left join lateral (select id::text, frozen_at is not null as frozen from members
        where realm = asked.realm and account = h.account limit 1) m on true
      left join lateral (select balance, seq, lots from balances
        where realm = asked.realm and account = h.account and point = h.point limit 1) b on true
      ${hasLots ? lotsText : ''}left join lateral (select balance, seq from balances
        where realm = asked.realm and account = ${account('h.account')} and point = h.point
        limit 1) c on true`

/** What members have set aside already. */
export const readBalanceText = ({ account }: SetAside): string =>
  `select asked.realm, ${account('m.account')} as account, asked.point, b.balance, b.seq
      from unnest($1::integer[], $2::bigint[], $3::smallint[]) as asked (realm, id, point)
      cross join lateral (select account from members
        where realm = asked.realm and id = asked.id limit 1) m
      cross join lateral (select balance, seq from balances
        where realm = asked.realm and account = ${account('m.account')} and point = asked.point limit 1) b`

export const insertText = ({ table, due }: SetAside): string =>
  `insert into ${table} (realm, seq, account, point, amount, ${due})
      select * from unnest($1::integer[], $2::bigint[], $3::integer[], $4::smallint[], $5::bigint[],
        $6::bigint[])`

/** Those of these rows that have not ended, with the place of each. */
export const openText = (table: string, asked: string, columns: string): string =>
  `with known as (
        select n.*, o.place
        from unnest(${asked}) as n (${columns})
        cross join lateral (select ctid as place from ${table}
          where realm = n.realm and seq = n.seq and ${table}.ended_seq is null limit 1) o offset 0)`

export const endText = ({ table }: SetAside): string =>
  `${openText(table, '$1::integer[], $2::bigint[], $3::bigint[]', 'realm, seq, ended_seq')},
      ended as (
        update ${table} h set ended_seq = k.ended_seq
        from known k where h.ctid = k.place and h.realm is not distinct from k.realm returning 1)
      select expect_rows((select count(*) from ended), cardinality($1::integer[]))`

export type Rows<T> = readonly { readonly realm: number; readonly row: T }[]

type New = {
  readonly account: number
  readonly point: number
  readonly amount: bigint
  readonly dueUs: bigint | null
}

/** The values of `insertText`. */
export function newRows<T extends { readonly seq: bigint }>(rows: Rows<T>, newOf: (row: T) => New): string[] {
  const made = rows.map(({ row }) => newOf(row))
  return [
    ...seqRows(rows, () => 0n).slice(0, 2),
    plain(made, ({ account }) => account),
    plain(made, ({ point }) => point),
    plain(made, ({ amount }) => amount),
    plain(made, ({ dueUs }) => dueUs),
  ]
}

/** Rows by realm and seq, with one number more. */
export const seqRows = <T extends { readonly seq: bigint }>(
  rows: Rows<T>,
  of: (row: T) => bigint,
): string[] => [
  plain(rows, ({ realm }) => realm),
  plain(rows, ({ row }) => row.seq),
  plain(rows, ({ row }) => of(row)),
]
