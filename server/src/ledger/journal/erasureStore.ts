import { plainArray as plain } from '../../db/arrays.ts'
import type { Queryable, Writable } from '../../db/session.ts'
import { pendingText } from '../rules/accounts.ts'
import { entryTypes, numbersWith } from '../rules/entryTypes.ts'
import type { DetailsRow } from './journalStore.ts'

const sharesDetails = (kind: string): string =>
  `${kind} = any (array[${numbersWith('sharesDetails').join()}])`

/** A member's details are erased in pieces: a member may have millions of entries. */
export const statements = {
  /** Whether no move copies the realm's entries, and none begins to before the transaction ends. */
  lockErasure: { name: 'ledger_lock_erasure', text: 'select lock_erasure($1) as locked' },
  /**
   * Erases the details of some entries of an account, from one entry on, and returns how far it came. Held
   * points come from the account itself, and awards name the entries of pending ones: five look-ups find
   * all. A claim's details name only its snapshot and contain nothing personal: they stay, for all members
   * in it. The details of a batch stay with its first entry for the other members: a row in `erasures`
   * keeps them from being returned with this member's entry.
   */
  eraseDetails: {
    name: 'ledger_erase_details',
    writes: true,
    text: `with own as materialized (
        select o.seq, o.kind, o.link from (
          (select seq, kind, link from bound_journal
            where realm = $1 and from_account = $2::integer and from_account > 0 and seq > $3
            order by seq limit $4)
          union
          (select seq, kind, link from bound_journal
            where realm = $1 and to_account = $2::integer and to_account > 0 and seq > $3
            order by seq limit $4)
          union
          (select seq, kind, link from bound_journal
            where realm = $1 and from_account = -$2::integer and from_account < 0 and seq > $3
            order by seq limit $4)
          union
          (select seq, kind, link from bound_journal
            where realm = $1 and from_account = ${pendingText('$2::integer')} and from_account < 0
              and seq > $3 order by seq limit $4)
          union
          (select seq, ${entryTypes.award.number}::smallint, null::bigint from awards
            where realm = $1 and account = $2::integer and seq > $3 order by seq limit $4)) o
        order by o.seq limit $4),
      placed as materialized (
        select own.seq, coalesce(own.link, own.seq) as first, n.seq is not null as leads,
          ${sharesDetails('own.kind')} and (own.link is not null or n.seq is not null) as in_batch
        from own left join lateral (select seq from bound_journal where realm = $1 and seq = own.seq + 1
          and link = own.seq and ${sharesDetails('kind')} limit 1) n on true
        where own.kind <> ${entryTypes.claim.number}),
      marked as (
        insert into erasures (realm, seq)
        select $1::integer, p.seq from placed p cross join lateral (
          select seq from details where realm = $1 and seq = p.first limit 1) d
        where p.in_batch on conflict do nothing returning seq),
      gone as (
        delete from details d using (
          select k.place, p.seq from placed p cross join lateral (
            select ctid as place from details where realm = $1 and seq = p.seq limit 1) k
          where not p.leads offset 0) k
        where d.ctid = k.place and d.realm is not distinct from $1::integer returning k.seq)
      select (select count(*)::integer from (select seq from marked union select seq from gone) e) as erased,
        (select count(*)::integer from own) as looked, (select max(seq) from own) as last,
        array(select distinct first::text from placed where in_batch) as batches`,
  },
  /** Erases the details of batches of which every member was erased. */
  eraseBatches: {
    name: 'ledger_erase_batches',
    writes: true,
    text: `delete from details d using (
        select k.place from unnest($2::bigint[]) as asked (seq)
        cross join lateral (
          select ctid as place from details where realm = $1 and seq = asked.seq limit 1) k
        left join lateral (
          select j.seq from bound_journal j
          left join lateral (select seq from erasures where realm = $1 and seq = j.seq limit 1) e on true
          where j.realm = $1 and j.seq >= asked.seq and j.seq < asked.seq + 1000
            and (j.seq = asked.seq or j.link = asked.seq) and e.seq is null
          order by j.seq limit 1) other on true
        where other.seq is null offset 0) k
      where d.ctid = k.place and d.realm is not distinct from $1::integer`,
  },
  /** Which of these entries must not be returned with their details. */
  readErased: {
    name: 'ledger_read_erased',
    text: `select seq from erasures where realm = $1 and seq > $2 and seq <= $3 order by seq limit $4`,
  },
  /** The details of these batches, as far as their first entry was erased. */
  readErasedBatches: {
    name: 'ledger_read_erased_batches',
    text: `select d.* from unnest($2::bigint[]) as asked (seq)
      cross join lateral (select seq from erasures where realm = $1 and seq = asked.seq limit 1) e
      cross join lateral (select seq, salt, reason, reference, metadata, actor_id from details
        where realm = $1 and seq = e.seq limit 1) d`,
  },
  /** Erases details that name a member as the actor of an entry. */
  eraseActed: {
    name: 'ledger_erase_acted',
    writes: true,
    text: `delete from details d using (
        select ctid as place from details where realm = $1 and actor_id = $2::bigint
        order by seq limit $3 offset 0) k
      where d.ctid = k.place and d.realm is not distinct from $1::integer`,
  },
  /**
   * At most a day's refusals. The id is matched as a whole word: another number may contain it. An identity
   * may contain anything: a refusal of a longer one that contains it is erased too.
   */
  eraseRefusals: {
    name: 'ledger_erase_refusals',
    writes: true,
    text: `delete from refusals where realm = $1 and (body ~ ('\\m' || $2::text || '\\M')
      or exists (select from unnest($3::text[]) as named (text) where strpos(body, named.text) > 0))`,
  },
} as const

