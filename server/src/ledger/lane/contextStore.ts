import { plainArray as plain, textArray as texts } from '../../db/arrays.ts'
import type { Answer, Queryable, ReadStatement } from '../../db/session.ts'
import { pendingFloor, pendingText } from '../rules/accounts.ts'
import type { Capture, Release, Reverse } from '../rules/command.ts'
import type { DeferredHold, EndedHold, NewHold } from '../rules/state.ts'
import {
  endText,
  insertText,
  newRows,
  openText,
  type Rows,
  readBalanceText,
  readText,
  seqRows,
} from './asideStore.ts'
import type { RetryQuery } from './store.ts'

const held = {
  table: 'holds',
  due: 'expires_us',
  account: (owner: string) => `-${owner}`,
  hasLots: true,
} as const

/**
 * Who gave the points of an entry `j`: a member's held points are the member's; a grant's are the realm's.
 */
const giver = `case when j.from_account < ${pendingFloor} then 0 else abs(j.from_account) end`

/**
 * The accounts that the points of an entry `j` belong to now: members may have been merged since. One look-up
 * more for each side, in an index that is empty in a realm without merges.
 */
const whose = `cross join lateral (select
        coalesce((select account from identities where realm = asked.realm
          and merged = ${giver} limit 1), ${giver}) as from_account,
        coalesce((select account from identities where realm = asked.realm
          and merged = j.to_account limit 1), j.to_account) as to_account offset 0) w`

/** The entry that last moved any points of an account: spendable, held or pending ones. */
export const versionText = (account: string): string =>
  [
    ['b', account],
    ['c', `-${account}`],
    ['d', pendingText(account)],
  ]
    .map(
      ([name, of]) => `cross join lateral (select max(seq) as seq from balances
        where realm = asked.realm and account = ${of}) ${name}`,
    )
    .join('\n      ')

