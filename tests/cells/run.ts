import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { steps } from '../../server/src/cells/move/steps.ts'
import { Checks } from '../security/checks.ts'
import { call } from '../support/call.ts'
import { scriptOptions } from '../support/scriptOptions.ts'
import { limitTime } from '../support/timeLimit.ts'
import { checkArrivals } from './arrivals.ts'
import { checkContested } from './contested.ts'
import { checkFailover } from './failover.ts'
import { StepGate } from './gate.ts'
import { checkKeys } from './keys.ts'
import { checkKills, type KillSizes } from './kills.ts'
import { checkMoves } from './moves.ts'
import { checkNouns } from './nouns.ts'
import { checkDirectoryAway, checkKilledCell } from './outages.ts'
import { makeFilled, makeWritable } from './realms.ts'
import { checkRoundTrip } from './roundTrip.ts'
import type { Scene } from './scene.ts'
import { type CellStage, openCells } from './stage.ts'
import { checkStraddle } from './straddle.ts'

/**
 * npm run cells [-- --quick] [-- --only TEXT,…] [-- --seed N]
 *   [-- --entries N] [-- --moves N] [-- --clients N]
 *
 * A directory, two cells with two servers each and HAProxy, all real processes. Realms move while clients
 * write to them, and while movers, databases and cells are killed. The judge is that of the chaos tests.
 * Quick runs with fewer of everything and without the slowest parts. `--only` runs some parts; `--entries`,
 * `--moves` and `--clients` are the length of the realm's journal, the moves without a kill, and how many
 * clients write without a pause.
 */
const given = scriptOptions({
  quick: { type: 'boolean' },
  only: { type: 'string' },
  entries: { type: 'string' },
  moves: { type: 'string' },
  clients: { type: 'string' },
  seed: { type: 'string' },
})
const quick = given.quick ?? false
const seed = given.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(given.seed)
limitTime({ what: 'npm run cells', minutes: quick ? 12 : 180 })

const entries = Number(given.entries ?? (quick ? 20_000 : 1_000_000))
const moves = Number(given.moves ?? (quick ? 1 : 20))
const clients = Number(given.clients ?? (quick ? 12 : 32))
const victims = ['mover', 'mover, step not recorded', 'source', 'target'] as const

const kills: KillSizes['kills'] = quick
  ? [
      { step: 'paused', victim: 'mover, step not recorded' },
      { step: 'drained', victim: 'target' },
    ]
  : steps.flatMap((step) => victims.map((victim) => ({ step, victim })))

const arrivals = { ...(quick ? { seconds: 3, rounds: 1 } : { seconds: 15, rounds: 3 }), ratio: 1.5 }

const isNamed = (name: string): boolean => given.only?.split(',').some((text) => name.includes(text)) ?? false

type Part = readonly [name: string, check: (scene: Scene) => Promise<void>]

const shortParts: readonly Part[] = [
  ['moves under load', (scene) => checkMoves(scene, { moves, clients, mostMs: 2_000 })],
  ['kills at each step', (scene) => checkKills(scene, { kills, clients })],
  [
    'holds and retries across a move',
    (scene) => checkStraddle(scene, { holds: quick ? 40 : 500, entries: 2_000, seconds: quick ? 4 : 20 }),
  ],
  ['keys', checkKeys],
  ['a killed cell', (scene) => checkKilledCell(scene, quick ? 2_000 : 15_000)],
  ['the directory away', (scene) => checkDirectoryAway(scene, quick ? 5_000 : 60_000)],
  ['open writes of every noun', checkNouns],
]

/** Only in the long form, or by name. */
const longParts: readonly Part[] = [
  ['movers and purges that meet', (scene) => checkContested(scene, clients)],
  ['there, back and there again', checkRoundTrip],
  ['fixed arrivals in two cells', (scene) => checkArrivals(scene, { entries: 2_000, ...arrivals })],
  ['a failover behind the landing', checkFailover],
]

function choose(): readonly Part[] {
  const all = [...shortParts, ...longParts]
  if (given.only !== undefined) return all.filter(([name]) => isNamed(name))
  return quick ? shortParts : all
}

const chosen = choose()
if (chosen.length === 0) {
  const names = [...shortParts, ...longParts].map(([name]) => name)
  console.error(`No part has this in its name. The parts: ${names.join(', ')}`)
  process.exit(2)
}

/** The realm that moves has open holds, which end long after the run. */
async function openHolds(stage: CellStage, { id, key }: { id: string; key: string }): Promise<void> {
  for (let member = 1; member <= 20; member++) {
    const url = `${stage.url}/api/v4/realms/${id}/members/${member}/holds`
    const { status, text } = await call('POST', url, { key, body: { tokens: 1, expiresIn: 86_400 } })
    if (status !== 200 && status !== 201) throw new Error(`a hold: ${status} ${text}`)
  }
}

async function playAll(stage: CellStage, checks: Checks): Promise<void> {
  const busy = await makeFilled(stage, stage.one, { id: 'busy', entries })
  const closed = await makeWritable(stage, stage.two, 'closed')
  await openHolds(stage, busy)
  const gate = await StepGate.open(stage.directory.postmaster.superuserUrl)
  const scene: Scene = { stage, checks, gate, realms: { busy, closed }, seed }
  for (const [name, check] of chosen) {
    console.log(name)
    const startMs = performance.now()
    try {
      await check(scene)
    } catch (error) {
      checks.check(false, `${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
    console.log(`  ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
  }
  await gate.close()
}

const folder = mkdtempSync(join(tmpdir(), 'exchequer-cells-'))
// PostgreSQL runs as another user and needs access to this folder.
await chmod(folder, 0o755)
console.log(`seed ${seed}`)
const checks = new Checks()
try {
  const startMs = performance.now()
  const stage = await openCells(folder)
  console.log(`the cells are ready after ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
  try {
    await playAll(stage, checks)
  } finally {
    await stage.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${checks.passed} passed, ${checks.failed} failed`)
// A killed database can leave a connection or a timer behind that would keep this process alive.
process.exit(checks.failed > 0 ? 1 : 0)
