import { plainArray as plain } from '../db/arrays.ts'
import type { Queryable } from '../db/session.ts'
import type { Range } from './days.ts'

/** What boards are built from, and the members they list. */
export const statements = {
  readBalances: {
    name: 'standings_read_balances',
    text: `select account, balance from balances
      where realm = $1 and account > $3 and point = $2 order by account limit $4`,
  },
  readGains: {
    name: 'standings_read_gains',
    text: `select day, account, gained, seq from gains
      where realm = $1 and build = $2 and point = $3 and (day, account) > ($4, $5) and day <= $6
      order by day, account limit $7`,
  },
  /** The balances after each entry, and a part of its hash that identifies it. */
  readMoves: {
    name: 'standings_read_moves',
    text: `select j.seq::float8, j.point, j.from_account, j.to_account, j.from_balance::float8,
        j.to_balance::float8, left(encode(j.hash, 'hex'), 16) as mark
      from bound_journal j where j.realm = $1 and j.seq > $2 order by j.seq limit $3`,
  },
  seqBefore: { name: 'standings_seq_before', text: 'select seq_at($1, $2) as seq' },
  /** Members that no board lists: hidden ones, which have their own index, and removed ones. */
  readHidden: {
    name: 'standings_read_hidden',
    text: `select account from members where realm = $1 and hidden and account > $2
      order by account limit $3`,
  },
  readDeparted: {
    name: 'standings_read_departed',
    text: 'select account from departures where realm = $1 and account > $2 order by account limit $3',
  },
  findAccounts: {
    name: 'standings_find_accounts',
    text: `select m.account from unnest($2::bigint[]) as asked (id)
      cross join lateral (select account from members where realm = $1 and id = asked.id limit 1) m`,
  },
  readListed: {
    name: 'standings_read_listed',
    text: `select m.account, m.id, m.username, m.display_name, m.joined_at, b.balance, b.at_us, w.address
      from unnest($2::integer[]) as asked (account)
      cross join lateral (select account, id, username, display_name, joined_at from members
        where realm = $1 and account = asked.account limit 1) m
      left join lateral (select balance, at_us from balances
        where realm = $1 and account = m.account and point = $3 limit 1) b on true
      left join lateral (select address from wallets
        where realm = $1 and account = m.account order by merged nulls first, linked_at, address
        limit 1) w on true`,
  },
} as const

const pageSize = 5_000

type BalanceRow = { account: number; balance: bigint }

export async function* readBalances(
  db: Queryable,
  realm: number,
  point: number,
): AsyncGenerator<BalanceRow[]> {
  for (let after = 0; ; ) {
    const { rows } = await db.query<BalanceRow>(statements.readBalances, [realm, point, after, pageSize])
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.account
  }
}

type GainRow = { day: number; account: number; gained: string; seq: bigint }
type Asked = { readonly build: number; readonly point: number; readonly range: Range }

export async function* readGains(
  db: Queryable,
  realm: number,
  { build, point, range }: Asked,
): AsyncGenerator<GainRow[]> {
  for (let after = [range.from, 0]; ; ) {
    const values = [realm, build, point, ...after, range.to, pageSize]
    const { rows } = await db.query<GainRow>(statements.readGains, values)
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = [last.day, last.account]
  }
}

export type MoveRow = {
  seq: number
  mark: string
  point: number
  from_account: number
  to_account: number
  from_balance: number | null
  to_balance: number | null
}

export async function readMoves(
  db: Queryable,
  realm: number,
  { after, limit }: { readonly after: bigint; readonly limit: number },
): Promise<MoveRow[]> {
  return (await db.query<MoveRow>(statements.readMoves, [realm, after, limit])).rows
}

/** The last entry at or before a time; 0 when there is none. */
export async function seqBefore(db: Queryable, realm: number, momentUs: number): Promise<bigint> {
  const [row] = (await db.query<{ seq: bigint }>(statements.seqBefore, [realm, momentUs])).rows
  return row?.seq ?? 0n
}

export type Unlisted = { readonly hidden: ReadonlySet<number>; readonly departed: ReadonlySet<number> }

/** The departed are those that were removed or merged. */
export async function readUnlisted(db: Queryable, realm: number): Promise<Unlisted> {
  const read = async (statement: typeof statements.readHidden | typeof statements.readDeparted) => {
    const accounts = new Set<number>()
    for (let after = 0; ; ) {
      const { rows } = await db.query<{ account: number }>(statement, [realm, after, pageSize])
      for (const { account } of rows) accounts.add(account)
      const last = rows.at(-1)
      if (!last || rows.length < pageSize) return accounts
      after = last.account
    }
  }
  const hidden = await read(statements.readHidden)
  return { hidden, departed: await read(statements.readDeparted) }
}

/** The accounts of those ids that are members. */
export async function findAccounts(
  db: Queryable,
  realm: number,
  ids: readonly string[],
): Promise<Set<number>> {
  const values = [realm, plain(ids, (id) => id)]
  const { rows } = await db.query<{ account: number }>(statements.findAccounts, values)
  return new Set(rows.map((row) => row.account))
}

export type ListedRow = {
  account: number
  id: bigint
  username: string | null
  display_name: string | null
  joined_at: Date
  balance: bigint | null
  at_us: bigint | null
  address: string | null
}

export async function readListed(
  db: Queryable,
  realm: number,
  { accounts, point }: { readonly accounts: readonly number[]; readonly point: number },
): Promise<ReadonlyMap<number, ListedRow>> {
  const values = [realm, plain(accounts, (account) => account), point]
  const { rows } = await db.query<ListedRow>(statements.readListed, values)
  return new Map(rows.map((row) => [row.account, row]))
}
