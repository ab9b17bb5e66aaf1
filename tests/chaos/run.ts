import { readFileSync, writeFileSync } from 'node:fs'
import { scriptOptions } from '../support/scriptOptions.ts'
import { limitTime } from '../support/timeLimit.ts'
import { primaryFreeze, primaryKill, rollingRestart, standbysKill, switchover } from './clusterFaults.ts'
import { fullDisk } from './diskFault.ts'
import { backends, network, postmasterKill, serverFreeze, serverKill } from './faults.ts'
import { migration } from './migrationFault.ts'
import { playPlanted } from './planted.ts'
import { type Fault, type PlayOptions, play, type Report } from './play.ts'
import { tableOf, totalsOf } from './report.ts'
import { playStandings } from './standings.ts'

/**
 * npm run chaos -- --all | --quick | --only NAME [--times N]  [--seed N] [--json FILE]
 * npm run chaos -- --planted         does the judge find planted bugs?
 * npm run chaos -- --standings [--times N]   kill -9 under load: do leaderboards equal the journal?
 * npm run chaos -- --table FILE      the table of a run, from its --json FILE
 */
const given = scriptOptions({
  all: { type: 'boolean' },
  quick: { type: 'boolean' },
  only: { type: 'string' },
  times: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'string' },
  planted: { type: 'boolean' },
  standings: { type: 'boolean' },
  table: { type: 'string' },
})

const faults: readonly Fault[] = [
  serverKill,
  postmasterKill,
  backends,
  serverFreeze,
  network,
  fullDisk,
  primaryKill,
  primaryFreeze,
  switchover,
  standbysKill,
  rollingRestart,
  migration,
]

type Chosen = { readonly fault: Fault } & Omit<PlayOptions, 'seed'>

function choose(): Chosen[] {
  if (given.quick) {
    return [
      { fault: serverKill, times: 5 },
      { fault: postmasterKill, times: 5 },
    ]
  }
  const chosen = given.all ? faults : faults.filter(({ name }) => name === given.only)
  const times = given.times === undefined ? {} : { times: Number(given.times) }
  return chosen.map((fault) => ({ fault, ...times }))
}

const shown = 5

function printReport(report: Report): void {
  const { title, injected, acknowledged, snapshots, mostMb, wrong } = report
  console.log(
    `${title}: ${injected} times, ${acknowledged} acknowledged, ${snapshots} snapshots, ` +
      `servers of at most ${Math.round(mostMb)} MB: ${wrong.length === 0 ? 'ok' : 'WRONG'}`,
  )
  for (const words of wrong.slice(0, shown)) console.log(`  ${words}`)
  if (wrong.length > shown) console.log(`  and ${wrong.length - shown} more`)
}

async function playAll(chosen: readonly Chosen[], seed: number): Promise<boolean> {
  const startMs = Date.now()
  const reports: Report[] = []
  for (const { fault, ...options } of chosen) {
    const report = await play(fault, { seed, ...options })
    reports.push(report)
    printReport(report)
    if (given.json) writeFileSync(given.json, `${JSON.stringify({ seed, reports }, null, 2)}\n`)
  }
  console.log(`\n${tableOf(reports)}\n`)
  console.log(`${((Date.now() - startMs) / 60_000).toFixed(1)} minutes, seed ${seed}`)
  console.log(totalsOf(reports))
  return reports.every(({ wrong }) => wrong.length === 0)
}

if (given.table) {
  const { reports } = JSON.parse(readFileSync(given.table, 'utf8')) as { reports: Report[] }
  console.log(tableOf(reports))
  process.exit(0)
}
const chosen = choose()
if (chosen.length === 0 && !given.planted && !given.standings) {
  const names = faults.map(({ name }) => name).join(' | ')
  console.error(`npm run chaos -- --all, --quick, --planted, --standings, or --only ${names}`)
  process.exit(2)
}
/** About three times the normal duration: --all half an hour, one kill of --standings some seconds. */
function longestMinutes(): number {
  if (given.all) return 120
  return given.standings ? 10 + Number(given.times ?? 20) : 30 + Number(given.times ?? 0)
}
limitTime({ what: 'npm run chaos', minutes: longestMinutes() })
const seed = given.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(given.seed)
console.log(`seed ${seed}: --seed ${seed} draws the same schedule again`)

function playChosen(): Promise<boolean> {
  if (given.planted) return playPlanted(seed).then((missed) => missed === 0)
  if (given.standings) return playStandings({ kills: Number(given.times ?? 20), seed })
  return playAll(chosen, seed)
}

const right = await playChosen()
// A fault can leave a connection or a timer behind that would keep this process alive.
process.exit(right ? 0 : 1)
