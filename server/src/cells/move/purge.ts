import { readDeparted } from './cellStore.ts'
import { findOpen, findRealm } from './directoryStore.ts'
import { purgeCopy } from './finish.ts'
import { openSession } from './link.ts'
import { MoverLock } from './lock.ts'
import type { Cells } from './mover.ts'
import { MoveError } from './steps.ts'

export type PurgeRequest = {
  readonly id: string
  /** The cells to look in. */
  readonly cells: readonly number[]
  /** Without waiting for a day. */
  readonly isNow: boolean
  readonly say: (line: string) => void
}

const dayMs = 86_400_000

type Left = { readonly realm: number; readonly home: number; readonly cell: number }

/** Deletes the copy in one cell, if there is one; how many rows, undefined without one. */
async function purgeIn(
  cells: Cells,
  { id, isNow, say }: PurgeRequest,
  left: Left,
): Promise<number | undefined> {
  const { realm, home, cell } = left
  const session = await openSession(cells.open(cell).db)
  try {
    const departed = await readDeparted(session, realm)
    if (!departed || departed.purged_at !== null) return undefined
    if (!isNow && !departed.kept) {
      const from = new Date(departed.departed_at.getTime() + dayMs).toISOString()
      throw new MoveError(
        `Realm ${id} left cell ${cell} less than a day ago. Run this again after ${from}, or with --now.`,
      )
    }
    const [there, directory] = [await openSession(cells.open(home).db), await openSession(cells.directory)]
    try {
      return await purgeCopy({ id, cell, session, home: there, directory, say }, realm)
    } finally {
      await there.close()
      await directory.close()
    }
  } finally {
    await session.close()
  }
}

/** Deletes what a realm left in cells that it has moved away from, also when it was purged since. */
export async function purgeCopies(cells: Cells, request: PurgeRequest): Promise<void> {
  const { id, say } = request
  const placed = await findRealm(cells.directory, id)
  if (!placed) throw new MoveError(`There is no realm ${id}.`)
  const { realm, cell: home } = placed
  if (await findOpen(cells.directory, realm))
    throw new MoveError(`Realm ${id} is moving. Finish the move first. Nothing was deleted.`)
  const lock = await MoverLock.take(cells.directory, realm, [])
  try {
    for (const cell of request.cells.filter((one) => one !== home)) {
      const deleted = await purgeIn(cells, request, { realm, home, cell })
      if (deleted !== undefined) say(`cell ${cell}: ${deleted} rows of realm ${id} deleted`)
    }
  } finally {
    await lock.release()
  }
}
