import { plainArray, textArray } from '../db/arrays.ts'
import type { Queryable } from '../db/session.ts'

export const statements = {
  findOwners: {
    name: 'wallets_find_owners',
    text: `select w.match, m.id::text from unnest($2::text[]) as asked (match)
      cross join lateral (select match, account from wallets
        where realm = $1 and match = asked.match limit 1) w
      cross join lateral (select id from members where realm = $1 and account = w.account limit 1) m`,
  },
  /**
   * One row for each wallet of the member, one empty row when it has none, no row when there is no member.
   */
  readWallets: {
    name: 'wallets_read',
    text: `select w.address, w.chain, w.linked_at, w.verified_at
      from members m left join wallets w on w.realm = m.realm and w.account = m.account
      where m.realm = $1 and m.id = $2 order by w.linked_at, w.address`,
  },
  /** A wallet that the same member has already stays as it is; another member's is not taken. */
  insertWallet: {
    name: 'wallets_insert',
    text: `insert into wallets (realm, match, account, address, chain) values ($1, $2, $3, $4, $5)
      on conflict (realm, match) do update set chain = wallets.chain
      where wallets.account = excluded.account returning realm`,
  },
  /** Leaves out a wallet that anyone has. */
  insertWallets: {
    name: 'wallets_insert_many',
    text: `insert into wallets (realm, match, account, address, chain)
      select $1::integer, n.match, m.account, n.address, n.chain
      from unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) as n (id, match, address, chain)
      cross join lateral (select account from members where realm = $1 and id = n.id limit 1) m
      on conflict (realm, match) do nothing`,
  },
  deleteWallet: {
    name: 'wallets_delete',
    text: 'delete from wallets where realm = $1 and match = $2 and account = $3',
  },
  deleteWallets: {
    name: 'wallets_delete_all',
    text: 'delete from wallets where realm = $1 and account = $2',
  },
} as const

export type WalletRow = {
  address: string | null
  chain: string | null
  linked_at: Date | null
  verified_at: Date | null
}

export async function findOwners(
  db: Queryable,
  realm: number,
  matches: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const values = [realm, textArray(matches, (match) => match)]
  const { rows } = await db.query<{ match: string; id: string }>(statements.findOwners, values)
  return new Map(rows.map((row) => [row.match, row.id]))
}

export async function readWallets(db: Queryable, realm: number, member: string): Promise<WalletRow[]> {
  return (await db.query<WalletRow>(statements.readWallets, [realm, member])).rows
}

export type NewWallet = { realm: number; account: number; match: string; address: string; chain: string }

/** False when the wallet is another member's. */
export async function insertWallet(db: Queryable, wallet: NewWallet): Promise<boolean> {
  const { realm, match, account, address, chain } = wallet
  const { count } = await db.query(statements.insertWallet, [realm, match, account, address, chain])
  return count === 1
}

/** A wallet in its forms, and the member that it is linked to. */
export type LinkRow = {
  readonly member: string
  readonly match: string
  readonly shown: string
  readonly chain: string
}

/** How many were linked: only those that nobody has. */
export async function insertWallets(db: Queryable, realm: number, rows: readonly LinkRow[]): Promise<number> {
  const { count } = await db.query(statements.insertWallets, [
    realm,
    plainArray(rows, ({ member }) => member),
    textArray(rows, ({ match }) => match),
    textArray(rows, ({ shown }) => shown),
    textArray(rows, ({ chain }) => chain),
  ])
  return count
}

export async function deleteWallet(
  db: Queryable,
  { realm, match, account }: { realm: number; match: string; account: number },
): Promise<boolean> {
  return (await db.query(statements.deleteWallet, [realm, match, account])).count === 1
}

export async function deleteWallets(db: Queryable, realm: number, account: number): Promise<void> {
  await db.query(statements.deleteWallets, [realm, account])
}
