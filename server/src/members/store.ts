import type { Answer, Queryable } from '../db/session.ts'

export const statements = {
  /** One row for each balance of a member, or one without a balance: for all waiting reads. */
  readMembers: {
    name: 'members_read',
    text: `select asked.ordinality::integer as place, m.id, m.username, m.display_name, m.joined_at,
        m.updated_at, m.frozen_at is not null as frozen, m.hidden, b.point, b.balance, b.at_us, b.seq, b.held
      from unnest($1::integer[], $2::bigint[]) with ordinality as asked (realm, id, ordinality)
      cross join lateral (select * from members where realm = asked.realm and id = asked.id limit 1) m
      left join lateral (select point, balance, at_us, seq, account < 0 as held from balances
        where realm = asked.realm and account = any (array[m.account, -m.account]) offset 0) b on true`,
  },
  findAccounts: {
    name: 'members_find_accounts',
    text: `select m.* from unnest($1::integer[], $2::bigint[]) as asked (realm, id)
      cross join lateral (select id, account, frozen_at is not null as frozen from members
        where realm = asked.realm and id = asked.id limit 1) m`,
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
    text: 'update heads set next_account = $2 where realm = $1',
  },
  insertMembers: {
    name: 'members_insert',
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
    text: `update members m set username = nullif(coalesce(n.username, m.username), ''),
        display_name = nullif(coalesce(n.display_name, m.display_name), ''),
        metadata = nullif(coalesce(n.metadata, m.metadata), ''),
        note = nullif(coalesce(n.note, m.note), ''),
        frozen_at = case when coalesce(n.frozen, m.frozen_at is not null)
          then coalesce(m.frozen_at, now()) end,
        hidden = coalesce(n.hidden, m.hidden), updated_at = now()
      from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::boolean[])
        as n (id, username, display_name, metadata, note, frozen, hidden)
      cross join lateral (select ctid as place from members where realm = $1 and id = n.id limit 1) o
      where m.ctid = o.place and m.realm is not distinct from $1::integer`,
  },
  deleteMember: { name: 'members_delete', text: 'delete from members where realm = $1 and account = $2' },
  /** A row if the member has points of any type, spendable or held. */
  findPoints: {
    name: 'members_find_points',
    text: `select realm from balances where realm = $1
      and account = any (array[$2::integer, -$2::integer]) and balance > 0 limit 1`,
  },
} as const

export type MemberRow = {
  place: number
  id: bigint
  username: string | null
  display_name: string | null
  joined_at: Date
  updated_at: Date
  frozen: boolean
  hidden: boolean
  point: number | null
  balance: bigint | null
  at_us: bigint | null
  seq: bigint | null
  /** Whether it is the held balance, not the spendable one. */
  held: boolean | null
}

export type MemberKey = { readonly realm: number; readonly id: string }

export function readMembers(db: Queryable, asked: readonly MemberKey[]): Promise<Answer<MemberRow>> {
  return db.query(statements.readMembers, [asked.map((one) => one.realm), asked.map((one) => one.id)])
}

export type Known = { readonly account: number; readonly frozen: boolean }

export async function findAccounts(
  db: Queryable,
  realm: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Known>> {
  const values = [ids.map(() => realm), ids]
  const { rows } = await db.query<Known & { id: bigint }>(statements.findAccounts, values)
  return new Map(rows.map((row) => [String(row.id), row]))
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
  if (!head) throw new Error(`the head of realm ${realm} is missing`)
  return head.next_account
}

export async function raiseNextAccount(db: Queryable, realm: number, next: number): Promise<void> {
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
  db: Queryable,
  realm: number,
  members: readonly (NewMember & { readonly account: number })[],
): Promise<void> {
  const accounts = members.map((member) => member.account)
  await db.query(statements.insertMembers, [realm, accounts, ...columnsOf(members)])
}

export async function updateMembers(
  db: Queryable,
  realm: number,
  members: readonly NewMember[],
): Promise<void> {
  await db.query(statements.updateMembers, [realm, ...columnsOf(members)])
}

export async function deleteMember(db: Queryable, realm: number, account: number): Promise<void> {
  const { count } = await db.query(statements.deleteMember, [realm, account])
  if (count !== 1) throw new Error(`account ${account} of realm ${realm} is missing`)
}

export async function hasPoints(db: Queryable, realm: number, account: number): Promise<boolean> {
  return (await db.query(statements.findPoints, [realm, account])).rows.length > 0
}
