import { join } from 'node:path'
import { serverRole } from '../server/src/dev/prepare.ts'
import { workloadNamed } from './compare.ts'
import { measurePairs, type PairResult, printPairs } from './pairs.ts'
import { openStage, type Stage } from './stage.ts'
import type { Workload } from './workloads.ts'

/** The cost of row-level security: rates with it relative to without it, for each pair of slices. */
export type RowSecurityCost = PairResult & { readonly name: string }

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
   * A checkout of this project from before row-level security, to serve the database without it: the cost
   * then includes binding realms. Otherwise this code serves both, and binds on both.
   */
  readonly base?: string | undefined
  readonly only?: string | undefined
}

/** Two servers on two copies of one database, one of them without row-level security, driven in turn. */
export async function measureWall({ base, only }: WallOptions): Promise<RowSecurityCost[]> {
  const stage = await openStage()
  try {
    const filled = await stage.fill('filled', { members: 100_000, entries: 0, realms: true })
    for (const name of ['walled', 'open']) await stage.copy(name, 'filled')
    await tearDown(stage, 'open')
    const walled = await stage.startOurs('walled')
    const open = await stage.startOurs('open', base === undefined ? {} : { main: mainOf(base) })
    try {
      const measured: RowSecurityCost[] = []
      for (const workload of chosen.filter(({ name }) => only === undefined || name === only)) {
        const sides = [
          { stage, filled, served: walled, database: 'walled' },
          { stage, filled, served: open, database: 'open' },
        ] as const
        const one = await measurePairs({ sides }, workload)
        printPairs(workload.name, one)
        measured.push({ name: workload.name, ...one })
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

export const mainOf = (folder: string): string => join(folder, 'server/src/main.ts')

/** Removes row-level security from a database; an older server reads the journal table itself. */
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
