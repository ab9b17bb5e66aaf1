import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from '../chaos/load.ts'
import { cellOf, headAt } from './heads.ts'
import { type Mover, startMove } from './mover.ts'
import { checkAndPurge } from './moves.ts'
import type { Scene } from './scene.ts'
import { type Cell, type CellStage, untilReady } from './stage.ts'
import { whileWriting } from './writers.ts'

/** What ends at a step: the mover just after or just before its record, or a database. */
export type Victim = 'mover' | 'mover, step not recorded' | 'source' | 'target'

export type KillSizes = {
  readonly kills: readonly { readonly step: string; readonly victim: Victim }[]
  readonly clients: number
}

const otherOf = ({ one, two }: CellStage, cell: Cell): Cell => (cell === one ? two : one)
/** A mover may give up when a database is killed, and must succeed once it is back. */
const runsAtMost = 3
const endsWithinMs = 60_000
/** How long a database is away. */
const awayMs = 1_000

async function killDatabase({ gate }: Scene, cell: Cell, mover: Mover): Promise<void> {
  cell.postmaster.kill('all')
  await gate.release()
  await sleep(awayMs)
  await cell.postmaster.start()
  await untilReady(cell)
  const late = sleep(endsWithinMs, 'late' as const, { ref: false })
  if ((await Promise.race([mover.ended, late])) === 'late') {
    await mover.kill()
    throw new Error('a mover did not end after a database was killed')
  }
}

/** Moves the realm with one kill at this step; returns how many movers it took afterwards. */
async function killAt(
  scene: Scene,
  { from, to }: { from: Cell; to: Cell },
  { step, victim }: KillSizes['kills'][number],
): Promise<number> {
  const { stage, gate, realms } = scene
  await gate.stopAt(step)
  const mover = startMove(stage, realms.busy.id, to.number)
  try {
    await gate.untilReached(() => mover.isOver)
    if (victim === 'source' || victim === 'target') {
      await killDatabase(scene, victim === 'source' ? from : to, mover)
    } else {
      await mover.kill()
      if (victim === 'mover') await gate.release()
      else await gate.drop()
    }
  } finally {
    await gate.release()
  }
  for (let run = 1; ; run++) {
    const { code, said } = await startMove(stage, realms.busy.id, to.number).ended
    if (code === 0) return run
    if (run === runsAtMost) throw new Error(`after a kill of the ${victim} at ${step}: ${said}`)
    await sleep(500)
  }
}

async function oneKill(scene: Scene, load: Load, kill: KillSizes['kills'][number]): Promise<void> {
  const { stage, checks, realms } = scene
  const { id } = realms.busy
  const from = await cellOf(stage, id)
  const to = otherOf(stage, from)
  const runs = await killAt(scene, { from, to }, kill)
  const backMs = await load.untilAcknowledged()
  console.log(
    `  ${kill.victim} killed at ${kill.step}: done by ${runs} more ${runs === 1 ? 'run' : 'runs'}, ` +
      `writes after ${Math.round(backMs)} ms`,
  )
  const isThere = (await headAt(to, id)) !== undefined && (await headAt(from, id)) === undefined
  checks.check(isThere, `after a kill of the ${kill.victim} at ${kill.step}, the head is not in the target`)
  checks.check(Number.isFinite(backMs), `no writes after a kill of the ${kill.victim} at ${kill.step}`)
  await checkAndPurge(scene, to, id)
}

/** Kills movers and databases at each step of a move, while clients write. */
export async function checkKills(scene: Scene, { kills, clients }: KillSizes): Promise<void> {
  const { stage, checks, realms, seed } = scene
  const writing = { name: 'kills', realms, seed: seed + 1, clients, checks }
  await whileWriting(stage, writing, async (load) => {
    for (const kill of kills) await oneKill(scene, load, kill)
  })
}
