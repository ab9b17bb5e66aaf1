import { plainArray as plain, textArray as texts } from '../../db/arrays.ts'
import type { Queryable, Writable } from '../../db/session.ts'
import { type Identity, splitIdentity } from './identity.ts'

export const statements = {
  /** The members of these identities, by position. Each is one look-up by key. */
  find: {
    name: 'identities_find',
    text: `select asked.place::integer, i.account, m.id::text
      from unnest($1::integer[], $2::text[], $3::text[])
        with ordinality as asked (realm, provider, subject, place)
      cross join lateral (select account from identities where realm = asked.realm
        and provider = asked.provider and subject = asked.subject limit 1) i
      cross join lateral (select id from members
        where realm = asked.realm and account = i.account limit 1) m`,
  },
  insert: {
    name: 'identities_insert',
    writes: true,
    text: `insert into identities (realm, provider, subject, account)
      select * from unnest($1::integer[], $2::text[], $3::text[], $4::integer[])`,
  },
  /** Identities are linked under the head lock, as decisions read them. */
  lockHead: {
    name: 'identities_lock_head',
    text: 'select realm from heads where realm = $1 for update',
  },
  findAccount: {
    name: 'identities_find_account',
    text: 'select account from members where realm = $1 and id = $2::bigint',
  },
  count: {
    name: 'identities_count',
    text: `select count(*)::integer as count from identities
      where realm = $1 and account = $2 and provider <> 'id'`,
  },
  list: {
    name: 'identities_list',
    text: `select provider, subject, name, picture_url, linked_at from identities
      where realm = $1 and account = $2 and (provider, subject) > ($3::text, $4::text)
      order by provider, subject limit $5`,
  },
  get: {
    name: 'identities_get',
    text: `select provider, subject, name, picture_url, linked_at from identities
      where realm = $1 and provider = $2 and subject = $3 and account = $4`,
  },
  /** An omitted value stays as it is; an empty string removes it. */
  update: {
    name: 'identities_update',
    writes: true,
    text: `update identities set name = nullif(coalesce($4::text, name), ''),
        picture_url = nullif(coalesce($5::text, picture_url), '')
      where realm = $1 and provider = $2 and subject = $3`,
  },
  remove: {
    name: 'identities_remove',
    writes: true,
    text: 'delete from identities where realm = $1 and provider = $2 and subject = $3 and account = $4',
  },
  removeAll: {
    name: 'identities_remove_all',
    writes: true,
    text: 'delete from identities where realm = $1 and account = $2 returning provider, subject',
  },
} as const

/** An identity in its realm, as it was sent. */
export type Named = { readonly realm: number; readonly name: string }

/** A member that an identity belongs to. */
export type FoundMember = { readonly account: number; readonly id: string }

const columnsOf = (asked: readonly Named[]): string[] => {
  const split = asked.map(({ name }) => splitIdentity(name))
  return [
    plain(asked, ({ realm }) => realm),
    texts(split, ({ provider }) => provider),
    texts(split, ({ subject }) => subject),
  ]
}

/** In the order of the identities; undefined for one that no member has. */
export async function findIdentities(
  db: Queryable,
  asked: readonly Named[],
): Promise<(FoundMember | undefined)[]> {
  if (asked.length === 0) return []
  const { rows } = await db.query<FoundMember & { place: number }>(statements.find, columnsOf(asked))
  const found: (FoundMember | undefined)[] = asked.map(() => undefined)
  for (const { place, account, id } of rows) found[place - 1] = { account, id }
  return found
}

/** Whether a numeric id is another member's since a merge. */
export async function isOldId(db: Queryable, realm: number, id: string): Promise<boolean> {
  const [found] = await findIdentities(db, [{ realm, name: `id:${id}` }])
  return found !== undefined
}

export type NewIdentity = Named & { readonly account: number }

export function insertIdentities(db: Writable, rows: readonly NewIdentity[]) {
  return db.query(statements.insert, [...columnsOf(rows), plain(rows, ({ account }) => account)])
}

export async function lockHead(db: Queryable, realm: number): Promise<void> {
  const { rows } = await db.query(statements.lockHead, [realm])
  if (rows.length !== 1) throw new Error(`the head of realm ${realm} is missing`)
}

export async function findAccount(db: Queryable, realm: number, id: string): Promise<number | undefined> {
  return (await db.query<{ account: number }>(statements.findAccount, [realm, id])).rows[0]?.account
}

export async function countOf(db: Queryable, realm: number, account: number): Promise<number> {
  return (await db.query<{ count: number }>(statements.count, [realm, account])).rows[0]?.count ?? 0
}

export type IdentityRow = Identity & {
  readonly name: string | null
  readonly picture_url: string | null
  readonly linked_at: Date
}

type Listing = { readonly account: number; readonly after: Identity | undefined; readonly limit: number }

export async function listIdentities(
  db: Queryable,
  realm: number,
  { account, after, limit }: Listing,
): Promise<readonly IdentityRow[]> {
  const values = [realm, account, after?.provider ?? '', after?.subject ?? '', limit]
  return (await db.query<IdentityRow>(statements.list, values)).rows
}

type Owned = Identity & { readonly account: number }

export async function getIdentity(
  db: Queryable,
  realm: number,
  { provider, subject, account }: Owned,
): Promise<IdentityRow | undefined> {
  return (await db.query<IdentityRow>(statements.get, [realm, provider, subject, account])).rows[0]
}

type Changed = Identity & { readonly name: string | undefined; readonly pictureUrl: string | undefined }

export async function updateIdentity(db: Writable, realm: number, changed: Changed): Promise<void> {
  const { provider, subject, name = null, pictureUrl = null } = changed
  await db.query(statements.update, [realm, provider, subject, name, pictureUrl])
}

export async function removeIdentity(
  db: Writable,
  realm: number,
  { provider, subject, account }: Owned,
): Promise<boolean> {
  return (await db.query(statements.remove, [realm, provider, subject, account])).count === 1
}

/** All identities of an account; returns them. */
export async function removeIdentities(
  db: Writable,
  realm: number,
  account: number,
): Promise<readonly Identity[]> {
  return (await db.query<Identity>(statements.removeAll, [realm, account])).rows
}
