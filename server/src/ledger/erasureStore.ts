import type { Queryable } from '../db/session.ts'
import { kindNumbers } from './state.ts'

/** What people wrote of a member goes by pieces: a member may have millions of entries. */
export const statements = {
  /**
   * Erases the details of some entries of an account, from one on, and tells how far it came. What is held
   * comes from the account itself, so three ways find all. A claim's say which snapshot it was for, and
   * nothing of anyone: all who are in it are told it by the first.
   */
  eraseDetails: {
    name: 'ledger_erase_details',
    text: `with own as materialized (
        select o.seq, o.kind from (
          (select seq, kind from bound_journal
            where realm = $1 and from_account = $2::integer and from_account > 0 and seq > $3
            order by seq limit $4)
          union
          (select seq, kind from bound_journal
            where realm = $1 and to_account = $2::integer and to_account > 0 and seq > $3
            order by seq limit $4)
          union
          (select seq, kind from bound_journal
            where realm = $1 and from_account = -$2::integer and from_account < 0 and seq > $3
            order by seq limit $4)) o order by o.seq limit $4),
      gone as (
        delete from details d using (
          select p.place from own cross join lateral (
            select ctid as place from details where realm = $1 and seq = own.seq limit 1) p
          where own.kind <> ${kindNumbers.claim} offset 0) k
        where d.ctid = k.place and d.realm is not distinct from $1::integer returning 1)
      select (select count(*)::integer from gone) as erased, (select count(*)::integer from own) as looked,
        (select max(seq) from own) as last`,
  },
  /** Erases details that name a member as the one who caused an entry. */
  eraseActed: {
    name: 'ledger_erase_acted',
    text: `delete from details d using (
        select ctid as place from details where realm = $1 and actor_id = $2::bigint
        order by seq limit $3 offset 0) k
      where d.ctid = k.place and d.realm is not distinct from $1::integer`,
  },
  /** A day's refusals at most. The id is looked for as a word: another number may contain it. */
  eraseRefusals: {
    name: 'ledger_erase_refusals',
    text: `delete from refusals where realm = $1 and body ~ ('\\m' || $2::text || '\\M')`,
  },
} as const

export type Erased = { erased: number; looked: number; last: bigint | null }

type Piece = { readonly account: number; readonly after: bigint; readonly most: number }

export async function eraseDetails(
  db: Queryable,
  realm: number,
  { account, after, most }: Piece,
): Promise<Erased> {
  const { rows } = await db.query<Erased>(statements.eraseDetails, [realm, account, after, most])
  return rows[0] ?? { erased: 0, looked: 0, last: null }
}

type Acted = { readonly id: string; readonly most: number }

export async function eraseActed(db: Queryable, realm: number, { id, most }: Acted): Promise<number> {
  return (await db.query(statements.eraseActed, [realm, id, most])).count
}

export async function eraseRefusals(db: Queryable, realm: number, id: string): Promise<void> {
  await db.query(statements.eraseRefusals, [realm, id])
}
