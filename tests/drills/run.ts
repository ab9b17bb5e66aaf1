import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptOptions } from '../support/scriptOptions.ts'
import { limitTime } from '../support/timeLimit.ts'
import { type Drill, seconds } from './drill.ts'
import { majorUpgrade } from './majorUpgrade.ts'
import { pointInTime } from './restore.ts'
import { secondRegion } from './secondRegion.ts'

/**
 * npm run drills [-- --quick] [-- --only TEXT] [-- --gb N] [-- --seed N]
 *
 * What an operator rehearses before the day: each drill runs the commands of the handbook against real
 * processes while clients write, and prints how long there were no writes. Quick runs with less data and
 * for less time. `--gb` is how much data is backed up and restored.
 */
const given = scriptOptions({
  quick: { type: 'boolean' },
  only: { type: 'string' },
  gb: { type: 'string' },
  seed: { type: 'string' },
})
const quick = given.quick ?? false
const gb = Number(given.gb ?? (quick ? 0.05 : 1.1))
const seed = given.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(given.seed)
if (!(gb > 0)) throw new Error(`--gb ${given.gb} is not a size`)
limitTime({ what: 'npm run drills', minutes: (quick ? 20 : 60) + Math.ceil(gb * 10) })

const drills: readonly Drill[] = [majorUpgrade, pointInTime, secondRegion]

const { only } = given
const chosen = drills.filter(({ name }) => only === undefined || name.includes(only))
if (chosen.length === 0) {
  console.error(`No drill has this in its name. The drills: ${drills.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

let passed = 0
let failed = 0

async function runOne({ name, run }: Drill): Promise<void> {
  console.log(name)
  const startMs = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-drill-'))
  // PostgreSQL runs as another user and needs access to this folder.
  await chmod(folder, 0o755)
  try {
    const counted = await run({ folder, quick, seed, gb })
    passed += counted.passed
    failed += counted.failed
  } catch (error) {
    failed += 1
    console.log(`  FAILED ${name}: ${error instanceof Error ? error.stack : String(error)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`  ${seconds(performance.now() - startMs)}`)
}

console.log(`seed ${seed}`)
for (const drill of chosen) await runOne(drill)
console.log(`\n${passed} passed, ${failed} failed`)
// A killed database can leave a connection or a timer behind that would keep this process alive.
process.exit(failed > 0 ? 1 : 0)
