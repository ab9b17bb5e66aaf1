import type { Queryable } from '../../db/session.ts'
import { pendingText } from '../rules/accounts.ts'
import { entryTypes } from '../rules/entryTypes.ts'

/** What of a merge contradicts the journal. */
export const statements = {
  /**
   * A page of merges: how many of its entries are what they should be, the first entry that moves the merged
   * account again before the merge is undone, and whether that account has points.
   */
  read: {
    name: 'verify_read_merges',
    text: `select m.number, m.from_account, m.entries, c.right as right_entries,
        least(a.seq, b.seq, d.seq, g.seq) as again, m.undoes is null and u.number is null and exists (
          select from unnest(array[m.from_account, -m.from_account,
            ${pendingText('m.from_account')}]) as s (account)
          cross join lateral (select from balances
            where realm = $1 and account = s.account and balance <> 0 limit 1) b) as has_points
      from (select * from merges where realm = $1 and number > $2 order by number limit $3) m
      left join lateral (select number, after_seq - entries as before_seq from merges
        where realm = $1 and undoes = m.number limit 1) u on true
      cross join lateral (select count(*)::integer as right from bound_journal
        where realm = $1 and seq > m.after_seq - m.entries and seq <= m.after_seq
          and case when m.undoes is null
            then kind = ${entryTypes.merge.number} and from_account = m.from_account
              and to_account = m.to_account
            else kind = ${entryTypes.reversal.number} and from_account = m.to_account
              and to_account = m.from_account end) c
      left join lateral (select seq from bound_journal where m.undoes is null and realm = $1
        and from_account = m.from_account and from_account > 0 and seq > m.after_seq
        and seq <= coalesce(u.before_seq, 9223372036854775807) order by seq limit 1) a on true
      left join lateral (select seq from bound_journal where m.undoes is null and realm = $1
        and to_account = m.from_account and to_account > 0 and seq > m.after_seq
        and seq <= coalesce(u.before_seq, 9223372036854775807) order by seq limit 1) b on true
      left join lateral (select seq from bound_journal where m.undoes is null and realm = $1
        and from_account = -m.from_account and from_account < 0 and seq > m.after_seq
        and seq <= coalesce(u.before_seq, 9223372036854775807) order by seq limit 1) d on true
      left join lateral (select seq from bound_journal where m.undoes is null and realm = $1
        and from_account = ${pendingText('m.from_account')} and from_account < 0 and seq > m.after_seq
        and seq <= coalesce(u.before_seq, 9223372036854775807) order by seq limit 1) g on true
      order by m.number`,
  },
  /** All merges, and what undid them. */
  readLinks: {
    name: 'verify_read_merge_links',
    text: `select number, from_account, to_account, after_seq, undoes from merges
      where realm = $1 order by number`,
  },
} as const

export type MergeRow = {
  number: number
  from_account: number
  entries: number
  right_entries: number
  /** The first entry that moves the account again. */
  again: bigint | null
  has_points: boolean
}

export async function readMerges(
  db: Queryable,
  realm: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<MergeRow[]> {
  return (await db.query<MergeRow>(statements.read, [realm, after, limit])).rows
}

export type MergeLink = {
  readonly number: number
  readonly from_account: number
  readonly to_account: number
  /** The last entry when it happened. */
  readonly after_seq: bigint
  /** The merge that it undoes. */
  readonly undoes: number | null
}

export async function readMergeLinks(db: Queryable, realm: number): Promise<readonly MergeLink[]> {
  return (await db.query<MergeLink>(statements.readLinks, [realm])).rows
}