/** What some commands read in addition to accounts and balances. Each statement runs for a whole batch. */
export const statements = {
  /**
   * Entries to reverse: their members, whether they were reversed, and the spendable balances they would
   * move.
   */
  readOriginals: {
    name: 'ledger_read_originals',
    text: `select asked.realm, j.seq, j.kind, j.point, w.from_account, w.to_account,
        j.amount, f.id::text as from_id, t.id::text as to_id, r.seq as reversed_by,
        fb.balance as from_balance, fb.seq as from_seq, tb.balance as to_balance, tb.seq as to_seq,
        j.lots, fb.lots as from_lots, tb.lots as to_lots
      from unnest($1::integer[], $2::bigint[]) as asked (realm, seq)
      cross join lateral (select seq, kind, point, from_account, to_account, amount, lots from bound_journal
        where realm = asked.realm and seq = asked.seq limit 1) j
      ${whose}
      left join lateral (select id from members
        where realm = asked.realm and account = w.from_account limit 1) f on true
      left join lateral (select id from members
        where realm = asked.realm and account = w.to_account limit 1) t on true
      left join lateral (select seq from bound_journal
        where realm = asked.realm and link = asked.seq and kind = 3 limit 1) r on true
      left join lateral (select balance, seq, lots from balances
        where realm = asked.realm and account = w.from_account and point = j.point limit 1) fb on true
      left join lateral (select balance, seq, lots from balances
        where realm = asked.realm and account = w.to_account and point = j.point limit 1) tb on true`,
  },
  /** Holds with the member's balances, spendable and held, and the lots of the entry that reserved them. */
  readHolds: { name: 'ledger_read_holds', text: readText(held) },
  /** What members hold already, for new holds. */
  readHeld: { name: 'ledger_read_held', text: readBalanceText(held) },
  /**
   * What members, and those merged into them, gave by transfers on the day of the entry being decided, in
   * the realm's time zone. That day is the one of now_us, or of the head where entries are ahead of the
   * clock. The time is the statement's, not the transaction's: it is read after the lock, and is the same
   * for all rows.
   */
  readGiven: {
    name: 'ledger_read_given',
    text: `select asked.realm, m.account, asked.point, g.given, t.now_us,
        (extract(epoch from (d.day at time zone asked.zone + interval '1 day')
          at time zone asked.zone) * 1000000)::bigint as ends_us
      from unnest($1::integer[], $2::bigint[], $3::smallint[], $4::text[]) as asked (realm, id, point, zone)
      cross join lateral (select account from members
        where realm = asked.realm and id = asked.id limit 1) m
      cross join lateral (select at_us,
        (extract(epoch from statement_timestamp()) * 1000000)::bigint as now_us
        from heads where realm = asked.realm limit 1) t
      cross join lateral (select date_trunc('day', to_timestamp(greatest(t.now_us, t.at_us) / 1000000.0)
        at time zone asked.zone) at time zone asked.zone as day) d
      cross join lateral (select
        seq_at(asked.realm, (extract(epoch from d.day) * 1000000)::bigint - 1) as seq) s
      cross join lateral (select coalesce(sum(o.given), 0)::bigint as given from (
          select m.account union all select merged from identities
            where realm = asked.realm and account = m.account and merged is not null) a
        cross join lateral (select sum(amount) as given from bound_journal
          where realm = asked.realm and from_account = a.account and from_account > 0 and seq > s.seq
            and point = asked.point and kind = 2 limit 1) o) g`,
  },
  /** The entry that last moved any of a member's points. */
  readVersions: {
    name: 'ledger_read_versions',
    text: `select asked.realm, m.account, greatest(b.seq, c.seq, d.seq, 0) as version
      from unnest($1::integer[], $2::bigint[]) as asked (realm, id)
      cross join lateral (select account from members
        where realm = asked.realm and id = asked.id limit 1) m
      ${versionText('m.account')}`,
  },
  /** The same for the members of these holds. */
  readHolderVersions: {
    name: 'ledger_read_holder_versions',
    text: `select asked.realm, h.account, greatest(b.seq, c.seq, d.seq, 0) as version
      from unnest($1::integer[], $2::bigint[]) as asked (realm, seq)
      cross join lateral (select account from holds
        where realm = asked.realm and seq = asked.seq limit 1) h
      ${versionText('h.account')}`,
  },
  /** The same for the members whose points these entries moved. */
  readSideVersions: {
    name: 'ledger_read_side_versions',
    text: `select asked.realm, s.account, greatest(b.seq, c.seq, d.seq, 0) as version
      from unnest($1::integer[], $2::bigint[]) as asked (realm, seq)
      cross join lateral (select from_account, to_account from bound_journal
        where realm = asked.realm and seq = asked.seq limit 1) j
      ${whose}
      cross join lateral (values (w.from_account), (w.to_account)) as s (account)
      ${versionText('s.account')}
      where s.account > 0`,
  },
  /** The entries of a remembered request after its first; a reversal of the first links to it too. */
  readFollowers: {
    name: 'ledger_read_followers',
    text: `select asked.realm, asked.request, n.seq, n.at_us, n.amount, n.from_balance, n.to_balance
      from unnest($1::integer[], $2::uuid[]) as asked (realm, request)
      cross join lateral (select seq, kind, link from bound_journal
        where realm = asked.realm and request = asked.request limit 1) j
      cross join lateral (select seq, at_us, amount, from_balance, to_balance from bound_journal
        where realm = asked.realm and seq > j.seq and seq < j.seq + case j.kind when 5 then 2 else 1000 end
          and ((kind = 1 and link = j.seq) or (j.kind = 5 and kind = 6 and link = j.link))
        order by seq limit 1000) n`,
  },
  /** The entries after the first of a remembered list, as many as a list can have. */
  readFollowing: {
    name: 'ledger_read_following',
    text: `select asked.realm, asked.request, n.seq, n.at_us, n.amount, n.from_balance, n.to_balance
      from unnest($1::integer[], $2::uuid[]) as asked (realm, request)
      cross join lateral (select seq from bound_journal
        where realm = asked.realm and request = asked.request limit 1) j
      cross join lateral (select seq, at_us, amount, from_balance, to_balance from bound_journal
        where realm = asked.realm and seq > j.seq and seq < j.seq + 1000 order by seq limit 1000) n`,
  },

  insertHolds: { name: 'ledger_insert_holds', text: insertText(held) },
  endHolds: { name: 'ledger_end_holds', text: endText(held) },
  deferHolds: {
    name: 'ledger_defer_holds',
    text: `${openText('holds', '$1::integer[], $2::bigint[], $3::bigint[]', 'realm, seq, retry_us')}
      update holds h set retry_us = k.retry_us
      from known k where h.ctid = k.place and h.realm is not distinct from k.realm`,
  },
} as const

