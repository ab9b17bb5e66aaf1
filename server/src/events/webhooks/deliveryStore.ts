import type { Queryable, Writable } from '../../db/session.ts'
import type { At, ThresholdRow, TrackName } from './endpointStore.ts'

/** What the dispatcher reads and writes. Every write of a position names the lease that it needs. */
export const statements = {
  /** Endpoints of all realms that have something to send. */
  due: { name: 'deliveries_due', text: 'select realm, number from due_endpoints($1, $2)' },
  /** A second process gets no row. */
  lease: {
    name: 'deliveries_lease',
    writes: true,
    text: `update endpoints e set lease = $3, leased_until = now() + $4::integer * interval '1 s'
      where e.realm = $1 and e.number = $2 and e.leased_until <= now() and e.state <> 'disabled'
      returning e.url, e.types, e.ordered, e.include_details, e.parallel, e.state, e.failures,
        e.failing_since, e.attempt, e.next_at, e.secret,
        case when e.old_secret_until > now() then e.old_secret end as old_secret,
        (select s.realm_id from settings s where s.realm = $1) as realm_id,
        (select count(*)::integer from parked p where p.realm = $1 and p.endpoint = $2) as parked`,
  },
  isHeld: {
    name: 'deliveries_is_held',
    text: 'select from endpoints where realm = $1 and number = $2 and lease = $3',
  },
  renew: {
    name: 'deliveries_renew',
    writes: true,
    text: `update endpoints set leased_until = now() + $4::integer * interval '1 s'
      where realm = $1 and number = $2 and lease = $3`,
  },
  release: {
    name: 'deliveries_release',
    writes: true,
    text: `update endpoints set lease = null, leased_until = now()
      where realm = $1 and number = $2 and lease = $3`,
  },
  readTracks: {
    name: 'deliveries_read_tracks',
    text: `select track, seq, step, previous, until from tracks where realm = $1 and endpoint = $2
      order by track`,
  },
  /** All that ever were, as a replay may begin anywhere. */
  readThresholds: {
    name: 'deliveries_read_thresholds',
    text: `select t.endpoint, t.number, p.id as point_id, t.tokens, t.from_seq, t.to_seq
      from thresholds t
      cross join lateral (select id from points where realm = $1 and number = t.point limit 1) p
      where t.realm = $1 and t.endpoint = $2 order by t.number limit 1000`,
  },
  /** Extends the lease, and returns the number of the last delivery in the log. */
  saveHealth: {
    name: 'deliveries_save_health',
    writes: true,
    text: `update endpoints set leased_until = now() + $4::integer * interval '1 s', state = $5,
        failures = $6, failing_since = $7, attempt = $8, next_at = $9, blocked_track = $10,
        blocked_event = $11, disabled_at = $12, disabled_why = $13, logged = logged + $14::integer
      where realm = $1 and number = $2 and lease = $3 returning logged`,
  },
  saveTrack: {
    name: 'deliveries_save_track',
    writes: true,
    text: `update tracks set seq = $4, step = $5, previous = $6
      where realm = $1 and endpoint = $2 and track = $3`,
  },
  endTrack: {
    name: 'deliveries_end_track',
    writes: true,
    text: 'delete from tracks where realm = $1 and endpoint = $2 and track = $3',
  },
} as const

export async function readDue(db: Queryable, at: Date, most: number): Promise<At[]> {
  return (await db.query<At>(statements.due, [at, most])).rows
}

export type LeasedRow = {
  url: string
  types: string[] | null
  ordered: boolean
  include_details: boolean
  parallel: number
  state: 'active' | 'waiting'
  failures: number
  failing_since: Date | null
  attempt: number
  next_at: Date | null
  secret: string
  old_secret: string | null
  realm_id: string
  parked: number
}

/** An endpoint that this process serves now. */
export type Held = At & { readonly lease: string; readonly seconds: number }

/** Undefined when another process has it. */
export async function takeLease(db: Writable, held: Held): Promise<LeasedRow | undefined> {
  const values = [held.realm, held.number, held.lease, held.seconds]
  return (await db.query<LeasedRow>(statements.lease, values)).rows[0]
}

/** Whether this process still has the lease: a client's change takes it away. */
export async function isHeld(db: Queryable, { realm, number, lease }: Held): Promise<boolean> {
  return (await db.query(statements.isHeld, [realm, number, lease])).count === 1
}

/** False when the lease is lost. */
export async function renewLease(db: Writable, held: Held): Promise<boolean> {
  const { realm, number, lease, seconds } = held
  return (await db.query(statements.renew, [realm, number, lease, seconds])).count === 1
}

export async function releaseLease(db: Writable, { realm, number, lease }: Held): Promise<void> {
  await db.query(statements.release, [realm, number, lease])
}

export type TrackRow = {
  track: TrackName
  seq: bigint
  step: number
  previous: bigint | null
  until: bigint | null
}

export async function readTracks(db: Queryable, { realm, number }: At): Promise<TrackRow[]> {
  return (await db.query<TrackRow>(statements.readTracks, [realm, number])).rows
}

export async function readThresholds(db: Queryable, { realm, number }: At): Promise<ThresholdRow[]> {
  return (await db.query<ThresholdRow>(statements.readThresholds, [realm, number])).rows
}

export type HealthValues = {
  readonly state: string
  readonly failures: number
  readonly failingSince: Date | null
  readonly attempt: number
  readonly nextAt: Date | null
  readonly blocked: { readonly track: TrackName; readonly event: string } | undefined
  readonly disabled: { readonly at: Date; readonly why: string } | undefined
}

/** Returns the number of the last delivery in the log; undefined when the lease is lost. */
export async function saveHealth(
  tx: Writable,
  { realm, number, lease, seconds }: Held,
  { health, logged }: { readonly health: HealthValues; readonly logged: number },
): Promise<bigint | undefined> {
  const { state, failures, failingSince, attempt, nextAt, blocked, disabled } = health
  const { rows } = await tx.query<{ logged: bigint }>(statements.saveHealth, [
    realm,
    number,
    lease,
    seconds,
    state,
    failures,
    failingSince,
    attempt,
    nextAt,
    blocked?.track ?? null,
    blocked?.event ?? null,
    disabled?.at ?? null,
    disabled?.why ?? null,
    logged,
  ])
  return rows[0]?.logged
}

export async function saveTrack(tx: Writable, { realm, number }: At, to: TrackRow): Promise<void> {
  const { track, seq, step, previous } = to
  await tx.query(statements.saveTrack, [realm, number, track, seq, step, previous])
}

export async function endTrack(tx: Writable, { realm, number }: At, track: TrackName): Promise<void> {
  await tx.query(statements.endTrack, [realm, number, track])
}
