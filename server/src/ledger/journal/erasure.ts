import type { Writable } from '../../db/session.ts'
import { RefusalError, realmMoving } from '../../errors.ts'
import { eraseActed, eraseBatches, eraseDetails, lockErasure } from './erasureStore.ts'

/** Entries scanned in one transaction. */
const pieceCap = 5_000

export type Whose = { readonly realm: number; readonly account: number; readonly id: string }

/** How far an erasure has come: the last entry scanned, and whether that was all. */
export type Progress = { readonly after: bigint; readonly erased: number; readonly done: boolean }

export const untouched: Progress = { after: 0n, erased: 0, done: false }

/**
 * Erases one piece of the details of a member's entries, and of entries it caused; the entries and their
 * chain stay. Refused while a move copies the realm's entries: it may have copied these already.
 */
export async function erasePiece(tx: Writable, whose: Whose, before: Progress): Promise<Progress> {
  const { realm, account, id } = whose
  if (!(await lockErasure(tx, realm))) throw new RefusalError(realmMoving)
  const { erased, looked, last, batches } = await eraseDetails(tx, realm, {
    account,
    after: before.after,
    most: pieceCap,
  })
  await eraseBatches(tx, realm, batches)
  const acted = await eraseActed(tx, realm, { id, most: pieceCap })
  return {
    after: last ?? before.after,
    erased: before.erased + erased + acted,
    done: looked < pieceCap && acted < pieceCap,
  }
}
