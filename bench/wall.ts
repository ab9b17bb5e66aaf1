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
  /** A second, without it. */
  readonly open: number
}

const pairs = 20
const sliceSeconds = 1
const warmUpSeconds = 4
const connections = 256
const chosen = ['adjust_spread', 'transfer', 'realms_1000', 'read_member', 'wallets_100']

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
      for (const name of chosen.filter((one) => only === undefined || one === only))
        measured.push(await measureOne({ walled, open, filled }, workloadNamed(name)))
      await stage.verify('walled')
      for (const one of measured) print(one)
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

type Sides = { readonly walled: Served; readonly open: Served; readonly filled: Filled }

async function measureOne({ walled, open, filled }: Sides, workload: Workload): Promise<Walled> {
  const drive = async (served: Served, seconds: number) =>
    (await wrk({ url: served.url, args: loadArgs(filled, workload), connections, seconds })).rate
  for (const served of [walled, open]) await drive(served, warmUpSeconds)
  const rates: { walled: number; open: number }[] = []
  for (let pair = 0; pair < pairs; pair++) {
    // Each is first in turn, so that neither has the machine that the other has just warmed.
    const first = pair % 2 === 0 ? walled : open
    const one = await drive(first, sliceSeconds)
    const two = await drive(first === walled ? open : walled, sliceSeconds)
    rates.push(first === walled ? { walled: one, open: two } : { walled: two, open: one })
  }
  const ratios = rates.map((rate) => rate.walled / rate.open)
  const sum = (side: 'walled' | 'open') => rates.reduce((all, rate) => all + rate[side], 0)
  return {
    name: workload.name,
    ratio: median(ratios),
    ratios,
    totalRatio: sum('walled') / sum('open'),
    open: median(rates.map((rate) => rate.open)),
  }
}

function print({ name, ratio, ratios, totalRatio, open }: Walled): void {
  const sorted = [...ratios].sort((a, b) => a - b)
  const quarter = Math.floor(sorted.length / 4)
  const shown = (value: number | undefined) => (value ?? Number.NaN).toFixed(3)
  console.log(
    `${name}: ${shown(ratio)} of ${Math.round(open)}/s; middle half ${shown(sorted[quarter])} to ` +
      `${shown(sorted.at(-1 - quarter))}, all ${shown(sorted[0])} to ${shown(sorted.at(-1))}; ` +
      `in sum ${shown(totalRatio)}; ${ratios.length} pairs: ${ratios.map(shown).join(' ')}`,
  )
}
