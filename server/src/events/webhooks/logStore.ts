import { plainArray, textArray } from '../../db/arrays.ts'
import type { Queryable, Writable } from '../../db/session.ts'
import type { At, TrackName } from './endpointStore.ts'

/** Parked events, the log of deliveries, and notices. */
export const statements = {
  /** The one that is due first comes first. */
  readParked: {
    name: 'deliveries_read_parked',
    text: `select track, event, seq, previous, attempt from parked
      where realm = $1 and endpoint = $2 and next_at <= $3 order by next_at limit $4`,
  },
  readNotices: {
    name: 'deliveries_read_notices',
    text: `select o.n, o.mark, o.after_seq, o.type, o.account, m.id as member, o.data,
        (extract(epoch from o.at) * 1000000)::bigint as at_us
      from notices o
      left join lateral (select id from members where realm = $1 and account = o.account limit 1) m on true
      where o.realm = $1 and o.n > $2 and o.n <= $3 order by o.n limit $4`,
  },
  readNoticeEnd: {
    name: 'deliveries_read_notice_end',
    text: 'select n from notice_heads where realm = $1',
  },
  park: {
    name: 'deliveries_park',
    writes: true,
    text: `insert into parked (realm, endpoint, track, event, seq, previous, attempt, next_at)
      select $1::integer, $2::integer, p.* from unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[],
        $7::integer[], $8::timestamptz[]) as p (track, event, seq, previous, attempt, next_at)
      on conflict (realm, endpoint, track, event)
        do update set attempt = excluded.attempt, next_at = excluded.next_at`,
  },
  unpark: {
    name: 'deliveries_unpark',
    writes: true,
    text: `delete from parked d using unnest($3::text[], $4::text[]) as n (track, event)
      cross join lateral (select ctid as place from parked
        where realm = $1 and endpoint = $2 and track = n.track and event = n.event limit 1) o
      where d.ctid = o.place and d.realm is not distinct from $1::integer`,
  },
  log: {
    name: 'deliveries_log',
    writes: true,
    text: `insert into deliveries (realm, endpoint, n, event, type, replay, at, attempt, status, duration_ms,
        error, answer)
      select $1::integer, $2::integer, $3::bigint + l.place, l.event, l.type, l.replay, l.at, l.attempt,
        l.status, l.duration_ms, l.error, l.answer
      from unnest($4::text[], $5::text[], $6::boolean[], $7::timestamptz[], $8::integer[], $9::smallint[],
        $10::integer[], $11::text[], $12::text[]) with ordinality
        as l (event, type, replay, at, attempt, status, duration_ms, error, answer, place)`,
  },
  trimLog: {
    name: 'deliveries_trim_log',
    writes: true,
    text: 'delete from deliveries where realm = $1 and endpoint = $2 and n <= $3',
  },
  /** A test is logged without a lease. */
  countLogged: {
    name: 'deliveries_count_logged',
    writes: true,
    text: 'update endpoints set logged = logged + 1 where realm = $1 and number = $2 returning logged',
  },
  trim: { name: 'deliveries_trim', text: 'select trim_deliveries($1) as trimmed' },
} as const

export type ParkedRow = {
  track: TrackName
  event: string
  seq: bigint
  previous: bigint | null
  attempt: number
}

export async function readParked(
  db: Queryable,
  { realm, number }: At,
  { at, limit }: { readonly at: Date | 'infinity'; readonly limit: number },
): Promise<ParkedRow[]> {
  return (await db.query<ParkedRow>(statements.readParked, [realm, number, at, limit])).rows
}

export type NoticeRow = {
  n: bigint
  mark: string
  after_seq: bigint
  type: string
  account: number | null
  /** The id of the account's member; null when it was removed. */
  member: bigint | null
  data: string
  at_us: bigint
}

/** The number of the last notice. */
export async function readNoticeEnd(db: Queryable, realm: number): Promise<bigint> {
  return (await db.query<{ n: bigint }>(statements.readNoticeEnd, [realm])).rows[0]?.n ?? 0n
}

export async function readNotices(
  db: Queryable,
  realm: number,
  { after, upTo, limit }: { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
): Promise<NoticeRow[]> {
  return (await db.query<NoticeRow>(statements.readNotices, [realm, after, upTo, limit])).rows
}

export type NewParked = ParkedRow & { readonly nextAt: Date }

const iso = (at: Date): string => `"${at.toISOString()}"`

/** Parks events, or postpones those that are parked. */
export async function park(tx: Writable, { realm, number }: At, rows: readonly NewParked[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(statements.park, [
    realm,
    number,
    plainArray(rows, ({ track }) => track),
    plainArray(rows, ({ event }) => event),
    plainArray(rows, ({ seq }) => seq),
    plainArray(rows, ({ previous }) => previous),
    plainArray(rows, ({ attempt }) => attempt),
    plainArray(rows, ({ nextAt }) => iso(nextAt)),
  ])
}

export async function unpark(
  tx: Writable,
  { realm, number }: At,
  rows: readonly Pick<ParkedRow, 'track' | 'event'>[],
): Promise<void> {
  if (rows.length === 0) return
  const arrays = [plainArray(rows, ({ track }) => track), plainArray(rows, ({ event }) => event)]
  await tx.query(statements.unpark, [realm, number, ...arrays])
}

/** One attempt to deliver an event. */
export type LogEntry = {
  readonly event: string
  readonly type: string
  readonly isReplay: boolean
  readonly at: Date
  readonly attempt: number
  readonly status: number | undefined
  readonly durationMs: number
  readonly error: string | undefined
  readonly answer: string | undefined
}

/** Adds to the log; `last` is the number of its last row. */
export async function log(
  tx: Writable,
  { realm, number }: At,
  { last, rows }: { readonly last: bigint; readonly rows: readonly LogEntry[] },
): Promise<void> {
  if (rows.length === 0) return
  await tx.query(statements.log, [
    realm,
    number,
    last - BigInt(rows.length),
    plainArray(rows, ({ event }) => event),
    plainArray(rows, ({ type }) => type),
    plainArray(rows, ({ isReplay }) => String(isReplay)),
    plainArray(rows, ({ at }) => iso(at)),
    plainArray(rows, ({ attempt }) => attempt),
    plainArray(rows, ({ status }) => status),
    plainArray(rows, ({ durationMs }) => durationMs),
    textArray(rows, ({ error }) => error),
    textArray(rows, ({ answer }) => answer),
  ])
  await tx.query(statements.trimLog, [realm, number, last - BigInt(logCap)])
}

/** Kept for each endpoint. */
const logCap = 1_000

/** The next number in the log, for an attempt without a lease; undefined when there is no such endpoint. */
export async function countLogged(tx: Writable, { realm, number }: At): Promise<bigint | undefined> {
  return (await tx.query<{ logged: bigint }>(statements.countLogged, [realm, number])).rows[0]?.logged
}

/** Deletes what was kept long enough, in all realms; returns how much, `most` or less. */
export async function trimLogs(db: Queryable, most: number): Promise<number> {
  return (await db.query<{ trimmed: number }>(statements.trim, [most])).rows[0]?.trimmed ?? 0
}
