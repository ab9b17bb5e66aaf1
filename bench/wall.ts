import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverRole } from '../server/src/dev/prepare.ts'
import { loadArgs, workloadNamed } from './compare.ts'
import { type Filled, openStage, type Stage } from './stage.ts'
import { median, type Served, wrk } from './tools.ts'
import type { Workload } from './workloads.ts'

/** What the second wall leaves of the rates: of each pair of slices, with it over without it. */
export type Walled = {
  readonly name: string
  readonly ratio: number
  readonly ratios: readonly number[]
  /** All that was done in the slices with it, over all in those without. */
  readonly totalRatio: number
  /** What the server and PostgreSQL compute for each answer: what others do on the machine counts less. */
  readonly cpuRatio: number
  readonly cpuRatios: readonly number[]
  /** A second, without it. */
  readonly open: number
}

const pairs = 16
const sliceSeconds = 1
const warmUpSeconds = 4
const connections = 256
const readRealms: Workload = {
  name: 'read_realms',
  title: 'read members of 1,000 realms',
  bare: {},
  kind: 'readers',
  realms: 'many',
}
const chosen: readonly Workload[] = [
  ...['adjust_spread', 'realms_1000', 'read_member', 'wallets_100'].map(workloadNamed),
  readRealms,
]

export type WallOptions = {
  /**
   * A checkout of this project from before the wall, to serve the database that has none: its cost is then
   * that of binding too. Else both are served by this code, which binds on both.
   */
  readonly base?: string | undefined
  readonly only?: string | undefined
}

/** Two servers on two copies of one database, one of them without the wall, driven in turn. */
export async function measureWall({ base, only }: WallOptions): Promise<Walled[]> {
  const stage = await openStage()
  try {
    const filled = await stage.fill('filled', { members: 100_000, entries: 0, realms: true })
    for (const name of ['walled', 'open']) await stage.copy(name, 'filled')
    await tearDown(stage, 'open')
    const walled = await stage.startOurs('walled')
    const open = await stage.startOurs('open', base === undefined ? {} : { main: mainOf(base) })
    try {
      const measured: Walled[] = []
      for (const workload of chosen.filter(({ name }) => only === undefined || name === only)) {
        const one = await measureOne({ stage, filled, walled, open }, workload)
        print(one)
        measured.push(one)
      }
      await stage.verify('walled')
      return measured
    } finally {
      await walled.stop()
      await open.stop()
    }
  } finally {
    await stage.close()
  }
}

const mainOf = (folder: string): string => join(folder, 'server/src/main.ts')

/** Takes the wall from a database; a server from before it reads the journal itself. */
async function tearDown(stage: Stage, database: string): Promise<void> {
  const text = `select 'alter table exchequer.' || relname || ' disable row level security' as text
    from pg_class where relrowsecurity and relnamespace = 'exchequer'::regnamespace`
  const walls = (await stage.query<{ text: string }>(database, text)).map((row) => row.text)
  const rest = [
    'alter table exchequer.journal disable trigger journal_bound',
    'create or replace view exchequer.bound_journal as select * from exchequer.journal',
    `grant select on exchequer.journal to ${serverRole}`,
  ]
  for (const statement of [...walls, ...rest]) await stage.query(database, statement)
}

type Side = 'walled' | 'open'
type Scene = { readonly stage: Stage; readonly filled: Filled } & Readonly<Record<Side, Served>>
type Slice = { readonly rate: number; readonly cpu: number }

async function measureOne(scene: Scene, workload: Workload): Promise<Walled> {
  const args = () => loadArgs(scene.filled, workload)
  const drive = async (side: Side, seconds: number): Promise<Slice> => {
    const before = await computed(scene, side)
    const { url } = scene[side]
    const { rate } = await wrk({ url, args: args(), connections, seconds, mayRefuse: true })
    return { rate, cpu: since(before, await computed(scene, side)) / (rate * seconds) }
  }
  for (const side of ['walled', 'open'] as const) await drive(side, warmUpSeconds)
  const pairsOf: Record<Side, Slice>[] = []
  for (let pair = 0; pair < pairs; pair++) {
    // Each is first in turn, so that neither has the machine that the other has just warmed.
    const walledFirst = pair % 2 === 0
    const one = await drive(walledFirst ? 'walled' : 'open', sliceSeconds)
    const two = await drive(walledFirst ? 'open' : 'walled', sliceSeconds)
    pairsOf.push(walledFirst ? { walled: one, open: two } : { walled: two, open: one })
  }
  const sum = (side: Side) => pairsOf.reduce((all, pair) => all + pair[side].rate, 0)
  const ratios = pairsOf.map((pair) => pair.walled.rate / pair.open.rate)
  const cpuRatios = pairsOf.map((pair) => pair.walled.cpu / pair.open.cpu)
  return {
    name: workload.name,
    ratio: median(ratios),
    ratios,
    totalRatio: sum('walled') / sum('open'),
    cpuRatio: median(cpuRatios),
    cpuRatios,
    open: median(pairsOf.map((pair) => pair.open.rate)),
  }
}

/** What the server and each of its PostgreSQL sessions have computed so far, in nanoseconds. */
async function computed({ stage, ...served }: Scene, side: Side): Promise<Map<number, number>> {
  const text = `select pid from pg_stat_activity where datname = '${side}' and usename = '${serverRole}'`
  const sessions = await stage.query<{ pid: number }>('postgres', text)
  const pids = [served[side].child.pid ?? 0, ...sessions.map((session) => session.pid)]
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

const shown = (value: number | undefined): string => (value ?? Number.NaN).toFixed(3)

function spread(ratios: readonly number[]): string {
  const sorted = [...ratios].sort((a, b) => a - b)
  const quarter = Math.floor(sorted.length / 4)
  const half = `${shown(sorted[quarter])} to ${shown(sorted.at(-1 - quarter))}`
  return `${shown(median(sorted))} (middle half ${half}; all ${shown(sorted[0])} to ${shown(sorted.at(-1))})`
}

function print({ name, ratios, cpuRatios, totalRatio, open }: Walled): void {
  console.log(
    `${name}, ${ratios.length} pairs, ${Math.round(open)}/s without: ${ratios.map(shown).join(' ')}`,
  )
  console.log(`  rate ${spread(ratios)}, in sum ${shown(totalRatio)}`)
  console.log(`  computing for each answer ${spread(cpuRatios)}`)
}
