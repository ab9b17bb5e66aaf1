import { targetsOf } from './manyRealmsBoards.ts'
import { fillManyRealms } from './manyRealmsFill.ts'
import { type FoldingFigures, measureFolding } from './manyRealmsFolding.ts'
import { type IdleFigures, measureIdle } from './manyRealmsIdle.ts'
import { type LagResult, measureLag } from './manyRealmsLag.ts'
import { measureWrites, type WriteFigures } from './manyRealmsWrites.ts'
import { openStage, type Stage } from './stage.ts'

/**
 * npm run bench -- --realms [--quick] [--json FILE]
 * One server and one database with many small realms: what the server costs without requests, how fast it
 * writes to many realms relative to one, and how far leaderboards are behind.
 */

export type ManyRealmsFigures = {
  /** With few realms and with many: equal figures show that nothing looks through all realms. */
  readonly idle: readonly IdleFigures[]
  readonly writes: WriteFigures
  readonly folding: FoldingFigures
  readonly lag: LagResult
}

const sizes = {
  whole: {
    idle: { few: 1_000, many: 300_000, seconds: 60 },
    writes: { realms: 100_000, pairs: 11, seconds: 3 },
    boards: { realms: 10_000, rounds: 5, seconds: 30 },
  },
  quick: {
    idle: { few: 1_000, many: 20_000, seconds: 15 },
    writes: { realms: 5_000, pairs: 5, seconds: 1 },
    boards: { realms: 1_000, rounds: 3, seconds: 10 },
  },
}

export async function measureManyRealms(isQuick: boolean): Promise<ManyRealmsFigures> {
  const { idle, writes, boards } = isQuick ? sizes.quick : sizes.whole
  const stage = await openStage({ shared_buffers: '2GB', max_wal_size: '16GB' })
  try {
    const { few, many, seconds } = idle
    return {
      idle: [
        await measureIdle(stage, { realms: few, seconds }),
        await measureIdle(stage, { realms: many, seconds }),
      ],
      writes: await measureWrites(stage, writes),
      ...(await measureBoards(stage, boards)),
    }
  } finally {
    await stage.close()
  }
}

type BoardOptions = (typeof sizes)[keyof typeof sizes]['boards']

async function measureBoards(
  stage: Stage,
  { realms, rounds, seconds }: BoardOptions,
): Promise<Pick<ManyRealmsFigures, 'folding' | 'lag'>> {
  const database = 'boards'
  const filled = await fillManyRealms(stage, database, realms)
  const scene = { stage, database, filled, targets: targetsOf(filled) }
  const folding = await measureFolding(scene, rounds)
  const lag = await measureLag(scene, seconds)
  await stage.verify(database)
  console.log(`The ledger of ${realms.toLocaleString('en-US')} realms verifies.`)
  return { folding, lag }
}
