import { setImmediate as pause } from 'node:timers/promises'
import { plainArray as plain, textArray as texts } from '../../db/arrays.ts'
import type { Answer, Queryable, Writable } from '../../db/session.ts'
import { pageSize, type Which } from './store.ts'

export const statements = {
  insertMembers: {
    name: 'snapshots_insert_members',
    writes: true,
    text: `insert into snapshot_members (realm, snapshot, account, amount, frozen, address)
      select $1::integer, $2::text, * from unnest($3::integer[], $4::bigint[], $5::boolean[], $6::text[])`,
  },
  /** By account, with the member's id unless it was removed. */
  readMembers: {
    name: 'snapshots_read_members',
    text: `select s.account, m.id::text, s.amount, s.frozen, s.address, s.leaf, s.place
      from snapshot_members s
      left join lateral (select id from members where realm = $1 and account = s.account limit 1) m on true
      where s.realm = $1 and s.snapshot = $2 and s.account > $3
        and ($5::boolean is null or (s.leaf is null and (s.address is null or s.frozen)) = $5)
      order by s.account limit $4`,
  },
  /** Whether one of them is no longer a member. */
  hasLeft: {
    name: 'snapshots_has_left',
    text: `select s.account from snapshot_members s
      left join lateral (select account from members
        where realm = $1 and account = s.account limit 1) m on true
      where s.realm = $1 and s.snapshot = $2 and m.account is null limit 1`,
  },
  /** The member's own row first, then those of members that were merged into it since. */
  findMember: {
    name: 'snapshots_find_member',
    text: `select s.account, m.id::text, s.amount, s.frozen, s.address, s.leaf, s.place, a.merged_from
      from members m
      cross join lateral (select m.account, null as merged_from union all
        select merged, subject from identities
          where realm = $1 and account = m.account and merged is not null) a
      cross join lateral (select * from snapshot_members
        where realm = $1 and snapshot = $2 and account = a.account limit 1) s
      where m.realm = $1 and m.id = $3 order by a.merged_from nulls first`,
  },
  readOfAccount: {
    name: 'snapshots_read_of_account',
    text: `select snapshot, amount, address, frozen from snapshot_members
      where realm = $1 and account = $2 and leaf is null`,
  },
  /** For a member in a tree. */
  forgetAddress: {
    name: 'snapshots_forget_address',
    writes: true,
    text: `update snapshot_members set address = null, leaf = $4
      where realm = $1 and snapshot = $2 and account = $3`,
  },
  deleteMember: {
    name: 'snapshots_delete_member',
    writes: true,
    text: 'delete from snapshot_members where realm = $1 and snapshot = $2 and account = $3',
  },
} as const

export type MemberRow = {
  account: number
  /** Null when the member was removed. */
  id: string | null
  amount: bigint
  frozen: boolean
  address: string | null
  leaf: Buffer | null
  place: number | null
}

export type NewMember = Pick<MemberRow, 'account' | 'amount' | 'frozen' | 'address'>

/** Pages of rows, each sent without waiting for the one before. */
export async function insertMembers(
  db: Writable,
  { realm, id }: { readonly realm: number; readonly id: string },
  all: readonly NewMember[],
): Promise<void> {
  const sent: Promise<Answer<never>>[] = []
  for (let from = 0; from < all.length; from += pageSize) {
    const some = all.slice(from, from + pageSize)
    const columns = [
      plain(some, ({ account }) => account),
      plain(some, ({ amount }) => amount),
      plain(some, ({ frozen }) => String(frozen)),
      texts(some, ({ address }) => address),
    ]
    const page = db.query<never>(statements.insertMembers, [realm, id, ...columns])
    page.catch(() => {})
    sent.push(page)
    await pause()
  }
  await Promise.all(sent)
}

export async function hasLeft(tx: Queryable, { realm, id }: Which): Promise<boolean> {
  return (await tx.query(statements.hasLeft, [realm, id])).rows.length > 0
}

export type MemberPage = {
  readonly after: number
  readonly limit: number
  /** Only members without a leaf, or only those with one; all when null. */
  readonly apart: boolean | null
}

export async function readMemberPage(
  db: Queryable,
  { realm, id }: Which,
  { after, limit, apart }: MemberPage,
): Promise<MemberRow[]> {
  return (await db.query<MemberRow>(statements.readMembers, [realm, id, after, limit, apart])).rows
}

export async function* readMembers(db: Queryable, which: Which): AsyncGenerator<MemberRow[]> {
  for (let after = 0; ; ) {
    const rows = await readMemberPage(db, which, { after, limit: pageSize, apart: null })
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.account
  }
}

/** A row of a member, with its old id where it is of a merged one. */
export type FoundRow = MemberRow & { readonly merged_from: string | null }

export async function findMember(db: Queryable, { realm, id }: Which, member: string): Promise<FoundRow[]> {
  return (await db.query<FoundRow>(statements.findMember, [realm, id, member])).rows
}

type OfAccount = { snapshot: string; amount: bigint; address: string | null; frozen: boolean }

export async function readOfAccount(tx: Queryable, realm: number, account: number): Promise<OfAccount[]> {
  return (await tx.query<OfAccount>(statements.readOfAccount, [realm, account])).rows
}

/** For a member in the tree its leaf stays; of others nothing. */
export async function forgetMember(
  tx: Writable,
  { realm, id }: Which,
  { account, leaf }: { readonly account: number; readonly leaf: Buffer | undefined },
): Promise<void> {
  if (leaf) await tx.query(statements.forgetAddress, [realm, id, account, leaf])
  else await tx.query(statements.deleteMember, [realm, id, account])
}
