import type { Answer, Queryable } from '../db/session.ts'

export const statements = {
  /** One row for each balance that a member has, or one without: for all the reads that wait. */
  readMembers: {
    name: 'members_read',
    text: `select asked.ordinality::integer as place, m.id, m.username, m.display_name, m.joined_at,
        m.updated_at, b.point, b.balance, b.at_us, b.seq, b.held
      from unnest($1::integer[], $2::bigint[]) with ordinality as asked (realm, id, ordinality)
      cross join lateral (select * from members where realm = asked.realm and id = asked.id limit 1) m
      left join lateral (select point, balance, at_us, seq, account < 0 as held from balances
        where realm = asked.realm and account = any (array[m.account, -m.account]) offset 0) b on true`,
  },
  findAccounts: {
    name: 'members_find_accounts',
    text: `select m.* from unnest($1::integer[], $2::bigint[]) as asked (realm, id)
      cross join lateral (select id, account from members
        where realm = asked.realm and id = asked.id limit 1) m`,
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
    text: `insert into members (realm, account, id, username, display_name)
      select $1::integer, * from unnest($2::integer[], $3::bigint[], $4::text[], $5::text[])`,
  },
  /** A name that is not given stays as it is. */
  renameMembers: {
    name: 'members_rename',
    text: `update members m set username = coalesce(n.username, m.username),
        display_name = coalesce(n.display_name, m.display_name), updated_at = now()
      from unnest($2::bigint[], $3::text[], $4::text[]) as n (id, username, display_name)
      cross join lateral (select ctid as place from members where realm = $1 and id = n.id limit 1) o
      where m.ctid = o.place and m.realm is not distinct from $1::integer`,
  },
} as const

export type MemberRow = {
  place: number
  id: bigint
  username: string | null
  display_name: string | null
  joined_at: Date
  updated_at: Date
  point: number | null
  balance: bigint | null
  at_us: bigint | null
  seq: bigint | null
  /** Whether it is what is held, beside what can be spent. */
  held: boolean | null
}

export type Asked = { readonly realm: number; readonly id: string }

export function readMembers(db: Queryable, asked: readonly Asked[]): Promise<Answer<MemberRow>> {
  return db.query(statements.readMembers, [asked.map((one) => one.realm), asked.map((one) => one.id)])
}

export async function findAccounts(
  db: Queryable,
  realm: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const values = [ids.map(() => realm), ids]
  const { rows } = await db.query<{ id: bigint; account: number }>(statements.findAccounts, values)
  return new Map(rows.map((row) => [String(row.id), row.account]))
}

/** Members are made under the head lock, as decisions read them. Returns the next free account. */
export async function lockHead(db: Queryable, realm: number): Promise<number> {
  const { rows } = await db.query<{ next_account: number }>(statements.lockHead, [realm])
  const [head] = rows
  if (!head) throw new Error(`the head of realm ${realm} is missing`)
  return head.next_account
}

export async function raiseNextAccount(db: Queryable, realm: number, next: number): Promise<void> {
  await db.query(statements.raiseNextAccount, [realm, next])
}

export type NewMember = {
  readonly id: string
  readonly username?: string | undefined
  readonly displayName?: string | undefined
}

export async function insertMembers(
  db: Queryable,
  realm: number,
  members: readonly (NewMember & { readonly account: number })[],
): Promise<void> {
  await db.query(statements.insertMembers, [
    realm,
    members.map((member) => member.account),
    members.map((member) => member.id),
    members.map((member) => member.username ?? null),
    members.map((member) => member.displayName ?? null),
  ])
}

export async function renameMembers(
  db: Queryable,
  realm: number,
  members: readonly NewMember[],
): Promise<void> {
  await db.query(statements.renameMembers, [
    realm,
    members.map((member) => member.id),
    members.map((member) => member.username ?? null),
    members.map((member) => member.displayName ?? null),
  ])
}
