import { plainArray } from '../../db/arrays.ts'
import type { Queryable, Writable } from '../../db/session.ts'
import { RefusalError, wrongCell } from '../../errors.ts'

/** Endpoints as clients create, read and change them. Those for delivery are in deliveryStore.ts. */
export const statements = {
  /** Locks the realm's endpoints against other creations, and takes the next numbers. */
  takeNumbers: {
    name: 'webhooks_take_numbers',
    writes: true,
    text: `insert into endpoint_heads (realm, endpoint, threshold) values ($1, $2, $3)
      on conflict (realm) do update set endpoint = endpoint_heads.endpoint + excluded.endpoint,
        threshold = endpoint_heads.threshold + excluded.threshold
      returning endpoint, threshold`,
  },
  countEndpoints: {
    name: 'webhooks_count',
    text: 'select count(*)::integer as count from endpoints where realm = $1',
  },
  /** Where the journal and the notices end now. */
  readEnds: {
    name: 'webhooks_read_ends',
    text: `select h.seq, coalesce((select n from notice_heads where realm = $1), 0) as n
      from heads h where h.realm = $1`,
  },
  /** The kept notices after these entries. */
  readNoticeRange: {
    name: 'webhooks_read_notice_range',
    text: `select min(n) as first, max(n) as last from notices
      where realm = $1 and after_seq >= $2 and after_seq < $3`,
  },
  readPoints: { name: 'webhooks_read_points', text: 'select number, id from points where realm = $1' },
  insertEndpoint: {
    name: 'webhooks_insert',
    writes: true,
    text: `insert into endpoints
        (realm, number, url, types, description, ordered, include_details, parallel, secret)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  },
  insertTrack: {
    name: 'webhooks_insert_track',
    writes: true,
    text: `insert into tracks (realm, endpoint, track, seq, from_seq, until) values ($1, $2, $3, $4, $4, $5)
      on conflict (realm, endpoint, track) do nothing`,
  },
  insertThresholds: {
    name: 'webhooks_insert_thresholds',
    writes: true,
    text: `insert into thresholds (realm, number, endpoint, point, tokens, from_seq)
      select $1::integer, t.number, $2::integer, t.point, t.tokens, $3::bigint
      from unnest($4::integer[], $5::smallint[], $6::bigint[]) as t (number, point, tokens)`,
  },
  /** From a number on, with their positions. */
  listEndpoints: {
    name: 'webhooks_list',
    text: `select e.number, e.url, e.types, e.description, e.ordered, e.include_details, e.parallel, e.state,
        e.failures, e.failing_since, e.next_at, e.blocked_event, e.disabled_at, e.disabled_why,
        e.created_at, case when e.old_secret_until > now() then e.old_secret_until end as old_secret_until,
        t.seq, (select h.seq from heads h where h.realm = $1) as head,
        r.seq as replay_seq, r.from_seq as replay_from, r.until as replay_until,
        (select count(*)::integer from parked p where p.realm = $1 and p.endpoint = e.number) as parked
      from endpoints e
      cross join lateral (select seq from tracks
        where realm = $1 and endpoint = e.number and track = 'live' limit 1) t
      left join lateral (select seq, from_seq, until from tracks
        where realm = $1 and endpoint = e.number and track = 'replay' limit 1) r on true
      where e.realm = $1 and e.number > $2 order by e.number limit $3`,
  },
  /** Those in force now, with the public ids of their point types. */
  listThresholds: {
    name: 'webhooks_list_thresholds',
    text: `select t.endpoint, t.number, p.id as point_id, t.tokens, t.from_seq, t.to_seq
      from unnest($2::integer[]) as asked (endpoint)
      cross join lateral (select * from thresholds
        where realm = $1 and endpoint = asked.endpoint order by number limit 1000) t
      cross join lateral (select id from points where realm = $1 and number = t.point limit 1) p
      where t.to_seq is null`,
  },
  readTarget: {
    name: 'webhooks_read_target',
    text: `select url, secret, case when old_secret_until > now() then old_secret end as old_secret
      from endpoints where realm = $1 and number = $2`,
  },
  listDeliveries: {
    name: 'webhooks_list_deliveries',
    text: `select n, event, type, replay, at, attempt, status, duration_ms, error, answer from deliveries
      where realm = $1 and endpoint = $2 and n < coalesce($3, 9223372036854775807)
        and at > now() - interval '7 days'
      order by n desc limit $4`,
  },
} as const

export type EndpointRow = {
  number: number
  url: string
  types: string[] | null
  description: string | null
  ordered: boolean
  include_details: boolean
  parallel: number
  state: 'active' | 'waiting' | 'disabled'
  failures: number
  failing_since: Date | null
  next_at: Date | null
  blocked_event: string | null
  disabled_at: Date | null
  disabled_why: string | null
  created_at: Date
  old_secret_until: Date | null
  seq: bigint
  head: bigint
  replay_seq: bigint | null
  replay_from: bigint | null
  replay_until: bigint | null
  parked: number
}

export type ThresholdRow = {
  endpoint: number
  number: number
  point_id: string
  tokens: bigint
  from_seq: bigint
  to_seq: bigint | null
}

export type DeliveryRow = {
  n: bigint
  event: string
  type: string
  replay: boolean
  at: Date
  attempt: number
  status: number | null
  duration_ms: number
  error: string | null
  answer: string | null
}

/** One endpoint of a realm. */
export type At = { readonly realm: number; readonly number: number }

export type EndpointValues = {
  readonly url: string
  readonly types: readonly string[] | null
  readonly description: string | null
  readonly ordered: boolean
  readonly includeDetails: boolean
  readonly parallel: number
}

export const valuesOf = (one: EndpointValues): unknown[] => [
  one.url,
  one.types,
  one.description,
  one.ordered,
  one.includeDetails,
  one.parallel,
]

type Numbers = { readonly endpoint: number; readonly threshold: number }

/** Adds to the last numbers of a realm, and returns the new ones. */
export async function takeNumbers(tx: Writable, realm: number, more: Numbers): Promise<Numbers> {
  const { rows } = await tx.query<Numbers>(statements.takeNumbers, [realm, more.endpoint, more.threshold])
  const [row] = rows
  if (!row) throw new Error('no number was returned')
  return row
}

export async function countEndpoints(db: Queryable, realm: number): Promise<number> {
  return (await db.query<{ count: number }>(statements.countEndpoints, [realm])).rows[0]?.count ?? 0
}

export async function readEnds(db: Queryable, realm: number): Promise<{ seq: bigint; n: bigint }> {
  const { rows } = await db.query<{ seq: bigint; n: bigint }>(statements.readEnds, [realm])
  const [row] = rows
  if (!row) throw new RefusalError(wrongCell)
  return row
}

/** Numbers of notices. */
export type NoticeRange = { readonly first: bigint; readonly last: bigint }

/** The kept notices that follow an entry from `from` on and before `to`; undefined when there is none. */
export async function readNoticeRange(
  db: Queryable,
  realm: number,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<NoticeRange | undefined> {
  type Row = { first: bigint | null; last: bigint | null }
  const { rows } = await db.query<Row>(statements.readNoticeRange, [realm, from, to])
  const { first = null, last = null } = rows[0] ?? {}
  return first === null || last === null ? undefined : { first, last }
}

export async function insertEndpoint(
  tx: Writable,
  { realm, number }: At,
  given: EndpointValues & { readonly secret: string },
): Promise<void> {
  await tx.query(statements.insertEndpoint, [realm, number, ...valuesOf(given), given.secret])
}

/** What an endpoint has a position in; the table `tracks` says what each is. */
export type TrackName = 'live' | 'notices' | 'replay' | 'notice_replay'

export type NewTrack = {
  readonly track: TrackName
  readonly seq: bigint
  readonly until?: bigint | undefined
}

/** False when the endpoint has such a track already. */
export async function insertTrack(
  tx: Writable,
  { realm, number }: At,
  { track, seq, until }: NewTrack,
): Promise<boolean> {
  const { count } = await tx.query(statements.insertTrack, [realm, number, track, seq, until ?? null])
  return count === 1
}

export type NewThreshold = { readonly number: number; readonly point: number; readonly tokens: bigint }

export async function insertThresholds(
  tx: Writable,
  { realm, number }: At,
  { fromSeq, rows }: { readonly fromSeq: bigint; readonly rows: readonly NewThreshold[] },
): Promise<void> {
  if (rows.length === 0) return
  const arrays = [
    plainArray(rows, (row) => row.number),
    plainArray(rows, ({ point }) => point),
    plainArray(rows, ({ tokens }) => tokens),
  ]
  await tx.query(statements.insertThresholds, [realm, number, fromSeq, ...arrays])
}

export async function listEndpoints(
  db: Queryable,
  realm: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<EndpointRow[]> {
  return (await db.query<EndpointRow>(statements.listEndpoints, [realm, after, limit])).rows
}

export async function listThresholds(
  db: Queryable,
  realm: number,
  numbers: readonly number[],
): Promise<ThresholdRow[]> {
  const values = [realm, plainArray(numbers, (number) => number)]
  return (await db.query<ThresholdRow>(statements.listThresholds, values)).rows
}

export type TargetRow = { url: string; secret: string; old_secret: string | null }

export async function readTarget(db: Queryable, { realm, number }: At): Promise<TargetRow | undefined> {
  return (await db.query<TargetRow>(statements.readTarget, [realm, number])).rows[0]
}

export async function listDeliveries(
  db: Queryable,
  { realm, number }: At,
  { below, limit }: { readonly below: number | undefined; readonly limit: number },
): Promise<DeliveryRow[]> {
  const values = [realm, number, below ?? null, limit]
  return (await db.query<DeliveryRow>(statements.listDeliveries, values)).rows
}

/** The numbers of point types, by their ids. */
export async function readPoints(db: Queryable, realm: number): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ number: number; id: string }>(statements.readPoints, [realm])
  return new Map(rows.map(({ number, id }) => [id, number]))
}
