import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../chaos/books.ts'
import type { Load } from '../chaos/load.ts'
import { gateName } from './gate.ts'
import { cellOf, headAt } from './heads.ts'
import { Mover, moveRealm, startMove } from './mover.ts'
import { checkHanded } from './moves.ts'
import { purgeCopies, runPurge } from './purging.ts'
import { numberOf } from './realms.ts'
import type { Scene } from './scene.ts'
import type { Cell, CellStage } from './stage.ts'
import { whileWriting } from './writers.ts'

const otherOf = ({ one, two }: CellStage, cell: Cell): Cell => (cell === one ? two : one)

const entriesText = `select count(*) as entries from exchequer.journal j join exchequer.realms r
  on r.realm = j.realm where r.id = $1`

async function entriesAt({ postmaster }: Cell, realm: string): Promise<number> {
  const [row] = await query<{ entries: string }>(postmaster.superuserUrl, entriesText, [realm])
  return Number(row?.entries)
}

/** A subscription that was left behind would repeat the deletes of a purge on the realm itself. */
async function purgeWhileSubscribed({ stage, checks, realms }: Scene): Promise<void> {
  const { id } = realms.busy
  const from = await cellOf(stage, id)
  const to = otherOf(stage, from)
  await moveRealm(stage, id, to.number)
  const [number, head] = [await numberOf(stage, id), await headAt(to, id)]
  const name = `move_${number}_${head?.place}`
  const [source, target] = [from.postmaster.superuserUrl, to.postmaster.superuserUrl]
  const rows = `for table exchequer.journal where (realm = ${number})`
  await query(source, `create publication ${name} ${rows} with (publish_via_partition_root = true)`)
  const options = `publication ${name} with (copy_data = false)`
  await query(target, `create subscription ${name} connection '${source}' ${options}`)
  const before = await entriesAt(from, id)
  const { code, err } = await runPurge(stage, id)
  checks.check(code !== 0, 'a purge with a live subscription was not refused')
  checks.check((await entriesAt(from, id)) === before, `a refused purge deleted entries: ${err}`)
  checks.check((await entriesAt(to, id)) >= before, 'a refused purge deleted entries of the realm itself')
  await query(target, `drop subscription ${name}`)
  await query(source, `drop publication ${name}`)
  await purgeCopies(stage, id)
}

/** One of two movers does it; the other says why not. */
async function twoMovers(scene: Scene): Promise<void> {
  const { stage, checks, realms } = scene
  const { id } = realms.busy
  const from = await cellOf(stage, id)
  const to = otherOf(stage, from)
  const ended = await Promise.all([
    startMove(stage, id, to.number).ended,
    startMove(stage, id, to.number).ended,
  ])
  const codes = ended.map(({ code }) => code)
  checks.check(
    codes.includes(0),
    `of two movers, none succeeded: ${ended.map(({ said }) => said).join('; ')}`,
  )
  const isThere = (await headAt(to, id)) !== undefined && (await headAt(from, id)) === undefined
  checks.check(isThere, 'after two movers at once, the head is not in the target alone')
  console.log(`  two movers ended with ${codes.join(' and ')}`)
  await checkHanded(scene, to, id)
  await purgeCopies(stage, id)
}

const cutText = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid <> pg_backend_pid() and usename = 'postgres' and application_name <> '${gateName}'`

/** A mover that is frozen just before it lands the realm must not land it after another gave up the move. */
async function frozenMover(scene: Scene, load: Load): Promise<void> {
  const { stage, gate, checks, realms } = scene
  const { id } = realms.busy
  const from = await cellOf(stage, id)
  const to = otherOf(stage, from)
  await gate.stopAt('drained')
  const frozen = startMove(stage, id, to.number)
  await gate.untilReached(() => frozen.isOver)
  await frozen.freeze()
  await gate.release()
  // Its session there ends, as when its machine can't be reached; so its lock is free.
  await query(stage.directory.postmaster.superuserUrl, cutText)
  const { code, said } = await new Mover(stage, [id, '--give-up']).ended
  checks.check(code === 0, `giving up the move of a frozen mover: ${said}`)
  frozen.thaw()
  const first = await frozen.ended
  console.log(`  the frozen mover ended with ${first.code}`)
  checks.check(first.code !== 0, 'a mover whose move was given up reported success')
  await sleep(500)
  checks.check(Number.isFinite(await load.untilAcknowledged()), 'no writes after a move was given up')
  const isBack = (await headAt(from, id)) !== undefined && (await headAt(to, id)) === undefined
  checks.check(isBack, 'after a move was given up, the head is not in the source alone')
}

/** Movers and purges that meet. */
export async function checkContested(scene: Scene, clients: number): Promise<void> {
  const { stage, checks, realms, seed } = scene
  const writing = { name: 'contested', realms, seed: seed + 2, clients, checks }
  await whileWriting(stage, writing, async (load) => {
    await purgeWhileSubscribed(scene)
    await twoMovers(scene)
    await frozenMover(scene, load)
  })
}
