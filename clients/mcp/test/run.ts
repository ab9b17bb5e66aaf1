import { type StartAnother, withWhole } from '../../../tests/support/whole.ts'
import { checkDoor, checkDoorLists } from './checkDoor.ts'
import { checkDoorPlans } from './checkDoorPlans.ts'
import { checkDoorHostile, checkHostile } from './checkHostile.ts'
import { checkInspector } from './checkInspector.ts'
import { checkJournal } from './checkJournal.ts'
import { checkPlans } from './checkPlans.ts'
import { checkProcess } from './checkProcess.ts'
import { checkForms, checkInputs, checkLists, checkReads } from './checkTools.ts'
import { type Doors, listedOrigin, makePlace, type Place } from './place.ts'

/**
 * npm run mcp: the MCP server as a process and as a route, the client of the official library, and real
 * Exchequer servers on a real PostgreSQL. `--quick` leaves out the journal of 11,000 entries and most hostile
 * texts; a name runs the parts that contain it.
 */

export type Checks = {
  readonly check: (what: string, work: () => Promise<void>) => Promise<void>
  /** Fewer processes, and every fourth of the hostile texts. */
  readonly isQuick: boolean
}

let passed = 0
let failed = 0
const args = process.argv.slice(2)
const isQuick = args.includes('--quick')
const checks: Checks = {
  isQuick,
  check: async (what, work) => {
    try {
      await work()
      passed += 1
      console.log(`  ok     ${what}`)
    } catch (error) {
      failed += 1
      const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
      const lines = said.split('\n').slice(0, 30).join('\n').replaceAll(/^/gm, '         ')
      console.log(`  FAILED ${what}\n${lines}`)
    }
  },
}

type Part = (place: Place, checks: Checks) => Promise<void>
const parts: readonly Part[] = [
  checkLists,
  checkForms,
  checkReads,
  checkInputs,
  checkProcess,
  checkPlans,
  checkHostile,
  checkDoorLists,
  checkDoor,
  checkDoorPlans,
  checkDoorHostile,
]
const long: readonly Part[] = [checkJournal]

/** Only by its name: it downloads a program. */
const named: readonly Part[] = [checkInspector]

const only = args.filter((one) => !one.startsWith('--'))
const all = isQuick ? parts : [...parts, ...long]
const isNamed = ({ name }: Part) => only.some((one) => name.toLowerCase().includes(one.toLowerCase()))
const wanted = only.length === 0 ? all : [...all, ...named].filter(isNamed)

const settings = {
  second: {},
  limited: { MCP_WRITES: 'limited' },
  off: { MCP_WRITES: '', CORS_ORIGINS: listedOrigin },
}

/** Each is started when it is first needed. */
function doorsOf(baseUrl: string, startAnother: StartAnother): Doors {
  const started = new Map<string, Promise<string>>()
  return (name) => {
    if (name === 'on') return Promise.resolve(baseUrl)
    const url = started.get(name) ?? startAnother(settings[name])
    started.set(name, url)
    return url
  }
}

await withWhole({ extra: { MCP_WRITES: 'on' } }, async ({ baseUrl }, startAnother) => {
  const doors = doorsOf(baseUrl, startAnother)
  for (const part of wanted) {
    const place = await makePlace(baseUrl, doors)
    try {
      await part(place, checks)
    } finally {
      place.stop()
    }
  }
})
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