export type OfRealm = { readonly realm: number }
export type OriginalRow = OfRealm & {
  seq: bigint
  kind: number
  point: number
  from_account: number
  to_account: number
  amount: bigint
  from_id: string | null
  to_id: string | null
  reversed_by: bigint | null
  from_balance: bigint | null
  from_seq: bigint | null
  to_balance: bigint | null
  to_seq: bigint | null
  lots: string | null
  from_lots: string | null
  to_lots: string | null
}
export type HoldRow = OfRealm & {
  seq: bigint
  account: number
  point: number
  amount: bigint
  due_us: bigint
  ended_seq: bigint | null
  id: string | null
  frozen: boolean | null
  balance: bigint | null
  balance_seq: bigint | null
  held: bigint | null
  held_seq: bigint | null
  balance_lots: string | null
  lots: string | null
}
export type HeldRow = OfRealm & { account: number; point: number; balance: bigint; seq: bigint }
export type GivenRow = OfRealm & {
  account: number
  point: number
  given: bigint
  /** The time that the day was computed from, and when that day ends. */
  now_us: bigint
  ends_us: bigint
}
export type VersionRow = OfRealm & { account: number; version: bigint }
export type FollowerRow = OfRealm & {
  request: string
  seq: bigint
  at_us: bigint
  amount: bigint
  from_balance: bigint | null
  to_balance: bigint | null
}

export type Many<T> = Promise<readonly T[]>
type OfMember = OfRealm & { readonly id: string }
export type OfBalance = OfMember & { readonly point: number }

/** Runs the statement only if there is something to read. */
export async function ask<Row>(
  db: Queryable,
  statement: ReadStatement,
  { asked, values }: { readonly asked: readonly OfRealm[]; readonly values: readonly string[] },
): Many<Row> {
  if (asked.length === 0) return []
  const { rows } = await db.query<Row>(statement, [plain(asked, ({ realm }) => realm), ...values])
  return rows
}

const ids = (asked: readonly OfMember[]): string => plain(asked, ({ id }) => id)
const points = (asked: readonly OfBalance[]): string => plain(asked, ({ point }) => point)
export const balanceValues = (asked: readonly OfBalance[]): string[] => [ids(asked), points(asked)]

export const readOriginals = (db: Queryable, asked: readonly Reverse[]): Many<OriginalRow> =>
  ask(db, statements.readOriginals, { asked, values: [plain(asked, ({ entry }) => entry)] })

export const readHolds = (db: Queryable, asked: readonly (Capture | Release)[]): Many<HoldRow> =>
  ask(db, statements.readHolds, { asked, values: [plain(asked, ({ hold }) => hold)] })

export const readHeld = (db: Queryable, asked: readonly OfBalance[]): Many<HeldRow> =>
  ask(db, statements.readHeld, { asked, values: balanceValues(asked) })

type Limited = OfBalance & { readonly zone: string }

export const readGiven = (db: Queryable, asked: readonly Limited[]): Many<GivenRow> =>
  ask(db, statements.readGiven, {
    asked,
    values: [ids(asked), points(asked), texts(asked, ({ zone }) => zone)],
  })

export const readVersions = (db: Queryable, asked: readonly OfMember[]): Many<VersionRow> =>
  ask(db, statements.readVersions, { asked, values: [ids(asked)] })

export const readHolderVersions = (db: Queryable, asked: readonly (Capture | Release)[]): Many<VersionRow> =>
  ask(db, statements.readHolderVersions, { asked, values: [plain(asked, ({ hold }) => hold)] })

export const readSideVersions = (db: Queryable, asked: readonly Reverse[]): Many<VersionRow> =>
  ask(db, statements.readSideVersions, { asked, values: [plain(asked, ({ entry }) => entry)] })

export const readFollowers = (db: Queryable, asked: readonly RetryQuery[]): Many<FollowerRow> =>
  ask(db, statements.readFollowers, { asked, values: [plain(asked, ({ retry }) => retry.request)] })

export const readFollowing = (db: Queryable, asked: readonly RetryQuery[]): Many<FollowerRow> =>
  ask(db, statements.readFollowing, { asked, values: [plain(asked, ({ retry }) => retry.request)] })

export const insertHolds = (db: Queryable, rows: Rows<NewHold>): Promise<Answer<unknown>> =>
  db.query(
    statements.insertHolds,
    newRows(rows, ({ held: own }) => ({ ...own, dueUs: own.expiresUs })),
  )

export const endHolds = (db: Queryable, rows: Rows<EndedHold>): Promise<Answer<unknown>> =>
  db.query(
    statements.endHolds,
    seqRows(rows, ({ endedBy }) => endedBy),
  )

/** Postpones holds that could not expire, so that they are not tried again each second. */
export const deferHolds = (db: Queryable, rows: Rows<DeferredHold>): Promise<Answer<unknown>> =>
  db.query(
    statements.deferHolds,
    seqRows(rows, ({ retryUs }) => retryUs),
  )
