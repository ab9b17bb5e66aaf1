import type { Database } from '../../db/database.ts'
import type { Session } from '../../db/session.ts'
import { readDeparted } from './cellStore.ts'
import { checkMove } from './check.ts'
import { copy } from './copy.ts'
import {
  beginMove,
  findCell,
  findOpen,
  findRealm,
  type MoveRow,
  recordStep,
  setHead,
} from './directoryStore.ts'
import { finish } from './finish.ts'
import { giveUp, putBack } from './giveUp.ts'
import { drain, HandoverFailed, hasLanded, land, pass, pause, place } from './handover.ts'
import { type MoveOptions, type Mover, openSession } from './link.ts'
import { MoverLock } from './lock.ts'
import { dropStrays, follow, publish, subscribe } from './replicate.ts'
import { doing, isBefore, MoveError, type Step, stepAfter } from './steps.ts'

/** The databases of all cells, with the roles that own their schemas. */
export type Cells = {
  readonly directory: Database
  /** Throws when the operator did not name this cell. */
  open(cell: number): { readonly db: Database; readonly url: string }
}

export type MoveRequest = {
  /** The realm. */
  readonly id: string
  /** The target; may be left out to go on with a move. */
  readonly to?: number | undefined
  readonly isGivenUp: boolean
}

/** For tests: the mover ended as if it had been killed. */
export class MoverStopped extends Error {}

type Action = (mover: Mover, copiedTo: bigint) => Promise<void>

/** What leads to the next step, by the last one. Each can be repeated after it was cut. */
const actions: Readonly<Record<Exclude<Step, 'done'>, Action>> = {
  begun: copy,
  copied: publish,
  published: subscribe,
  subscribed: follow,
  ready: pause,
  paused: pass,
  passed: drain,
  drained: land,
  landed: place,
  async flipped(mover) {
    await place(mover)
    await finish(mover)
  },
}

/** A mover between these two cells, for the time of the work. */
async function withMover<T>(
  cells: Cells,
  { options, ...move }: Pick<Mover, 'realm' | 'id' | 'place' | 'from' | 'to' | 'options'>,
  work: (mover: Mover, lock: MoverLock) => Promise<T>,
): Promise<T> {
  const { realm, from, to } = move
  const lock = await MoverLock.take(cells.directory, realm, [from, to])
  const sessions: Session[] = []
  const open = async (db: Database) => {
    const session = await openSession(db)
    sessions.push(session)
    return session
  }
  try {
    const [source, target] = [cells.open(from), cells.open(to)]
    const mover = {
      ...move,
      options,
      sourceUrl: source.url,
      targetDb: target.db,
      directory: await open(cells.directory),
      source: await open(source.db),
      target: await open(target.db),
      check: () => lock.check(),
    }
    return await work(mover, lock)
  } finally {
    for (const session of sessions) await session.close()
    await lock.release()
  }
}

const pausedHint = (id: string): string =>
  `Realm ${id} may be paused: run the same command again to go on, or with --give-up.`

/** Runs one step. A move that fails while the realm is paused is given up, if that is still possible. */
async function advance(mover: Mover, step: Exclude<Step, 'done'>, copiedTo: bigint): Promise<void> {
  try {
    await mover.check()
    await actions[step](mover, copiedTo)
  } catch (error) {
    if (error instanceof HandoverFailed) {
      await giveUp(mover, error.message)
      throw new MoveError(
        `${error.message} The move was given up: realm ${mover.id} stays in cell ${mover.from}.`,
      )
    }
    if (error instanceof Error && !isBefore(step, 'ready') && isBefore(step, 'landed'))
      mover.options.say(pausedHint(mover.id))
    throw error
  }
}

/** A move that has landed goes on from there, also when the directory has lost the steps before it. */
async function whereItIs(mover: Mover, { step }: MoveRow): Promise<Step> {
  const { directory, source, realm } = mover
  if (!isBefore(step, 'landed') || !(await hasLanded(mover))) return step
  const departed = await readDeparted(source, realm)
  if (departed?.place === mover.place) await setHead(directory, mover, departed)
  await recordStep(directory, mover, { from: step, to: 'landed' })
  return 'landed'
}

function stopAt(step: Step, { stopAfter }: Mover['options']): void {
  if (stopAfter === step) throw new MoverStopped(`stopped after ${step}`)
}

async function runSteps(mover: Mover, move: MoveRow): Promise<void> {
  const { directory, realm, options } = mover
  const first = await whereItIs(mover, move)
  if (first !== move.step) stopAt(first, options)
  let copiedTo = move.copied_to
  for (let step: Step = first; step !== 'done'; ) {
    const next = stepAfter(step)
    if (next === undefined) return
    options.say(doing[step])
    await advance(mover, step, copiedTo)
    if (step === 'begun') copiedTo = (await findOpen(directory, realm))?.copied_to ?? copiedTo
    if (!(await recordStep(directory, mover, { from: step, to: next })))
      throw new MoveError('Another command has gone on with this move.')
    step = next
    stopAt(step, options)
  }
}

async function findPlace(directory: Database, id: string) {
  const placed = await findRealm(directory, id)
  if (!placed || placed.purged) throw new MoveError(`There is no realm ${id}.`)
  return placed
}

async function checkNew(
  directory: Database,
  { id, to, isGivenUp }: MoveRequest,
  cell: number,
): Promise<number> {
  if (isGivenUp) throw new MoveError(`Realm ${id} is not moving: it is in cell ${cell}.`)
  if (to === undefined) throw new MoveError(`Realm ${id} is in cell ${cell}. Name its new cell with --to.`)
  if (to === cell) throw new MoveError(`Realm ${id} is in cell ${cell} already.`)
  const state = await findCell(directory, to)
  if (state === undefined) throw new MoveError(`There is no cell ${to}. Add it first: cell add ${to}`)
  if (state === 'closed') throw new MoveError(`Cell ${to} is closed: no realm can be placed there.`)
  return to
}

/** Moves a realm to another cell, or goes on with a move that was cut; or gives it up. */
export async function moveRealm(cells: Cells, request: MoveRequest, options: MoveOptions): Promise<void> {
  const { directory } = cells
  const { id, to, isGivenUp } = request
  const { realm, cell } = await findPlace(directory, id)
  let open = await findOpen(directory, realm)
  if (!open && isGivenUp && (await putBack(cells, { realm, id, cell }))) return
  if (!open) {
    const target = await checkNew(directory, request, cell)
    const move = { realm, id, place: 0, from: cell, to: target, options }
    await withMover(cells, move, async (mover) => {
      // Before anything is recorded: a move that can't begin leaves nothing to give up.
      await checkMove(mover)
      if (!(await findOpen(directory, realm)))
        await beginMove(mover.directory, realm, { from: cell, to: target })
    })
    open = await findOpen(directory, realm)
    if (!open) throw new MoveError(`The move of realm ${id} was ended by another command.`)
  }
  if (to !== undefined && to !== open.to_cell)
    throw new MoveError(
      `Realm ${id} is moving to cell ${open.to_cell}. Finish that, or give it up: --give-up`,
    )
  const { place, from_cell: from, to_cell: target } = open
  await withMover(cells, { realm, id, place, from, to: target, options }, async (mover) => {
    // Again, under the lock.
    const move = await findOpen(mover.directory, realm)
    if (move?.place !== place) throw new MoveError(`The move of realm ${id} was ended by another command.`)
    await dropStrays(mover)
    if (isGivenUp) await giveUp(mover, 'by the operator')
    else await runSteps(mover, move)
  })
}