export async function lockErasure(tx: Queryable, realm: number): Promise<boolean> {
  return (await tx.query<{ locked: boolean }>(statements.lockErasure, [realm])).rows[0]?.locked === true
}

export type ErasureStep = { erased: number; looked: number; last: bigint | null; batches: string[] }

type Piece = { readonly account: number; readonly after: bigint; readonly most: number }

export async function eraseDetails(
  db: Writable,
  realm: number,
  { account, after, most }: Piece,
): Promise<ErasureStep> {
  const { rows } = await db.query<ErasureStep>(statements.eraseDetails, [realm, account, after, most])
  return rows[0] ?? { erased: 0, looked: 0, last: null, batches: [] }
}

/** Batches by their first entries. */
export async function eraseBatches(db: Writable, realm: number, firsts: readonly string[]): Promise<void> {
  if (firsts.length > 0) await db.query(statements.eraseBatches, [realm, plain(firsts, (first) => first)])
}

type Page = { readonly after: bigint; readonly upTo: bigint; readonly limit: number }

export async function readErased(
  db: Queryable,
  realm: number,
  { after, upTo, limit }: Page,
): Promise<ReadonlySet<bigint>> {
  const { rows } = await db.query<{ seq: bigint }>(statements.readErased, [realm, after, upTo, limit])
  return new Set(rows.map(({ seq }) => seq))
}

/** By the first entry of each batch. */
export async function readErasedBatches(
  db: Queryable,
  realm: number,
  firsts: readonly bigint[],
): Promise<ReadonlyMap<bigint, DetailsRow>> {
  if (firsts.length === 0) return new Map()
  const values = [realm, plain(firsts, (first) => first)]
  const { rows } = await db.query<DetailsRow>(statements.readErasedBatches, values)
  return new Map(rows.map((row) => [row.seq, row]))
}

type Acted = { readonly id: string; readonly most: number }

export async function eraseActed(db: Writable, realm: number, { id, most }: Acted): Promise<number> {
  return (await db.query(statements.eraseActed, [realm, id, most])).count
}

type Said = { readonly id: string; readonly identities: readonly string[] }

/** Refusals are stored as JSON, with identities as JSON has them. */
export async function eraseRefusals(db: Writable, realm: number, { id, identities }: Said): Promise<void> {
  const escaped = identities.map((identity) => JSON.stringify(identity).slice(1, -1))
  await db.query(statements.eraseRefusals, [realm, id, escaped])
}
