import { plainArray as plain } from '../db/arrays.ts'
import type { Queryable } from '../db/session.ts'

/** What a page of rows is compared with. */
export const statements = {
  readMembers: {
    name: 'imports_read_members',
    text: `select m.id::text, m.username, m.display_name
      from unnest($1::integer[], $2::bigint[]) as asked (realm, id)
      cross join lateral (select id, username, display_name from members
        where realm = asked.realm and id = asked.id limit 1) m`,
  },
  /** Opening balances that were made before, by the requests they were made under. */
  readOpenings: {
    name: 'imports_read_openings',
    text: `select j.request, j.amount from unnest($1::integer[], $2::uuid[]) as asked (realm, request)
      cross join lateral (select request, amount from bound_journal
        where realm = asked.realm and request = asked.request limit 1) j`,
  },
  readBalances: {
    name: 'imports_read_balances',
    text: `select asked.place::integer, b.balance
      from unnest($1::integer[], $2::bigint[], $3::smallint[])
        with ordinality as asked (realm, id, point, place)
      cross join lateral (select account from members
        where realm = asked.realm and id = asked.id limit 1) m
      cross join lateral (select balance from balances
        where realm = asked.realm and account = m.account and point = asked.point limit 1) b`,
  },
  /**
   * Who has an opening balance in that kind of points, other than one that was reversed. It is looked for
   * among the first 20 entries that gave a member something: an opening is where a history begins.
   */
  readOpened: {
    name: 'imports_read_opened',
    text: `select distinct asked.place::integer
      from unnest($1::integer[], $2::bigint[], $3::smallint[])
        with ordinality as asked (realm, id, point, place)
      cross join lateral (select account from members
        where realm = asked.realm and id = asked.id limit 1) m
      cross join lateral (select seq, point, kind from bound_journal
        where realm = asked.realm and to_account = m.account and to_account > 0 order by seq limit 20) j
      left join lateral (select seq from bound_journal
        where realm = asked.realm and link = j.seq and kind = 3 limit 1) reversal on true
      where j.kind = 8 and j.point = asked.point and reversal.seq is null`,
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

/** The amounts of those that there are. */
export async function readOpenings(
  db: Queryable,
  realm: number,
  requests: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const values = [plain(requests, () => realm), plain(requests, (request) => request)]
  const { rows } = await db.query<{ request: string; amount: bigint }>(statements.readOpenings, values)
  return new Map(rows.map((row) => [row.request, row.amount]))
}

export type Asked = { readonly id: string; readonly point: number }

const placed = (realm: number, asked: readonly Asked[]) => [
  plain(asked, () => realm),
  plain(asked, ({ id }) => id),
  plain(asked, ({ point }) => point),
]

/** The places, from 0, of those among the asked who were opened before. */
export async function readOpened(
  db: Queryable,
  realm: number,
  asked: readonly Asked[],
): Promise<ReadonlySet<number>> {
  const { rows } = await db.query<{ place: number }>(statements.readOpened, placed(realm, asked))
  return new Set(rows.map(({ place }) => place - 1))
}

/** In the order asked; 0 where there is none. */
export async function readBalances(db: Queryable, realm: number, asked: readonly Asked[]): Promise<bigint[]> {
  const values = placed(realm, asked)
  const { rows } = await db.query<{ place: number; balance: bigint }>(statements.readBalances, values)
  const balances = asked.map(() => 0n)
  for (const { place, balance } of rows) balances[place - 1] = balance
  return balances
}
