import { workloadNamed } from './compare.ts'
import { measurePairs, type Paired, printPairs } from './pairs.ts'
import { openStage } from './stage.ts'
import { mainOf } from './wall.ts'

export type AgainstOptions = {
  /** Another checkout of this project, on the same schema. */
  readonly against: string
  readonly only?: string | undefined
  /** Settings of this one's server, as NAME=VALUE. */
  readonly set?: readonly string[] | undefined
}

const usual = ['adjust_spread', 'read_member']

/** This checkout's server over another's: what a change costs, in one run. */
export async function measureAgainst({
  against,
  only,
  set = [],
}: AgainstOptions): Promise<Record<string, Paired>> {
  const stage = await openStage()
  try {
    const filled = await stage.fill('filled', { members: 100_000, entries: 0, realms: true })
    for (const name of ['this', 'other']) await stage.copy(name, 'filled')
    const settings = Object.fromEntries(set.map((pair) => pair.split(/=(.*)/s, 2)))
    const ours = await stage.startOurs('this', settings)
    const base = await stage.startOurs('other', { main: mainOf(against) })
    const sides = [
      { served: ours, database: 'this' },
      { served: base, database: 'other' },
    ] as const
    try {
      const measured: Record<string, Paired> = {}
      for (const name of only === undefined ? usual : [only]) {
        const one = await measurePairs({ stage, filled, sides }, workloadNamed(name))
        printPairs(name, one)
        measured[name] = one
      }
      return measured
    } finally {
      await ours.stop()
      await base.stop()
    }
  } finally {
    await stage.close()
  }
}
