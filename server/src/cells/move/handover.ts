import { randomUUID } from 'node:crypto'
import { sqlState } from '../../db/failures.ts'
import {
  type Counts,
  countRows,
  type Departed,
  depart,
  hasMarks,
  landHead,
  lastEntry,
  listMarks,
  lockArrival,
  lockHead,
  lockRealm,
  putMark,
  readDeparted,
  turnArrival,
} from './cellStore.ts'
import { awaitTransactions } from './copy.ts'
import { findOpen, flip, setHead } from './directoryStore.ts'
import { awaitStandbys, type Mover, retryLock, transact, waitUntil } from './link.ts'
import { dropSubscription } from './replicationStore.ts'
import { linkName, MoveError } from './steps.ts'

/** Each waits for 2 s, in which the realm's writes wait behind it. */
const pauseTries = 5
/** The realm is in no cell meanwhile: after this long the move is given up. */
const barrierMs = 5_000
const drainMs = 10_000
/** A realm that has landed is not given up: the command can be run again. */
const landedStandbysMs = 60_000

/** The realm is paused and can't land in time: the move is given up at once. */
export class HandoverFailed extends MoveError {}

/** What the source has written down of the realm when it left. */
export async function handedOver({ source, directory, realm, place, id, from }: Mover): Promise<Departed> {
  const departed = await readDeparted(source, realm)
  if (departed?.place === place) return departed
  if ((await findOpen(directory, realm))?.place === place)
    throw new HandoverFailed(`Cell ${from} has lost the pause of realm ${id}, by a failover or a restore.`)
  throw new MoveError(`Cell ${from} does not know of this move of realm ${id}: it has ended.`)
}

/** Stops all writes of the realm: no process can write without the head. */
export async function pause(mover: Mover): Promise<void> {
  const { source, directory, realm, place, id, from, to } = mover
  try {
    await retryLock(pauseTries, () =>
      transact(source, async (tx) => {
        await lockRealm(tx, realm)
        const head = await lockHead(tx, realm)
        if (!head) return
        if (head.place >= place || !(await depart(tx, mover, to)))
          throw new MoveError(`This move of realm ${id} has ended: the realm is in cell ${from}.`)
      }),
    )
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error
    throw new MoveError(`A write of realm ${id} has been open for long. Run the same command again.`)
  }
  const departed = await handedOver(mover)
  await setHead(directory, mover, departed)
  if (!(await awaitStandbys(source, barrierMs)))
    throw new HandoverFailed(`A standby of cell ${from} is more than 5 s behind.`)
}

/**
 * Waits until every transaction of before the pause has ended, and writes a mark behind them. Writes of the
 * realm have ended already, as the pause waited for their locks: this is for a write that takes none.
 */
export async function pass(mover: Mover): Promise<void> {
  const { source, realm, from } = mover
  if (!(await awaitTransactions(source, barrierMs)))
    throw new HandoverFailed(`A transaction in cell ${from} of before the pause did not end within 5 s.`)
  await putMark(source, realm, randomUUID())
}

/** Rows are replicated in the order of commits: with every mark, everything before the last one is there. */
export async function drain(mover: Mover): Promise<void> {
  const { source, target, realm, to } = mover
  const marks = await listMarks(source, realm)
  if (marks.length === 0) throw new HandoverFailed('The mark of the move is missing.')
  const arrived = await waitUntil(() => hasMarks(target, realm, marks), { withinMs: drainMs, everyMs: 5 })
  if (!arrived) throw new HandoverFailed(`The last rows did not arrive in cell ${to} within 10 s.`)
}

/** Which counts differ, as text. */
export function differences(left: Counts, right: Counts): string[] {
  const names = Object.keys(left).filter((name) => left[name] !== right[name])
  return names.map((name) => `${right[name]} ${name} instead of ${left[name]}`)
}

/** Whether the realm has landed in the target. */
export const hasLanded = async (mover: Mover): Promise<boolean> =>
  (await lockArrival(mover.target, mover)) === 'landed'

/** The realm is in the target, or the move was given up: the row of the arrival decides. */
export async function land(mover: Mover): Promise<void> {
  const { target, directory, realm, place, id, to } = mover
  if (await hasLanded(mover)) return
  const { seq, hash, head } = await handedOver(mover)
  // A source that fails over must find there that the realm was paused.
  if (!(await awaitStandbys(directory, barrierMs)))
    throw new HandoverFailed('A standby of the directory is more than 5 s behind.')
  // Nothing that the source may still send is wanted.
  await dropSubscription(target, linkName({ realm, place }))
  await transact(target, async (tx) => {
    await lockRealm(tx, realm)
    const state = await lockArrival(tx, mover)
    if (state === 'landed') return
    // Giving up was interrupted before the head was put back: it is done again.
    if (state === 'cancelled') throw new HandoverFailed(`Realm ${id} can't land in cell ${to} any more.`)
    if (!(await turnArrival(tx, mover, { from: ['ready'], to: 'landed' })))
      throw new MoveError(`This move of realm ${id} has ended: it is ${state ?? 'unknown'} in cell ${to}.`)
    const last = await lastEntry(tx, realm)
    if ((last?.seq ?? 0n) !== seq || (last && last.hash !== hash))
      throw new HandoverFailed(`The last entry in cell ${to} is ${last?.seq ?? 0n}, not ${seq}:${hash}.`)
    const wrong = differences(head.counts, await countRows(tx, realm))
    if (wrong.length > 0) throw new HandoverFailed(`Cell ${to} has ${wrong.join(', ')}.`)
    await landHead(tx, mover, head)
  })
}

/**
 * The directory names the target. Before that, every standby of the target has the realm, which lands again
 * where the target has lost the landing in a failover.
 */
export async function place(mover: Mover): Promise<void> {
  const { target, directory, id, to } = mover
  await land(mover)
  if (!(await awaitStandbys(target, landedStandbysMs)))
    throw new MoveError(
      `Realm ${id} is in cell ${to}, and a standby there is a minute behind. Run the same command again.`,
    )
  await flip(directory, mover, to)
}
