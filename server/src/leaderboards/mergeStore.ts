import type { Queryable, Writable } from '../db/session.ts'
import { entryTypes } from '../ledger/index.ts'

/** How merges are folded: once the fold has reached a merge's last entry, the survivor has both gains. */
export const statements = {
  /** Merges in their order, without those that were undone; undoing one starts the fold over. */
  read: {
    name: 'standings_read_merges',
    text: `select m.number, m.from_account, m.to_account, m.after_seq from merges m
      left join lateral (select number from merges where realm = $1 and undoes = m.number limit 1) u on true
      where m.realm = $1 and m.number > $2 and m.number <= $3 and m.undoes is null and u.number is null
      order by m.number`,
  },
  /** The last one whose entries are folded. */
  findLast: {
    name: 'standings_find_last_merge',
    text: `select coalesce(max(number), 0) as number from merges
      where realm = $1 and number > $2 and after_seq <= $3`,
  },
  setMerged: {
    name: 'standings_set_merged',
    writes: true,
    text: 'update standings set merged = $2 where realm = $1',
  },
  /** Gains are of days and point types with adjustments, which `daily` lists: each is one look-up by key. */
  moveGains: {
    name: 'standings_move_gains',
    writes: true,
    text: `with moved as (
        delete from gains where realm = $1 and ctid = any (array(
          select g.place from (select distinct day, point from daily
            where realm = $1 and build = $2 and kind = ${entryTypes.adjust.number}) d
          cross join lateral (select ctid as place from gains where realm = $1 and build = $2
            and point = d.point and day = d.day and account = $3::integer limit 1) g))
        returning point, day, gained, seq)
      insert into gains (realm, build, point, day, account, gained, seq)
      select $1::integer, $2::integer, point, day, $4::integer, gained, seq from moved
      on conflict (realm, build, point, day, account)
      do update set gained = gains.gained + excluded.gained, seq = greatest(gains.seq, excluded.seq)`,
  },
  /**
   * The later of the two days is the survivor's; of two members only one is left who was active last then.
   */
  moveActivity: {
    name: 'standings_move_activity',
    writes: true,
    text: `with gone as (
        delete from activity where realm = $1 and build = $2 and account = $3 returning day),
      both_of as (
        select g.day as theirs, (select day from activity
          where realm = $1 and build = $2 and account = $4) as own from gone g),
      counted as (
        update active_days set latest = latest - 1 where realm = $1 and build = $2
          and day = (select least(theirs, own) from both_of where own is not null))
      insert into activity (realm, build, account, day)
      select $1::integer, $2::integer, $4::integer, greatest(theirs, own) from both_of
      on conflict (realm, build, account) do update set day = excluded.day`,
  },
  /** Accounts that belong to another member since a merge. */
  readOwners: {
    name: 'standings_read_owners',
    text: 'select merged, account from identities where realm = $1 and merged is not null',
  },
} as const

export type FoldedMerge = {
  readonly number: number
  readonly from_account: number
  readonly to_account: number
  readonly after_seq: bigint
}

type Span = { readonly after: number; readonly upTo: number }

export async function readMerges(
  db: Queryable,
  realm: number,
  { after, upTo }: Span,
): Promise<FoldedMerge[]> {
  if (upTo <= after) return []
  return (await db.query<FoldedMerge>(statements.read, [realm, after, upTo])).rows
}

type Folded = {
  readonly realm: number
  readonly build: number
  readonly merged: number
  readonly seq: bigint
}

/** Folds the merges up to an entry; returns the last one that is folded now. */
export async function foldMerges(tx: Writable, folded: Folded): Promise<number> {
  const { realm, build, merged, seq } = folded
  const found = await tx.query<{ number: number }>(statements.findLast, [realm, merged, seq])
  const last = found.rows[0]?.number ?? 0
  if (last === 0) return merged
  for (const { from_account: from, to_account: to } of await readMerges(tx, realm, {
    after: merged,
    upTo: last,
  })) {
    await tx.query(statements.moveGains, [realm, build, from, to])
    await tx.query(statements.moveActivity, [realm, build, from, to])
  }
  await tx.query(statements.setMerged, [realm, last])
  return last
}

export async function readOwners(db: Queryable, realm: number): Promise<ReadonlyMap<number, number>> {
  const { rows } = await db.query<{ merged: number; account: number }>(statements.readOwners, [realm])
  return new Map(rows.map(({ merged, account }) => [merged, account]))
}
