import { plainArray as plain } from '../db/arrays.ts'
import type { Queryable } from '../db/session.ts'

/** Members by a part of a name, an id or a wallet. Each statement reads a bounded number of rows. */
export const statements = {
  /** See members_with in the migrations. */
  withName: {
    name: 'members_with_name',
    text: 'select id::text, account from members_with($1::integer, $2::text, $3::integer, $4::integer)',
  },
  /** Ids in any of these ranges, which are in order. */
  inRanges: {
    name: 'members_id_ranges',
    text: `select m.id::text as id from unnest($2::bigint[], $3::bigint[]) as asked (first, last)
      cross join lateral (select id from members
        where realm = $1 and id >= asked.first and id <= asked.last order by id limit $4) m
      order by m.id limit $4`,
  },
  /** Of so many ids in order: those that contain the digits after their start, and the last one read. */
  withDigits: {
    name: 'members_id_digits',
    text: `with read as (select id from members where realm = $1 and id > $2 order by id limit $4)
      select max(id)::text as last, count(*)::integer as read,
        array_agg(id::text order by id) filter (where strpos(id::text, $3) > 1) as ids from read`,
  },
  /** Wallets from one text to another, in order; of those read, the ones that also end with a text. */
  inWallets: {
    name: 'members_wallet_start',
    text: `select m.id::text as id, w.match, right(w.match, length($5)) = $5 as ends
      from (select match, account from wallets
        where realm = $1 and match collate "C" > $2 and match collate "C" >= $3::text
          and match collate "C" < $3::text || chr(1114111)
        order by match collate "C" limit $4) w
      cross join lateral (select id from members where realm = $1 and account = w.account limit 1) m
      order by w.match collate "C"`,
  },
} as const

type Named = { readonly id: string | null; readonly account: number }

export async function readWithName(
  db: Queryable,
  realm: number,
  { text, after, limit }: { readonly text: string; readonly after: number; readonly limit: number },
): Promise<Named[]> {
  return (await db.query<Named>(statements.withName, [realm, text, after, limit])).rows
}

export type IdRange = { readonly first: bigint; readonly last: bigint }

export async function readInRanges(
  db: Queryable,
  realm: number,
  { ranges, limit }: { readonly ranges: readonly IdRange[]; readonly limit: number },
): Promise<string[]> {
  const firsts = plain(ranges, ({ first }) => first)
  const lasts = plain(ranges, ({ last }) => last)
  const { rows } = await db.query<{ id: string }>(statements.inRanges, [realm, firsts, lasts, limit])
  return rows.map(({ id }) => id)
}

type DigitsRow = { last: string | null; read: number; ids: string[] | null }

/** `last` is the last id that was read; undefined when there are no more. */
export async function readWithDigits(
  db: Queryable,
  realm: number,
  asked: { readonly digits: string; readonly after: string; readonly scan: number },
): Promise<{ readonly ids: readonly string[]; readonly last: string | undefined }> {
  const { digits, after, scan } = asked
  const { rows } = await db.query<DigitsRow>(statements.withDigits, [realm, after, digits, scan])
  const [row] = rows
  return { ids: row?.ids ?? [], last: row && row.read === scan ? (row.last ?? undefined) : undefined }
}

export type WalletRow = { readonly id: string; readonly match: string; readonly ends: boolean }

export async function readInWallets(
  db: Queryable,
  realm: number,
  asked: { readonly start: string; readonly end: string; readonly after: string; readonly scan: number },
): Promise<WalletRow[]> {
  const { start, end, after, scan } = asked
  return (await db.query<WalletRow>(statements.inWallets, [realm, after, start, scan, end])).rows
}
