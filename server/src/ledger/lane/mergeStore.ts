import type { Queryable } from '../../db/session.ts'
import { pendingText } from '../rules/accounts.ts'
import type { MergeEntry } from '../rules/command.ts'

/** What a merge reads of the ledger, under the head lock. */
export const statements = {
  /** All balances of two members: spendable, held and pending. */
  readBalances: {
    name: 'ledger_read_merge_balances',
    text: `select b.account, b.point, b.balance, b.seq, b.lots
      from unnest(array[$2::integer, $3::integer, -$2::integer, -$3::integer, ${pendingText('$2::integer')},
        ${pendingText('$3::integer')}]) as s (account)
      cross join lateral (select account, point, balance, seq, lots from balances
        where realm = $1 and account = s.account offset 0) b`,
  },
  /** The entries of a merge, which are consecutive. */
  readEntries: {
    name: 'ledger_read_merge_entries',
    text: `select seq, point, amount, lots from bound_journal
      where realm = $1 and seq > $2 and seq <= $3 order by seq`,
  },
} as const

export type MergeBalance = {
  readonly account: number
  readonly point: number
  readonly balance: bigint
  readonly seq: bigint
  readonly lots: string | null
}

type Two = { readonly from: number; readonly to: number }

export async function readMergeBalances(
  db: Queryable,
  realm: number,
  { from, to }: Two,
): Promise<MergeBalance[]> {
  return (await db.query<MergeBalance>(statements.readBalances, [realm, from, to])).rows
}

type Span = { readonly afterSeq: bigint; readonly entries: number }

export async function readMergeEntries(
  db: Queryable,
  realm: number,
  { afterSeq, entries }: Span,
): Promise<MergeEntry[]> {
  if (entries === 0) return []
  const values = [realm, afterSeq - BigInt(entries), afterSeq]
  return (await db.query<MergeEntry>(statements.readEntries, values)).rows
}
