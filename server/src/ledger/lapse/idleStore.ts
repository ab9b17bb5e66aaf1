import { plainArray as plain } from '../../db/arrays.ts'
import type { Queryable } from '../../db/session.ts'
import type { ActivityType } from '../../realms/index.ts'
import { entryTypes, numbersWith } from '../rules/entryTypes.ts'
import type { DuePoint, PagePlace } from './sweepStore.ts'

/** The point type is `$1` and `$2`; `$3` and `$4` are whether earning and spending points are activity. */

const merge = entryTypes.merge.number
const earned = `kind = any (array[${numbersWith('isEarned').join(', ')}])`
const restored = `kind = ${entryTypes.reversal.number} and from_account = 0 and exists (
            select from bound_journal l where l.realm = $1 and l.seq = j.link
              and l.kind = ${entryTypes.lapse.number})`

/** The accounts of a member: its own, and those that were merged into it. */
const accountsOf = (account: string): string => `(select ${account} as account union all
          select merged from identities where realm = $1 and account = ${account} and merged is not null)`

/**
 * The last entries of an account `a` after `after` that count: one for each type of activity. Points of a
 * lapse that come back are always activity.
 */
const activeAfter = (after: string): string => `(
          (select seq, at_us from bound_journal j
            where realm = $1 and to_account = a.account and to_account > 0 and seq > ${after} and point = $2
              and ($3 and ${earned} or ${restored})
            order by seq desc limit 1)
          union all (select seq, at_us from bound_journal
            where realm = $1 and from_account = a.account and from_account > 0 and seq > ${after}
              and point = $2 and kind = ${entryTypes.adjust.number} and $4
            order by seq desc limit 1)
          union all (select seq, at_us from bound_journal
            where realm = $1 and from_account = -a.account and from_account < 0 and seq > ${after}
              and point = $2 and kind = ${entryTypes.capture.number} and $4
            order by seq desc limit 1))`

/** The last entry before a day of a time zone begins. */
const seqBefore = (day: string, zone: string): string => `(select seq_at($1, (extract(epoch from
          (date '1970-01-01' + ${day}::integer)::timestamp at time zone ${zone}::text)
          * 1000000)::bigint - 1) as seq offset 0)`

const hasNoneSince = `not exists (
          select from ${accountsOf('p.account')} a cross join lateral ${activeAfter('s.seq')} x)`

export const statements = {
  /**
   * A page of all balances by their key: the accounts of members who were not active since day $8 began, and
   * the last row. What is due is decided with the last activity of each.
   */
  readPage: {
    name: 'idle_read_page',
    text: `with page as materialized (
        select account, point, balance from balances
        where realm = $1 and (account, point) > ($5, $6) order by account, point limit $7)
      select p.account, p.point, m.account is not null as is_idle, h.config_version
      from ${seqBefore('$8', '$9')} s
      cross join page p
      cross join lateral (select config_version from heads where realm = $1 limit 1) h
      left join lateral (select account from members
        where realm = $1 and account = p.account and frozen_at is null
          and (unfrozen_at is null or unfrozen_at <= statement_timestamp() - interval '24 hours')
          and p.account > 0 and p.point = $2 and p.balance > 0 and ${hasNoneSince}
        limit 1) m on true
      where m.account is not null or (p.account, p.point) = (select account, point from page
        order by account desc, point desc limit 1)
      order by p.account, p.point`,
  },
  /** Accounts of a page whose members were not active since a day, where a webhook asks for them. */
  readSoon: {
    name: 'idle_read_soon',
    text: `select p.account
      from ${seqBefore('$9', '$10')} s
      cross join lateral (select account, point, balance from balances
        where realm = $1 and (account, point) > ($5, $6) and (account, point) <= ($7, $8)
          and exists (select from endpoints e where e.realm = $1
            and (e.types is null or 'points.lapsing' = any (e.types)) offset 0)
        offset 0) p
      cross join lateral (select from members
        where realm = $1 and account = p.account and frozen_at is null and p.account > 0
          and p.point = $2 and p.balance > 0 and ${hasNoneSince} limit 1) m
      order by p.account`,
  },
  /**
   * Balances of members, with the last entry that counts. The first one by which an account got points counts
   * where no other does, unless it is a merge: the merged account has its own.
   */
  readIdle: {
    name: 'idle_read_balances',
    text: `select asked.account, m.id::text as id, b.balance, b.seq, h.seq as held_seq, l.seq as last_seq,
        l.at_us as last_us
      from unnest($5::integer[]) as asked (account)
      cross join lateral (select id from members
        where realm = $1 and account = asked.account limit 1) m
      cross join lateral (select balance, seq from balances
        where realm = $1 and account = asked.account and point = $2 and balance > 0 limit 1) b
      left join lateral (select seq from balances
        where realm = $1 and account = -asked.account and point = $2 limit 1) h on true
      cross join lateral (select e.seq, e.at_us
        from ${accountsOf('asked.account')} a
        cross join lateral (select seq, at_us from (
            select seq, at_us, true as counts from ${activeAfter('0')} x
            union all (select seq, at_us, false from bound_journal
              where realm = $1 and to_account = a.account and to_account > 0 and point = $2
                and kind <> ${merge}
              order by seq limit 1)) o
          order by counts desc, seq desc limit 1) e
        order by e.seq desc limit 1) l
      order by asked.account`,
  },
} as const

/** A point type, and what is activity by its rule. */
export type IdlePoint = DuePoint & { readonly by: readonly ActivityType[] }

const valuesOf = ({ realm, point, by }: IdlePoint) => [
  realm,
  point,
  by.includes('earned'),
  by.includes('spent'),
]

/** A day in a time zone. */
export type ZoneDay = { readonly day: number; readonly timeZone: string }

type PageRow = { account: number; point: number; is_idle: boolean; config_version: number }

type PageQuery = { readonly after: PagePlace; readonly limit: number; readonly since: ZoneDay }

export async function readIdlePage(
  db: Queryable,
  point: IdlePoint,
  { after, limit, since }: PageQuery,
): Promise<PageRow[]> {
  const values = [...valuesOf(point), ...after, limit, since.day, since.timeZone]
  return (await db.query<PageRow>(statements.readPage, values)).rows
}

type SoonQuery = { readonly after: PagePlace; readonly last: PagePlace; readonly since: ZoneDay }

export async function readIdleSoon(
  db: Queryable,
  point: IdlePoint,
  { after, last, since }: SoonQuery,
): Promise<number[]> {
  const values = [...valuesOf(point), ...after, ...last, since.day, since.timeZone]
  const { rows } = await db.query<{ account: number }>(statements.readSoon, values)
  return rows.map(({ account }) => account)
}

type IdleRow = {
  account: number
  id: string
  balance: bigint
  seq: bigint
  held_seq: bigint | null
  last_seq: bigint
  last_us: bigint
}

/** Those of these accounts that have points. */
export async function readIdleBalances(
  db: Queryable,
  point: IdlePoint,
  accounts: readonly number[],
): Promise<IdleRow[]> {
  if (accounts.length === 0) return []
  const values = [...valuesOf(point), plain(accounts, (account) => account)]
  return (await db.query<IdleRow>(statements.readIdle, values)).rows
}
