import { type Actor, record } from '../audit/index.ts'
import type { RealmScoped } from '../db/rowSecurity.ts'
import type { Writable } from '../db/session.ts'
import { RefusalError, realmSuspended } from '../errors.ts'
import type { Suspension } from './realm.ts'
import { readSuspension, type SuspensionRow } from './store.ts'

/** Null for a realm that is not suspended. */
export function suspensionOf(row: SuspensionRow | undefined): Suspension | null {
  const { suspended_at: since = null, suspended_reason: reason } = row ?? {}
  return since === null ? null : { reason: reason ?? '', since }
}

/**
 * Refuses a write that the ledger does not decide. The ledger checks its own under the head lock, with the
 * rest of the configuration.
 */
export async function refuseSuspended(db: RealmScoped, realm: number): Promise<void> {
  const suspension = suspensionOf(await readSuspension(db.within([realm]), realm))
  if (suspension) throw new RefusalError(realmSuspended(suspension.reason))
}

/** Records a suspension and its reason, or its end; nothing when the change has neither. */
export async function recordSuspension(
  tx: Writable,
  by: Actor,
  { realm, suspended }: { readonly realm: number; readonly suspended: { reason: string } | null | undefined },
): Promise<void> {
  if (suspended === undefined) return
  const action = suspended ? 'realm.suspend' : 'realm.resume'
  await record(tx, by, { realm, action, subject: suspended?.reason ?? '' })
}
