import type { Queryable } from '../db/session.ts'

/**
 * The names in one column that begin with the search text, from a position on, by index: see bound_members in
 * the migrations. `again` marks a member whose other name also begins with it and sorts earlier. Such rows
 * are skipped after they are read: skipping them here could read all of a realm whose members have two
 * similar names.
 */
const named = (column: 'username' | 'display_name', also: string) => `(
        select id, account, lower(${column}) collate "C" as name, coalesce(${also}, false) as again
        from bound_members
        where realm = $1 and ${column} is not null
          and (lower(${column}) collate "C", account) > (coalesce($3::text, lower($2::text)), $4::integer)
          and lower(${column}) collate "C" < lower($2::text) || chr(1114111)
        order by lower(${column}) collate "C", account limit $5)`

export const statements = {
  listMembers: {
    name: 'members_list',
    text: `select id::text, account, null::text as name from members
      where realm = $1 and account > $2 order by account limit $3`,
  },
  /** Ordered by name. */
  searchMembers: {
    name: 'members_search',
    text: `select found.id::text, found.account, found.name, found.again from (
      ${named(
        'username',
        `starts_with(lower(display_name), lower($2::text))
          and lower(display_name) collate "C" < lower(username) collate "C"`,
      )} union all ${named(
        'display_name',
        `starts_with(lower(username), lower($2::text))
          and lower(username) collate "C" <= lower(display_name) collate "C"`,
      )}) found order by found.name collate "C", found.account, found.again limit $5`,
  },
} as const

/** Where a page ends: an account, and the name it was found by. */
export type Place = { readonly account: number; readonly name: string | null }

export type ListPosition = Place & { readonly id: string; readonly again?: boolean }

export async function listMembers(
  db: Queryable,
  realm: number,
  page: { readonly after: number; readonly limit: number },
): Promise<ListPosition[]> {
  return (await db.query<ListPosition>(statements.listMembers, [realm, page.after, page.limit])).rows
}

export type Search = {
  readonly search: string
  readonly after: Place | undefined
  readonly limit: number
}

export async function searchMembers(db: Queryable, realm: number, asked: Search): Promise<ListPosition[]> {
  const { search, after, limit } = asked
  const values = [realm, search, after?.name ?? null, after?.account ?? 0, limit]
  return (await db.query<ListPosition>(statements.searchMembers, values)).rows
}
