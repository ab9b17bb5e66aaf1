import type { Database } from '../../db/database.ts'
import type { Queryable, Session } from '../../db/session.ts'
import {
  lockArrival,
  lockRealm,
  putArrival,
  readDeparted,
  readHead,
  restoreHead,
  turnArrival,
} from './cellStore.ts'
import { cancelMove, findOpen, findRealm, hasMovedSince, type MoveId, stay } from './directoryStore.ts'
import { purgeArrival } from './finish.ts'
import { awaitStandbys, type Mover, openSession, retryLock, transact } from './link.ts'
import { MoverLock } from './lock.ts'
import { disconnect } from './replicate.ts'
import { MoveError } from './steps.ts'

const standbysMs = 10_000
/** The head is free, as the realm has no writes without it. */
const lockTries = 5

/** The target has lost the realm in a failover, and the source has begun to delete it. */
async function checkSource({ source, target, realm, id, from, to }: Mover): Promise<void> {
  const departed = await readDeparted(source, realm)
  if (!departed?.purge_began_at || (await readHead(source, realm)) || (await readHead(target, realm))) return
  throw new MoveError(
    `Cell ${from} has deleted rows of realm ${id} already, and cell ${to} has lost it. Restore cell ${to}.`,
  )
}

/**
 * Puts the head back, which the pause removed, or a process of this cell when the cell had lost the pause.
 * A copy of before the realm was elsewhere is not put back, nor what a later move has paused. Whether the
 * head is there now.
 */
async function putHeadBack(
  source: Session,
  directory: Queryable,
  move: MoveId & { readonly cell: number; readonly before: number },
): Promise<boolean> {
  const { realm, place, cell, before } = move
  return retryLock(lockTries, () =>
    transact(source, async (tx) => {
      await lockRealm(tx, realm)
      const left = await readDeparted(tx, realm)
      const isUsable =
        !left ||
        (left.place <= place &&
          !left.purge_began_at &&
          !(await hasMovedSince(directory, { realm, place: left.place }, { cell, before })))
      if (isUsable) await restoreHead(tx, move, left?.place ?? 0)
      return (await readHead(tx, realm)) !== undefined
    }),
  )
}

/**
 * The realm stays where it was. First the arrival is cancelled on the target and committed: from then on no
 * mover can land it. Only then the head is put back.
 */
export async function giveUp(mover: Mover, why: string): Promise<void> {
  const { source, target, directory, realm, place, id, from, to } = mover
  await checkSource(mover)
  const isLanded = await transact(target, async (tx) => {
    await putArrival(tx, mover, { from, state: 'cancelled' })
    await turnArrival(tx, mover, { from: ['arriving', 'ready'], to: 'cancelled' })
    return (await lockArrival(tx, mover)) === 'landed'
  })
  if (isLanded)
    throw new MoveError(`Realm ${id} has landed in cell ${to}. Run the command without --give-up to finish.`)
  if (!(await awaitStandbys(target, standbysMs)))
    throw new MoveError(`A standby of cell ${to} is 10 s behind. Run the command with --give-up again.`)
  if (!(await putHeadBack(source, directory, { realm, place, cell: from, before: place })))
    throw new MoveError(`Cell ${from} has no copy of realm ${id} from before the move. Restore cell ${from}.`)
  // A standby without the head would take over a realm that is in no cell.
  if (!(await awaitStandbys(source, standbysMs)))
    throw new MoveError(`A standby of cell ${from} is 10 s behind. Run the command with --give-up again.`)
  await stay(directory, mover, from)
  await disconnect(mover)
  // Rows that the realm left there earlier are not of this move.
  const left = await readDeparted(target, realm)
  if (!left || left.purged_at !== null) await purgeArrival(mover)
  await cancelMove(directory, mover, why)
}

type Cells = { readonly directory: Database; open(cell: number): { readonly db: Database } }
type Stayed = { readonly realm: number; readonly id: string; readonly cell: number }

/**
 * Puts the head back where the last move was given up and the cell has lost that in a failover, or was
 * restored to before it; whether there was something to do.
 */
export async function putBack(cells: Cells, { realm, id, cell }: Stayed): Promise<boolean> {
  const lock = await MoverLock.take(cells.directory, realm, [cell])
  const source = await openSession(cells.open(cell).db)
  try {
    const placed = await findRealm(cells.directory, id)
    if (placed?.cell !== cell || placed.purged || (await findOpen(cells.directory, realm))) return false
    if (await readHead(source, realm)) return false
    const { place } = placed
    return await putHeadBack(source, cells.directory, { realm, place, cell, before: place + 1 })
  } finally {
    await source.close()
    await lock.release()
  }
}
