import { plainArray } from '../../db/arrays.ts'
import type { Queryable, Writable } from '../../db/session.ts'
import { type At, type EndpointRow, type EndpointValues, type NewTrack, valuesOf } from './endpointStore.ts'

/** Changes of endpoints by clients. Most take the lease away: delivery continues with the new settings. */
export const statements = {
  lockEndpoint: {
    name: 'webhooks_lock',
    text: `select state, ordered, blocked_track, blocked_event from endpoints
      where realm = $1 and number = $2 for update`,
  },
  /** Takes the lease away: delivery continues with the new settings. */
  updateEndpoint: {
    name: 'webhooks_update',
    writes: true,
    text: `update endpoints set url = $3, types = $4, description = $5, ordered = $6, include_details = $7,
        parallel = $8, lease = null, leased_until = '-infinity'
      where realm = $1 and number = $2`,
  },
  /** After a change of types, the next event is the first one again. */
  forgetPrevious: {
    name: 'webhooks_forget_previous',
    writes: true,
    text: `update tracks set previous = null where realm = $1 and endpoint = $2`,
  },
  endThresholds: {
    name: 'webhooks_end_thresholds',
    writes: true,
    text: `update thresholds set to_seq = $3
      where realm = $1 and endpoint = $2 and to_seq is null and number = any ($4::integer[])`,
  },
  /** Makes it active, and takes the lease away. */
  resume: {
    name: 'webhooks_resume',
    writes: true,
    text: `update endpoints set state = 'active', failures = 0, failing_since = null, attempt = 0,
        next_at = null, blocked_track = null, blocked_event = null, disabled_at = null, disabled_why = null,
        lease = null, leased_until = '-infinity'
      where realm = $1 and number = $2`,
  },
  pause: {
    name: 'webhooks_pause',
    writes: true,
    text: `update endpoints set state = 'disabled', disabled_at = now(), disabled_why = $3, next_at = null,
        lease = null, leased_until = '-infinity'
      where realm = $1 and number = $2`,
  },
  /** The event is taken as sent. */
  stepOver: {
    name: 'webhooks_step_over',
    writes: true,
    text: `update tracks set step = step + 1 where realm = $1 and endpoint = $2 and track = $3`,
  },
  replaceSecret: {
    name: 'webhooks_replace_secret',
    writes: true,
    text: `update endpoints set old_secret = secret, secret = $3, lease = null, leased_until = '-infinity',
        old_secret_until = now() + $4::integer * interval '1 s'
      where realm = $1 and number = $2`,
  },
  /** Of all endpoints of the realm. */
  takeLeases: {
    name: 'webhooks_take_leases',
    writes: true,
    text: `update endpoints set lease = null, leased_until = '-infinity'
      where realm = $1 and lease is not null`,
  },
  forgetAnswers: {
    name: 'webhooks_forget_answers',
    writes: true,
    text: 'update deliveries set answer = null where realm = $1 and answer is not null',
  },
  deleteEndpoint: {
    name: 'webhooks_delete',
    writes: true,
    text: 'delete from endpoints where realm = $1 and number = $2',
  },
  deleteTracks: {
    name: 'webhooks_delete_tracks',
    writes: true,
    text: 'delete from tracks where realm = $1 and endpoint = $2',
  },
  deleteParked: {
    name: 'webhooks_delete_parked',
    writes: true,
    text: 'delete from parked where realm = $1 and endpoint = $2',
  },
  deleteDeliveries: {
    name: 'webhooks_delete_deliveries',
    writes: true,
    text: 'delete from deliveries where realm = $1 and endpoint = $2',
  },
  deleteThresholds: {
    name: 'webhooks_delete_thresholds',
    writes: true,
    text: 'delete from thresholds where realm = $1 and endpoint = $2',
  },
} as const

export type LockedEndpoint = {
  state: EndpointRow['state']
  ordered: boolean
  blocked_track: NewTrack['track'] | null
  blocked_event: string | null
}

export async function lockEndpoint(
  tx: Queryable,
  { realm, number }: At,
): Promise<LockedEndpoint | undefined> {
  return (await tx.query<LockedEndpoint>(statements.lockEndpoint, [realm, number])).rows[0]
}

export async function updateEndpoint(
  tx: Writable,
  { realm, number }: At,
  given: EndpointValues,
): Promise<void> {
  await tx.query(statements.updateEndpoint, [realm, number, ...valuesOf(given)])
}

export async function forgetPrevious(tx: Writable, { realm, number }: At): Promise<void> {
  await tx.query(statements.forgetPrevious, [realm, number])
}

export async function endThresholds(
  tx: Writable,
  { realm, number }: At,
  { toSeq, numbers }: { readonly toSeq: bigint; readonly numbers: readonly number[] },
): Promise<void> {
  await tx.query(statements.endThresholds, [realm, number, toSeq, plainArray(numbers, (one) => one)])
}

export async function resume(tx: Writable, { realm, number }: At): Promise<void> {
  await tx.query(statements.resume, [realm, number])
}

export async function pause(tx: Writable, { realm, number }: At, why: string): Promise<void> {
  await tx.query(statements.pause, [realm, number, why])
}

export async function stepOver(tx: Writable, { realm, number }: At, track: string): Promise<void> {
  await tx.query(statements.stepOver, [realm, number, track])
}

export async function replaceSecret(
  tx: Writable,
  { realm, number }: At,
  { secret, overlapSeconds }: { readonly secret: string; readonly overlapSeconds: number },
): Promise<void> {
  await tx.query(statements.replaceSecret, [realm, number, secret, overlapSeconds])
}

/** What was read for delivery is read again, without what was erased since. */
export async function takeLeases(tx: Writable, realm: number): Promise<void> {
  await tx.query(statements.takeLeases, [realm])
}

/** A receiver may have responded with what it got. */
export async function forgetAnswers(tx: Writable, realm: number): Promise<void> {
  await tx.query(statements.forgetAnswers, [realm])
}

/** With everything that belongs to it; false when there is none. */
export async function deleteEndpoint(tx: Writable, { realm, number }: At): Promise<boolean> {
  const { count } = await tx.query(statements.deleteEndpoint, [realm, number])
  const { deleteTracks, deleteParked, deleteDeliveries, deleteThresholds } = statements
  for (const statement of [deleteTracks, deleteParked, deleteDeliveries, deleteThresholds])
    await tx.query(statement, [realm, number])
  return count === 1
}
