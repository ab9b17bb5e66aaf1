import { workloadNamed } from './compare.ts'
import { measurePairs, type PairResult, printPairs } from './pairs.ts'
import { openStage, type Stage } from './stage.ts'
import { mainOf } from './wall.ts'

/** Keys issued in the last hour, which must not slow anything down. */
const issuedKeys = 300_000
/** The minimum share of the rate. */
const least = 0.9

export type KeysOptions = {
  readonly quick?: boolean | undefined
  /** A checkout of this project whose code serves both databases. */
  readonly base?: string | undefined
}

/** Traffic to 1,000 realms, with 300,000 new keys relative to without, on two copies of one database. */
export async function measureKeys({ quick = false, base }: KeysOptions): Promise<PairResult> {
  const stage = await openStage()
  try {
    const members = quick ? 10_000 : 100_000
    const filled = await stage.fill('filled', { members, entries: 0, realms: true })
    for (const name of ['many', 'few']) await stage.copy(name, 'filled')
    await issue(stage, 'many')
    const main = base === undefined ? {} : { main: mainOf(base) }
    const sides = [
      { stage, filled, served: await stage.startOurs('many', main), database: 'many' },
      { stage, filled, served: await stage.startOurs('few', main), database: 'few' },
    ] as const
    try {
      const measured = await measurePairs({ sides, pairs: quick ? 8 : 16 }, keysWorkload)
      printPairs(`with ${issuedKeys.toLocaleString('en')} keys issued just now`, measured)
      const holds = measured.ratio >= least
      console.log(`${holds ? 'holds' : 'FAILED'}: ${measured.ratio.toFixed(2)}, at least ${least}`)
      if (!holds) process.exitCode = 1
      return measured
    } finally {
      for (const { served } of sides) await served.stop()
    }
  } finally {
    await stage.close()
  }
}

const keysWorkload = workloadNamed('realms_1000')

/** Spread over all realms, stored like the server does. */
async function issue(stage: Stage, database: string): Promise<void> {
  await stage.query(
    database,
    `insert into exchequer.keys (realm, number, secret_id, hash, name, prefix, last_four)
      select r.realm, 1000000 + g, 'k1', sha256((r.id || ' ' || g)::bytea), 'new', 'exq_', '0000'
      from (select realm, id, count(*) over () as realms from exchequer.realms) r,
        lateral generate_series(1, ceil(${issuedKeys}.0 / r.realms)::integer) g`,
  )
  await stage.query(database, 'analyze exchequer.keys')
}
