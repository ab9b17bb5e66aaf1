import type { Queryable } from '../../db/session.ts'

/** The entry that carries these details, and the other entries of its batch, if it has one. */
const withBatch = `cross join lateral (
        (select seq, key, kind from bound_journal where realm = $1 and seq = d.seq limit 1)
        union all
        (select f.* from (select 1 from bound_journal
            where realm = $1 and seq = d.seq + 1 and link = d.seq and kind = 1 limit 1) batched
          cross join lateral (select seq, key, kind from bound_journal where realm = $1 and seq > d.seq
            and seq < d.seq + 1000 and link = d.seq and kind = 1 order by seq limit 1000) f)) j
      order by d.seq desc, j.seq desc limit $3`

/** Candidate entries, newest first; the entries of a batch are adjacent, so the order holds. */
export const statements = {
  byReference: {
    name: 'undo_by_reference',
    text: `select j.* from (select seq from details where realm = $1 and reference = $4 and seq < $2
          and ($5::bigint is null or actor_id = $5) order by seq desc limit $3) d
      ${withBatch}`,
  },
  byActor: {
    name: 'undo_by_actor',
    text: `select j.* from (select seq from details where realm = $1 and actor_id = $4 and seq < $2
          order by seq desc limit $3) d
      ${withBatch}`,
  },
  all: {
    name: 'undo_all',
    text: `select seq, key, kind from bound_journal where realm = $1 and seq < $2 order by seq desc limit $3`,
  },
  /** The entries of a time span: after the first, up to the second. */
  span: {
    name: 'undo_span',
    text: `select case when $2::bigint is null then 0 else seq_at($1, $2) end as after,
        case when $3::bigint is null then (select seq from heads where realm = $1) else seq_at($1, $3) end
        as last`,
  },
} as const

export type Candidate = { seq: bigint; key: number; kind: number }

export type Among = { readonly before: bigint; readonly limit: number }

/** Details to search by. */
export type DetailsFilter = { readonly reference?: string | undefined; readonly actorId?: string | undefined }

export async function candidates(
  db: Queryable,
  realm: number,
  { before, limit, reference, actorId }: Among & DetailsFilter,
): Promise<Candidate[]> {
  const among = [realm, before, limit]
  if (reference !== undefined)
    return (await db.query<Candidate>(statements.byReference, [...among, reference, actorId ?? null])).rows
  if (actorId !== undefined) return (await db.query<Candidate>(statements.byActor, [...among, actorId])).rows
  return (await db.query<Candidate>(statements.all, among)).rows
}

export type Span = { after: bigint; last: bigint }

export async function spanOf(
  db: Queryable,
  realm: number,
  { fromUs, toUs }: { readonly fromUs: bigint | null; readonly toUs: bigint | null },
): Promise<Span> {
  // Both ends are the last entry before the given time.
  const before = (us: bigint | null) => (us === null ? null : us - 1n)
  const { rows } = await db.query<Span>(statements.span, [realm, before(fromUs), before(toUs)])
  return rows[0] ?? { after: 0n, last: 0n }
}
