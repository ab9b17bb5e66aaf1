import { ownerRole } from '../server/src/dev/prepare.ts'
import { workloadNamed } from './compare.ts'
import { copy } from './generate.ts'
import { measurePairs, type PairResult, printPairs } from './pairs.ts'
import { openStage, type Stage } from './stage.ts'
import type { Workload } from './workloads.ts'

/** The minimum share of the rate by numeric id. */
const least = 0.95

const byId = workloadNamed('adjust_spread')
const byIdentity: Workload = { ...byId, name: 'adjust_named', title: 'add points by identity', kind: 'named' }

/** Awards to members by identity, relative to awards to the same members by numeric id. */
export async function measureIdentities(quick = false): Promise<PairResult> {
  const stage = await openStage()
  try {
    const members = quick ? 100_000 : 1_000_000
    const filled = await stage.fill('filled', { members, entries: 0, realms: false })
    await link(stage, 'filled', members)
    // Each server remembers the members of its own slices alone.
    for (const name of ['named', 'numbered']) await stage.copy(name, 'filled')
    const sides = [
      { stage, filled, served: await stage.startOurs('named'), database: 'named', workload: byIdentity },
      { stage, filled, served: await stage.startOurs('numbered'), database: 'numbered' },
    ] as const
    try {
      const measured = await measurePairs({ sides, pairs: quick ? 8 : 32 }, byId)
      printPairs(`by identity, ${members.toLocaleString('en')} of them`, measured)
      const holds = measured.ratio >= least
      console.log(`${holds ? 'holds' : 'FAILED'}: ${measured.ratio.toFixed(2)}, at least ${least}`)
      if (!holds) process.exitCode = 1
      await stage.verify('named')
      return measured
    } finally {
      for (const { served } of sides) await served.stop()
    }
  } finally {
    await stage.close()
  }
}

/** The subject that load.lua sends for a member: like a UUID, in another order than the members. */
const subjectOf = (account: number): string => {
  const [first, last] = [(account * 2_654_435_761) % 2 ** 28, account]
  return `${first.toString(16).padStart(8, '0')}-0000-4000-8000-${last.toString(16).padStart(12, '0')}`
}

/** An identity of each member of the big realm. */
async function link(stage: Stage, database: string, members: number): Promise<void> {
  const target = { binaries: stage.binaries, url: stage.postgres.url(database, ownerRole) }
  const rows = copy(target, 'identities (realm, provider, subject, account)')
  for (let account = 1; account <= members; account++)
    await rows.write(`1\tshop\t${subjectOf(account)}\t${account}\n`)
  await rows.end()
  await stage.query(database, 'vacuum analyze exchequer.identities')
}
