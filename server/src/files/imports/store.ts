import { plainArray as plain } from '../../db/arrays.ts'
import type { Queryable } from '../../db/session.ts'

/** What a page of rows is compared with. */
export const statements = {
  readMembers: {
    name: 'imports_read_members',
    text: `select m.id::text, m.username, m.display_name
      from unnest($1::integer[], $2::bigint[]) as asked (realm, id)
      cross join lateral (select id, username, display_name from members
        where realm = asked.realm and id = asked.id limit 1) m`,
  },
  /** Opening balances made before, by the requests they were made under. */
  readOpenings: {
    name: 'imports_read_openings',
    text: `select j.request, j.amount from unnest($1::integer[], $2::uuid[]) as asked (realm, request)
      cross join lateral (select request, amount from bound_journal
        where realm = asked.realm and request = asked.request limit 1) j`,
  },
  /**
   * What members have of a point type: spendable points, held points, and whether they had an opening balance
   * before, which is looked up only where there is neither. A reversed opening balance does not count.
   */
  readHad: {
    name: 'imports_read_had',
    text: `select asked.place::integer, coalesce(b.balance, 0) as balance, coalesce(h.balance, 0) as held,
        coalesce(o.opened, false) as opened
      from unnest($1::integer[], $2::bigint[], $3::smallint[])
        with ordinality as asked (realm, id, point, place)
      cross join lateral (select account from members
        where realm = asked.realm and id = asked.id limit 1) m
      left join lateral (select balance from balances
        where realm = asked.realm and account = m.account and point = asked.point limit 1) b on true
      left join lateral (select balance from balances
        where realm = asked.realm and account = -m.account and point = asked.point limit 1) h on true
      left join lateral (select true as opened
        from (select seq from bound_journal
          where realm = asked.realm and to_account = m.account and to_account > 0 and kind = 8
            and point = asked.point and coalesce(b.balance, 0) + coalesce(h.balance, 0) = 0
          order by seq offset 0) j
        left join lateral (select seq from bound_journal
          where realm = asked.realm and link = j.seq and kind = 3 limit 1) reversal on true
        where reversal.seq is null limit 1) o on true`,
  },
} as const

export type Names = { readonly username: string | null; readonly display_name: string | null }

/** The members among these, by id. */
export async function readMembers(
  db: Queryable,
  realm: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Names>> {
  const values = [plain(ids, () => realm), plain(ids, (id) => id)]
  const { rows } = await db.query<Names & { id: string }>(statements.readMembers, values)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The amounts of those that exist. */
export async function readOpenings(
  db: Queryable,
  realm: number,
  requests: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const values = [plain(requests, () => realm), plain(requests, (request) => request)]
  const { rows } = await db.query<{ request: string; amount: bigint }>(statements.readOpenings, values)
  return new Map(rows.map((row) => [row.request, row.amount]))
}

export type MemberPoint = { readonly id: string; readonly point: number }

/** What a member has of a point type. */
export type Had = { readonly balance: bigint; readonly held: bigint; readonly opened: boolean }

export const hadNothing: Had = { balance: 0n, held: 0n, opened: false }

/** In the order of `wanted`. */
export async function readHad(
  db: Queryable,
  realm: number,
  wanted: readonly MemberPoint[],
): Promise<readonly Had[]> {
  const values = [
    plain(wanted, () => realm),
    plain(wanted, ({ id }) => id),
    plain(wanted, ({ point }) => point),
  ]
  const { rows } = await db.query<Had & { place: number }>(statements.readHad, values)
  const had: Had[] = wanted.map(() => hadNothing)
  for (const { place, ...row } of rows) had[place - 1] = row
  return had
}
