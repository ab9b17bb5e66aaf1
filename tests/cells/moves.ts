import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../chaos/books.ts'
import { headAt } from './heads.ts'
import { moveRealm } from './mover.ts'
import { purgeCopies } from './purging.ts'
import type { Scene } from './scene.ts'
import type { Cell, CellStage } from './stage.ts'
import { whileWriting } from './writers.ts'

const otherOf = ({ one, two }: CellStage, cell: Cell): Cell => (cell === one ? two : one)

type Handed = { readonly seq: string; readonly hash: string; readonly step: string }

const handedText = `select m.seq, encode(m.hash, 'hex') as hash, m.step from exchequer.moves m
  join exchequer.realms r on r.realm = m.realm where r.id = $1 order by m.began_at desc limit 1`

/** The realm's last move: what the directory says of it. */
export async function lastMove({ directory }: CellStage, realm: string): Promise<Handed | undefined> {
  const [move] = await query<Handed>(directory.postmaster.superuserUrl, handedText, [realm])
  return move
}

/** Replays the whole journal where the realm is now, against the head that was handed over. */
export async function checkHanded(
  { stage, checks }: Pick<Scene, 'stage' | 'checks'>,
  cell: Cell,
  realm: string,
): Promise<void> {
  const move = await lastMove(stage, realm)
  checks.check(move?.step === 'done', `the directory has the move of ${realm} at ${move?.step}, not done`)
  const against = `${move?.seq}:${move?.hash}`
  const args = ['verify', '--realm', realm, '--against', against, '--hurry']
  const { code, out, err } = await stage.command(args, cell)
  checks.check(code === 0, `verify against ${against} in cell ${cell.number}: ${out}${err}`)
}

/** The same, while what the realm has left in the other cell is deleted. */
export async function checkAndPurge(scene: Scene, cell: Cell, realm: string): Promise<void> {
  const works = [checkHanded(scene, cell, realm), purgeCopies(scene.stage, realm)]
  await Promise.allSettled(works)
  await Promise.all(works)
}

export type MoveSizes = { readonly moves: number; readonly clients: number; readonly mostMs: number }

/** Moves a realm there and back while clients write to it. */
export async function checkMoves(scene: Scene, { moves, clients, mostMs }: MoveSizes): Promise<void> {
  const { stage, checks, realms, seed } = scene
  const { id } = realms.busy
  const gaps: number[] = []
  let from = (await headAt(stage.one, id)) ? stage.one : stage.two
  await whileWriting(stage, { name: 'moves', realms, seed, clients, checks }, async (load) => {
    for (let nth = 0; nth < moves; nth++) {
      await sleep(500)
      load.watchGap(id)
      const startMs = performance.now()
      const to = otherOf(stage, from)
      await moveRealm(stage, id, to.number)
      await load.untilAcknowledged()
      gaps.push(load.longestGapOf(id))
      const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
      console.log(
        `  to cell ${to.number} in ${seconds} s, ${Math.round(gaps.at(-1) ?? 0)} ms without a write`,
      )
      await checkAndPurge(scene, to, id)
      from = to
    }
  })
  checks.atMost(Math.max(...gaps), mostMs, 'longest time without an acknowledged write, ms')
}
