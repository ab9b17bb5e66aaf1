import { plainArray, textArray } from '../db/arrays.ts'
import type { Queryable, Writable } from '../db/session.ts'
import { textRows } from '../db/statement.ts'

export const statements = {
  findOwners: {
    name: 'wallets_find_owners',
    text: `select asked.place, m.id from unnest($2::text[]) with ordinality as asked (match, place)
      cross join lateral (select account from wallets
        where realm = $1 and match = asked.match limit 1) w
      cross join lateral (select id from members where realm = $1 and account = w.account limit 1) m`,
    ...textRows,
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
  /** The same from a position on, in the order they were linked. */
  listWallets: {
    name: 'wallets_list',
    text: `select w.address, w.chain, w.linked_at, w.verified_at,
        (extract(epoch from w.linked_at) * 1000000)::bigint as linked_us
      from members m left join lateral (select * from wallets
        where realm = $1 and account = m.account and ($3::float8 is null or (linked_at, address)
          > ('epoch'::timestamptz + $3 * interval '1 microsecond', $4::text collate "C"))
        order by linked_at, address collate "C" limit $5) w on true
      where m.realm = $1 and m.id = $2 order by w.linked_at, w.address collate "C"`,
  },
  /** A wallet of the same member stays as it is; another member's is not relinked. */
  insertWallet: {
    name: 'wallets_insert',
    writes: true,
    text: `insert into wallets (realm, match, account, address, chain) values ($1, $2, $3, $4, $5)
      on conflict (realm, match) do update set chain = wallets.chain
      where wallets.account = excluded.account returning (xmax = 0) as made`,
  },
  /**
   * Relinks a wallet unless another member has proved it. Of two members who prove the same wallet at once,
   * the second waits for the row and finds it proved.
   */
  insertProved: {
    name: 'wallets_insert_proved',
    writes: true,
    text: `with kept as (
        insert into wallets (realm, match, account, address, chain, verified_at)
        values ($1, $2, $3, $4, $5, clock_timestamp())
        on conflict (realm, match) do update set account = excluded.account, address = excluded.address,
          chain = excluded.chain, verified_at = excluded.verified_at,
          merged = case when wallets.account = excluded.account then wallets.merged end,
          linked_at = case when wallets.account = excluded.account then wallets.linked_at
            else excluded.verified_at end
        where wallets.verified_at is null or wallets.account = excluded.account returning realm)
      select (select w.account from wallets w where w.realm = $1 and w.match = $2) as before
      from kept where kept.realm = $1`,
  },
  insertAct: {
    name: 'wallets_insert_act',
    writes: true,
    text: `insert into wallet_acts (realm, account, act, address, chain, actor)
      values ($1, $2, $3, $4, $5, $6)`,
  },
  insertActs: {
    name: 'wallets_insert_acts',
    writes: true,
    text: `insert into wallet_acts (realm, account, act, address, chain, actor)
      select $1::integer, m.account, 'linked', n.address, n.chain, $5::text
      from unnest($2::bigint[], $3::text[], $4::text[]) as n (id, address, chain)
      cross join lateral (select account from members where realm = $1 and id = n.id limit 1) m`,
  },
  listActs: {
    name: 'wallets_list_acts',
    text: `select a.at, a.act, a.address, a.chain, a.actor from wallet_acts a
      join members m on m.realm = a.realm and m.account = a.account
      where m.realm = $1 and m.id = $2 and a.realm = $1 order by a.at desc, a.id limit $3`,
  },
  deleteActs: {
    name: 'wallets_delete_acts',
    writes: true,
    text: 'delete from wallet_acts where realm = $1 and account = $2',
  },
  /** Skips wallets that are already linked. */
  insertWallets: {
    name: 'wallets_insert_many',
    writes: true,
    text: `insert into wallets (realm, match, account, address, chain)
      select $1::integer, n.match, m.account, n.address, n.chain
      from unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) as n (id, match, address, chain)
      cross join lateral (select account from members where realm = $1 and id = n.id limit 1) m
      on conflict (realm, match) do nothing`,
  },
  deleteWallet: {
    name: 'wallets_delete',
    writes: true,
    text: `delete from wallets where realm = $1 and match = $2 and account = $3
      returning address, chain`,
  },
  deleteWallets: {
    name: 'wallets_delete_all',
    writes: true,
    text: 'delete from wallets where realm = $1 and account = $2',
  },
} as const

export type WalletRow = {
  address: string | null
  chain: string | null
  linked_at: Date | null
  verified_at: Date | null
}

/** The member's id for each wallet, null where it is not linked. */
export async function findOwners(
  db: Queryable,
  realm: number,
  matches: readonly (string | undefined)[],
): Promise<(string | null)[]> {
  const values = [realm, textArray(matches, (match) => match)]
  type Row = readonly [place: string, id: string]
  const { rows } = await db.query<Row>(statements.findOwners, values)
  const owners: (string | null)[] = matches.map(() => null)
  for (const [place, id] of rows) owners[Number(place) - 1] = id
  return owners
}

export async function readWallets(db: Queryable, realm: number, member: string): Promise<WalletRow[]> {
  return (await db.query<WalletRow>(statements.readWallets, [realm, member])).rows
}

export type WalletPage = {
  readonly member: string
  /** The last wallet of the previous page. */
  readonly after: { readonly linkedUs: number; readonly address: string } | undefined
  readonly limit: number
}

export type ListedWallet = WalletRow & { readonly linked_us: bigint | null }

export async function listWallets(
  db: Queryable,
  realm: number,
  { member, after, limit }: WalletPage,
): Promise<ListedWallet[]> {
  const values = [realm, member, after?.linkedUs ?? null, after?.address ?? null, limit]
  return (await db.query<ListedWallet>(statements.listWallets, values)).rows
}

export type NewWallet = { realm: number; account: number; match: string; address: string; chain: string }

/** Undefined when the wallet is another member's; else whether it was linked just now. */
export async function insertWallet(db: Writable, wallet: NewWallet): Promise<{ made: boolean } | undefined> {
  const { realm, match, account, address, chain } = wallet
  const values = [realm, match, account, address, chain]
  return (await db.query<{ made: boolean }>(statements.insertWallet, values)).rows[0]
}

/** A wallet in its forms, and the member that it is linked to. */
export type LinkRow = {
  readonly member: string
  readonly match: string
  readonly shown: string
  readonly chain: string
}

/** How many were linked: only those that were not linked yet. */
export async function insertWallets(db: Writable, realm: number, rows: readonly LinkRow[]): Promise<number> {
  const { count } = await db.query(statements.insertWallets, [
    realm,
    plainArray(rows, ({ member }) => member),
    textArray(rows, ({ match }) => match),
    textArray(rows, ({ shown }) => shown),
    textArray(rows, ({ chain }) => chain),
  ])
  return count
}

/** The account it was linked to before, or null; undefined when another member has proved it. */
export async function insertProved(
  db: Writable,
  { realm, match, account, address, chain }: NewWallet,
): Promise<{ readonly before: number | null } | undefined> {
  const values = [realm, match, account, address, chain]
  return (await db.query<{ before: number | null }>(statements.insertProved, values)).rows[0]
}

/** What happened to a wallet of an account. `taken`: another member has proved that it is theirs. */
export type ActName = 'linked' | 'proved' | 'taken' | 'unlinked'

export type NewAct = {
  readonly realm: number
  readonly account: number
  readonly act: ActName
  readonly address: string
  readonly chain: string
  readonly actor: string
}

export async function insertAct(db: Writable, made: NewAct): Promise<void> {
  const { realm, account, act, address, chain, actor } = made
  await db.query(statements.insertAct, [realm, account, act, address, chain, actor])
}

/** The same for many linked wallets. */
export async function insertActs(
  db: Writable,
  { realm, actor }: { readonly realm: number; readonly actor: string },
  rows: readonly LinkRow[],
): Promise<void> {
  await db.query(statements.insertActs, [
    realm,
    plainArray(rows, ({ member }) => member),
    textArray(rows, ({ shown }) => shown),
    textArray(rows, ({ chain }) => chain),
    actor,
  ])
}

export type ActRow = { at: Date; act: ActName; address: string; chain: string; actor: string }

/** Newest first. */
export async function listActs(
  db: Queryable,
  realm: number,
  { member, limit }: { readonly member: string; readonly limit: number },
): Promise<ActRow[]> {
  return (await db.query<ActRow>(statements.listActs, [realm, member, limit])).rows
}

export type UnlinkedWallet = { address: string; chain: string }

/** Undefined when the account has no such wallet. */
export async function deleteWallet(
  db: Writable,
  { realm, match, account }: { realm: number; match: string; account: number },
): Promise<UnlinkedWallet | undefined> {
  return (await db.query<UnlinkedWallet>(statements.deleteWallet, [realm, match, account])).rows[0]
}

/** Deletes all wallets of an account, and the log of how it got them. */
export async function deleteWallets(db: Writable, realm: number, account: number): Promise<void> {
  await db.query(statements.deleteWallets, [realm, account])
  await db.query(statements.deleteActs, [realm, account])
}
