import type { Queryable } from '../../db/session.ts'
import { RefusalError, wrongCell } from '../../errors.ts'
import { pageSize } from './store.ts'

export const statements = {
  /**
   * The members who have points of a type at an entry, by account, each with the first proved of its wallets
   * that are valid on this chain: an account's, or a contract's that was proved there. A balance that has
   * changed since is read from the last entry before.
   */
  readHolders: {
    name: 'snapshots_read_holders',
    text: `select h.account, m.id::text, m.frozen_at is not null as frozen, h.balance, h.seq, h.lots,
        w.address
      from (select b.account, b.seq, b.lots, case when b.seq <= $4 then b.balance else (
          select j.balance from (
            (select seq, from_balance as balance from bound_journal
              where b.seq > $4 and realm = $1 and from_account = b.account and from_account > 0 and seq <= $4
                and point = $2 order by seq desc limit 1)
            union all
            (select seq, to_balance from bound_journal
              where b.seq > $4 and realm = $1 and to_account = b.account and to_account > 0 and seq <= $4
                and point = $2 order by seq desc limit 1)
          ) j order by j.seq desc limit 1) end as balance
        from balances b where b.realm = $1 and b.account > $5 and b.point = $2) h
      cross join lateral (select id, frozen_at from members
        where realm = $1 and account = h.account limit 1) m
      left join lateral (select address from wallets
        where realm = $1 and account = h.account and verified_at is not null and chain in ('eip155', $3)
        order by merged nulls first, verified_at, match limit 1) w on true
      where h.balance > 0 order by h.account limit $6`,
  },
  readHash: {
    name: 'snapshots_read_hash',
    text: `select h.seq as head, (select encode(j.hash, 'hex') from bound_journal j
          where j.realm = $1 and j.seq = coalesce($2::bigint, h.seq)) as hash
      from heads h where h.realm = $1`,
  },
} as const

export type HolderRow = {
  account: number
  id: string
  frozen: boolean
  balance: bigint
  seq: bigint
  /** Of the balance as it is now. */
  lots: string | null
  address: string | null
}

type Asked = {
  readonly point: number
  readonly chain: string
  readonly seq: bigint
}

/** In pages, by account. */
export async function* readHolders(
  db: Queryable,
  realm: number,
  { point, chain, seq }: Asked,
): AsyncGenerator<HolderRow[]> {
  for (let after = 0; ; ) {
    const values = [realm, point, chain, seq, after, pageSize]
    const { rows } = await db.query<HolderRow>(statements.readHolders, values)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < pageSize) return
    after = last.account
  }
}

/** The hash of an entry, by default the last; null when there is no such entry. */
export async function readHash(
  db: Queryable,
  realm: number,
  seq: bigint | undefined,
): Promise<{ head: bigint; hash: string | null }> {
  const { rows } = await db.query<{ head: bigint; hash: string | null }>(statements.readHash, [realm, seq])
  const [row] = rows
  if (!row) throw new RefusalError(wrongCell)
  return row
}
