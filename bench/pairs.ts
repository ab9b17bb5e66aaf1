import { readdirSync, readFileSync } from 'node:fs'
import { serverRole } from '../server/src/dev/prepare.ts'
import { loadArgs } from './compare.ts'
import type { FilledDatabase, Stage } from './stage.ts'
import { median, type ServerProcess, wrk } from './tools.ts'
import type { Workload } from './workloads.ts'

/** Two servers on two copies of one database, driven in turn: the ratio of the first to the second. */
export type PairResult = {
  readonly ratio: number
  readonly ratios: readonly number[]
  /** Total work in the slices of the first, relative to those of the second. */
  readonly totalRatio: number
  /** CPU time of the server and PostgreSQL per response, which other load on the machine affects less. */
  readonly cpuRatio: number
  readonly cpuRatios: readonly number[]
  /** The same of the server alone. */
  readonly serverRatios: readonly number[]
  /** Rate per second of the second server. */
  readonly base: number
  /** The median of cpuRatios in each round: two processes of one server differ for as long as they run. */
  readonly cpuOfRounds: readonly number[]
}

const pairsByDefault = 16
const sliceSeconds = 1
const warmUpSeconds = 3
const connections = 256

/** A server, the name of its database, and what it is driven with, if not with the same as the other. */
export type Side = {
  readonly stage: Stage
  readonly filled: FilledDatabase
  readonly served: ServerProcess
  readonly database: string
  readonly workload?: Workload
}
export type PairedScene = {
  readonly sides: readonly [Side, Side]
  readonly pairs?: number
  /** Which of the two begins: the one that waited longer starts colder. */
  readonly begins?: 0 | 1
}
type Slice = { readonly rate: number; readonly cpu: number; readonly server: number }

export async function measurePairs(
  { sides, pairs = pairsByDefault, begins = 0 }: PairedScene,
  workload: Workload,
): Promise<PairResult> {
  const drive = async (side: Side, seconds: number): Promise<Slice> => {
    const before = await computed(side)
    const args = loadArgs(side.filled, side.workload ?? workload)
    const { rate } = await wrk({ url: side.served.url, args, connections, seconds, mayRefuse: true })
    const after = await computed(side)
    const requests = rate * seconds
    const own = side.served.child.pid ?? 0
    return {
      rate,
      cpu: since(before, after) / requests,
      server: ((after.get(own) ?? 0) - (before.get(own) ?? 0)) / requests,
    }
  }
  const [first, second] = sides
  for (const side of begins === 0 ? [first, second] : [second, first]) await drive(side, warmUpSeconds)
  const measured: (readonly [Slice, Slice])[] = []
  for (let pair = 0; pair < pairs; pair++) {
    // They take turns at being first, so that neither always profits from a machine that the other warmed up.
    const early = pair % 2 === begins ? await drive(first, sliceSeconds) : undefined
    const base = await drive(second, sliceSeconds)
    measured.push([early ?? (await drive(first, sliceSeconds)), base])
  }
  const sum = (side: 0 | 1) => measured.reduce((all, pair) => all + pair[side].rate, 0)
  const ratios = measured.map(([one, base]) => one.rate / base.rate)
  const cpuRatios = measured.map(([one, base]) => one.cpu / base.cpu)
  return {
    ratio: median(ratios),
    ratios,
    totalRatio: sum(0) / sum(1),
    cpuRatio: median(cpuRatios),
    cpuRatios,
    serverRatios: measured.map(([one, base]) => one.server / base.server),
    base: median(measured.map(([, base]) => base.rate)),
    cpuOfRounds: [median(cpuRatios)],
  }
}

/** All rounds as one. */
export function joinRounds(rounds: readonly PairResult[]): PairResult {
  const ratios = rounds.flatMap((round) => round.ratios)
  const cpuRatios = rounds.flatMap((round) => round.cpuRatios)
  const sum = (of: (round: PairResult) => number) => rounds.reduce((all, round) => all + of(round), 0)
  return {
    ratio: median(ratios),
    ratios,
    totalRatio: sum((round) => round.totalRatio * round.base) / sum((round) => round.base),
    cpuRatio: median(cpuRatios),
    cpuRatios,
    serverRatios: rounds.flatMap((round) => round.serverRatios),
    base: median(rounds.map((round) => round.base)),
    cpuOfRounds: rounds.flatMap((round) => round.cpuOfRounds),
  }
}

/** CPU time of the server and each of its PostgreSQL sessions so far, in nanoseconds. */
async function computed({ stage, served, database }: Side): Promise<Map<number, number>> {
  const text = `select pid from pg_stat_activity where datname = '${database}' and usename = '${serverRole}'`
  const sessions = await stage.query<{ pid: number }>('postgres', text)
  const pids = [served.child.pid ?? 0, ...sessions.map((session) => session.pid)]
  return new Map(pids.map((pid) => [pid, threadsOf(pid).reduce((sum, ns) => sum + ns, 0)]))
}

/** A session may end at any time, as those of a pool do. */
function threadsOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.map((id) =>
      Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
    )
  } catch {
    return []
  }
}

const since = (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number =>
  [...after].reduce((sum, [pid, ns]) => sum + Math.max(0, ns - (before.get(pid) ?? 0)), 0)

/** How much more a response may cost before it counts as slower: two runs differ by less. */
const tolerance = 1.03

/** Whether the first uses more CPU time per response, and in all rounds but one. */
export function isSlower({ cpuOfRounds }: Pick<PairResult, 'cpuOfRounds'>): boolean {
  const notMore = cpuOfRounds.filter((ratio) => ratio <= 1)
  return median([...cpuOfRounds]) > tolerance && notMore.length <= 1
}

const shown = (value: number | undefined): string => (value ?? Number.NaN).toFixed(3)

function spread(ratios: readonly number[]): string {
  const sorted = [...ratios].sort((a, b) => a - b)
  const quarter = Math.floor(sorted.length / 4)
  const half = `${shown(sorted[quarter])} to ${shown(sorted.at(-1 - quarter))}`
  return `${shown(median(sorted))} (middle half ${half}; all ${shown(sorted[0])} to ${shown(sorted.at(-1))})`
}

export function printPairs(
  name: string,
  { ratios, cpuRatios, serverRatios, cpuOfRounds, totalRatio, base }: PairResult,
): void {
  console.log(
    `${name}, ${ratios.length} pairs, ${Math.round(base)}/s without: ${ratios.map(shown).join(' ')}`,
  )
  console.log(`  rate ${spread(ratios)}, in sum ${shown(totalRatio)}`)
  const ofServer = shown(median([...serverRatios]))
  console.log(`  CPU time per response ${spread(cpuRatios)}, of the server ${ofServer}`)
  if (cpuOfRounds.length > 1) console.log(`  in each round ${cpuOfRounds.map(shown).join(' ')}`)
}
