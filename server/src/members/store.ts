import type { Queryable, Writable } from '../db/session.ts'
import { RefusalError, wrongCell } from '../errors.ts'

/** The time now, and in any case a later one: a member's ETag differs after every change. */
const laterThan = (column: string) => `greatest(clock_timestamp(), ${column} + interval '1 microsecond')`

export const statements = {
  findAccounts: {
    name: 'members_find_accounts',
    text: `select asked.id, m.account, m.frozen, m.own
      from unnest($1::integer[], $2::bigint[]) as asked (realm, id)
      cross join lateral (
        (select id as own, account, frozen_at is not null as frozen from members
          where realm = asked.realm and id = asked.id limit 1)
        union all
        select o.id, i.account, o.frozen from (select account from identities
            where realm = asked.realm and provider = 'id' and subject = asked.id::text limit 1) i
          cross join lateral (select id, frozen_at is not null as frozen from members
            where realm = asked.realm and account = i.account limit 1) o
        limit 1) m`,
  },
  /** Keeps the member from being removed until the transaction ends. */
  keepAccount: {
    name: 'members_keep_account',
    text: 'select account from members where realm = $1 and id = $2 for key share',
  },
  readProfile: {
    name: 'members_read_profile',
    text: 'select metadata, note from members where realm = $1 and id = $2',
  },
  lockHead: {
    name: 'members_lock_head',
    text: 'select next_account from heads where realm = $1 for update',
  },
  raiseNextAccount: {
    name: 'members_raise_next_account',
    writes: true,
    text: 'update heads set next_account = $2 where realm = $1',
  },
  insertMembers: {
    name: 'members_insert',
    writes: true,
    text: `insert into members (realm, account, id, username, display_name, metadata, note, frozen_at, hidden)
      select $1::integer, n.account, n.id, nullif(n.username, ''), nullif(n.display_name, ''),
        nullif(n.metadata, ''), nullif(n.note, ''), case when n.frozen then now() end,
        coalesce(n.hidden, false)
      from unnest($2::integer[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[],
        $9::boolean[]) as n (account, id, username, display_name, metadata, note, frozen, hidden)`,
  },
  /** An omitted value stays as it is; an empty string removes it. */
  updateMembers: {
    name: 'members_update',
    writes: true,
    text: `update members m set username = nullif(coalesce(n.username, m.username), ''),
        display_name = nullif(coalesce(n.display_name, m.display_name), ''),
        metadata = nullif(coalesce(n.metadata, m.metadata), ''),
        note = nullif(coalesce(n.note, m.note), ''),
        frozen_at = case when coalesce(n.frozen, m.frozen_at is not null)
          then coalesce(m.frozen_at, now()) end,
        unfrozen_at = case when m.frozen_at is not null and not n.frozen then now() else m.unfrozen_at end,
        hidden = coalesce(n.hidden, m.hidden), updated_at = ${laterThan('m.updated_at')}
      from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::boolean[])
        as n (id, username, display_name, metadata, note, frozen, hidden)
      cross join lateral (select ctid as place, username, display_name, metadata, note, frozen_at, hidden
        from members where realm = $1 and id = n.id limit 1) o
      where m.ctid = o.place and m.realm is not distinct from $1::integer
      returning m.account, m.frozen_at is not null as frozen, m.hidden, array_remove(array[
        case when m.username is distinct from o.username then 'username' end,
        case when m.display_name is distinct from o.display_name then 'displayName' end,
        case when m.metadata is distinct from o.metadata then 'metadata' end,
        case when m.note is distinct from o.note then 'note' end,
        case when m.frozen_at is distinct from o.frozen_at then 'frozen' end,
        case when m.hidden is distinct from o.hidden then 'hidden' end], null) as changed`,
  },
  deleteMember: {
    name: 'members_delete',
    writes: true,
    text: 'delete from members where realm = $1 and account = $2',
  },
  /** A row if the member has points of any type, spendable, held or pending. */
  findPoints: {
    name: 'members_find_points',
    text: `select b.realm
      from unnest(array[$2::integer, -$2::integer, -1073741824 - $2::integer]) as s (account)
      cross join lateral (select realm from balances
        where realm = $1 and account = s.account and balance > 0 limit 1) b limit 1`,
  },
} as const

export type Known = {
  readonly account: number
  readonly frozen: boolean
  /** Its id; another one than was asked for where that is the old id of a merged member. */
  readonly own: string
}

export async function findAccounts(
  db: Queryable,
  realm: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Known>> {
  const values = [ids.map(() => realm), ids]
  const { rows } = await db.query<Known & { id: bigint }>(statements.findAccounts, values)
  return new Map(rows.map((row) => [String(row.id), { ...row, own: String(row.own) }]))
}

export async function keepAccount(db: Queryable, realm: number, id: string): Promise<number | undefined> {
  const { rows } = await db.query<{ account: number }>(statements.keepAccount, [realm, id])
  return rows[0]?.account
}

export type Profile = { readonly metadata: string | null; readonly note: string | null }

export async function readProfile(db: Queryable, realm: number, id: string): Promise<Profile | undefined> {
  return (await db.query<Profile>(statements.readProfile, [realm, id])).rows[0]
}

/** Members are created under the head lock, as decisions read them. Returns the next free account. */
export async function lockHead(db: Queryable, realm: number): Promise<number> {
  const { rows } = await db.query<{ next_account: number }>(statements.lockHead, [realm])
  const [head] = rows
  if (!head) throw new RefusalError(wrongCell)
  return head.next_account
}

export async function raiseNextAccount(db: Writable, realm: number, next: number): Promise<void> {
  await db.query(statements.raiseNextAccount, [realm, next])
}

/** An omitted value stays as it is; an empty string removes it. */
export type NewMember = {
  readonly id: string
  readonly username?: string | undefined
  readonly displayName?: string | undefined
  /** A JSON object as text. */
  readonly metadata?: string | undefined
  readonly note?: string | undefined
  readonly frozen?: boolean | undefined
  readonly hidden?: boolean | undefined
}

const columnsOf = (members: readonly NewMember[]) => [
  members.map((member) => member.id),
  members.map((member) => member.username ?? null),
  members.map((member) => member.displayName ?? null),
  members.map((member) => member.metadata ?? null),
  members.map((member) => member.note ?? null),
  members.map((member) => member.frozen ?? null),
  members.map((member) => member.hidden ?? null),
]

export async function insertMembers(
  db: Writable,
  realm: number,
  members: readonly (NewMember & { readonly account: number })[],
): Promise<void> {
  const accounts = members.map((member) => member.account)
  await db.query(statements.insertMembers, [realm, accounts, ...columnsOf(members)])
}

export type UpdatedMember = {
  readonly account: number
  readonly frozen: boolean
  readonly hidden: boolean
  /** The fields with another value than before. */
  readonly changed: readonly string[]
}

export async function updateMembers(
  db: Writable,
  realm: number,
  members: readonly NewMember[],
): Promise<UpdatedMember[]> {
  return (await db.query<UpdatedMember>(statements.updateMembers, [realm, ...columnsOf(members)])).rows
}

export async function deleteMember(db: Writable, realm: number, account: number): Promise<void> {
  const { count } = await db.query(statements.deleteMember, [realm, account])
  if (count !== 1) throw new Error(`account ${account} of realm ${realm} is missing`)
}

export async function hasPoints(db: Queryable, realm: number, account: number): Promise<boolean> {
  return (await db.query(statements.findPoints, [realm, account])).rows.length > 0
}
