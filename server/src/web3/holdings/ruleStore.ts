import type { Queryable } from '../../db/session.ts'

export const statements = {
  /**
   * Members who hold enough in wallets proved on this chain, in the order they joined, of a range of
   * accounts.
   */
  listHolders: {
    name: 'holdings_list_holders',
    text: `select held.account, m.id::text from (
        select w.account from wallets w
        cross join lateral (select amount from holdings
          where realm = $1 and match = w.match and collection = $2 limit 1) h
        where w.realm = $1 and w.account > $3 and w.account <= $4 and w.verified_at is not null
          and w.chain in ('eip155', $7)
        group by w.account having sum(h.amount) >= $5::numeric order by w.account limit $6) held
      cross join lateral (select id from members where realm = $1 and account = held.account limit 1) m
      order by held.account`,
  },
  lastAccount: {
    name: 'holdings_last_account',
    text: 'select next_account - 1 as last from heads where realm = $1',
  },
} as const

export type Holder = { account: number; id: string }

export type RuleInput = {
  readonly realm: number
  readonly collection: { readonly number: number; readonly chain: string }
  readonly atLeast: bigint
}

export type Range = { readonly after: number; readonly upTo: number; readonly limit: number }

export async function listHolders(
  db: Queryable,
  { realm, collection, atLeast }: RuleInput,
  { after, upTo, limit }: Range,
): Promise<Holder[]> {
  const { number, chain } = collection
  const values = [realm, number, after, upTo, String(atLeast), limit, chain]
  return (await db.query<Holder>(statements.listHolders, values)).rows
}

export async function lastAccount(db: Queryable, realm: number): Promise<number> {
  return (await db.query<{ last: number }>(statements.lastAccount, [realm])).rows[0]?.last ?? 0
}
