import { lockArrival, lockRealm, putArrival, readDeparted, restoreHead, turnArrival } from './cellStore.ts'
import { cancelMove, stay } from './directoryStore.ts'
import { purgeArrival } from './finish.ts'
import { awaitStandbys, type Mover, retryLock, transact } from './link.ts'
import { disconnect } from './replicate.ts'
import { MoveError } from './steps.ts'

const standbysMs = 10_000
/** The head is free, as the realm has no writes without it. */
const lockTries = 5

/**
 * The realm stays where it was. First the arrival is cancelled on the target and committed: from then on no
 * mover can land it. Only then the head is put back.
 */
export async function giveUp(mover: Mover, why: string): Promise<void> {
  const { source, target, directory, realm, id, from, to } = mover
  const isLanded = await transact(target, async (tx) => {
    await putArrival(tx, mover, { from, state: 'cancelled' })
    await turnArrival(tx, mover, { from: ['arriving', 'ready'], to: 'cancelled' })
    return (await lockArrival(tx, mover)) === 'landed'
  })
  if (isLanded)
    throw new MoveError(`Realm ${id} has landed in cell ${to}. Run the command without --give-up to finish.`)
  if (!(await awaitStandbys(target, standbysMs)))
    throw new MoveError(`A standby of cell ${to} is 10 s behind. Run the command with --give-up again.`)
  await retryLock(lockTries, () =>
    transact(source, async (tx) => {
      await lockRealm(tx, realm)
      await restoreHead(tx, mover)
    }),
  )
  // A standby without the head would take over a realm that is in no cell.
  if (!(await awaitStandbys(source, standbysMs)))
    throw new MoveError(`A standby of cell ${from} is 10 s behind. Run the command with --give-up again.`)
  await stay(directory, mover)
  await disconnect(mover)
  // Rows that the realm left there earlier are not of this move.
  const left = await readDeparted(target, realm)
  if (!left || left.purged_at !== null) await purgeArrival(mover)
  await cancelMove(directory, mover, why)
}
