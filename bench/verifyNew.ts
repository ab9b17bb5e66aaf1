import { loadArgs, workloadNamed } from './compare.ts'
import { type FilledDatabase, openStage, type Stage } from './stage.ts'
import { median, wrk } from './tools.ts'

/**
 * npm run bench -- --verify-new
 * The time of a nightly verify, with --hurry: a realm is verified, gets new entries through the server, and
 * is verified again. What the first run stored is put back after each round, so that all do the same. The
 * rounds are those of a night as usual, with a thirtieth of the older entries, and of one without a slice.
 */

export type VerifyNewFigures = {
  readonly entries: number
  readonly added: number
  /** Of the whole journal. */
  readonly fullSeconds: number
  /** Of each round, from the start of the process to its end. */
  readonly seconds: readonly number[]
  readonly medianSeconds: number
  /** Of runs that replay the new entries alone. */
  readonly newAloneSeconds: number
  /** The last lines of a round. */
  readonly said: string
}

const database = 'ours'
const members = 100_000
const sizes = {
  whole: { entries: 10_000_000, added: 100_000, rounds: 5 },
  quick: { entries: 300_000, added: 10_000, rounds: 3 },
}
const sliceSeconds = 2
/** No older entry, and no stored balance of an account without a new one. */
const withoutSlice = 'select realm, seq, hash, verified_at, 0, seq, 2147483647, wrong_at from before'

async function timed(work: () => Promise<string>): Promise<Run> {
  const startMs = performance.now()
  const said = await work()
  return { seconds: (performance.now() - startMs) / 1000, said }
}

export async function measureVerifyNew(isQuick: boolean): Promise<VerifyNewFigures> {
  const { entries, added, rounds } = isQuick ? sizes.quick : sizes.whole
  const stage = await openStage({ shared_buffers: '2GB', max_wal_size: '16GB' })
  try {
    const filled = await stage.fill(database, { members, entries: entries - members, realms: false })
    const full = await timed(() => stage.verify(database))
    await stage.query(database, 'create table before as select * from exchequer.verified')
    await addEntries(stage, filled, added)
    const runs = await runRounds(stage, rounds, 'select * from before')
    const seconds = runs.map((run) => run.seconds)
    // As after the last slice of a round: nothing older is left.
    const alone = await runRounds(stage, rounds, withoutSlice)
    const said = runs[0]?.said.trimEnd().split('\n').slice(-3).join('\n') ?? ''
    return printFigures({
      entries,
      added,
      fullSeconds: full.seconds,
      seconds,
      medianSeconds: median(seconds),
      newAloneSeconds: median(alone.map((run) => run.seconds)),
      said,
    })
  } finally {
    await stage.close()
  }
}

type Run = { readonly seconds: number; readonly said: string }

/** Each begins with the same stored place. */
async function runRounds(stage: Stage, rounds: number, place: string): Promise<Run[]> {
  const runs = []
  for (let round = 0; round < rounds; round++) {
    await stage.query(database, 'delete from exchequer.verified')
    await stage.query(database, `insert into exchequer.verified ${place}`)
    runs.push(await timed(() => stage.verifyNew(database)))
  }
  return runs
}

/** Through the server, in slices, until there are as many as asked for. */
async function addEntries(stage: Stage, filled: FilledDatabase, count: number): Promise<void> {
  const server = await stage.startOurs(database)
  try {
    const url = server.url
    const before = await headSeq(stage)
    while ((await headSeq(stage)) < before + count) {
      const args = loadArgs(filled, workloadNamed('adjust_spread'))
      await wrk({ url, args, connections: 256, seconds: sliceSeconds })
    }
  } finally {
    await server.stop()
  }
}

async function headSeq(stage: Stage): Promise<number> {
  const text = 'select seq::float8 from exchequer.heads where realm = 1'
  return (await stage.query<{ seq: number }>(database, text))[0]?.seq ?? 0
}

function printFigures(figures: VerifyNewFigures): VerifyNewFigures {
  const { entries, added, fullSeconds, seconds, medianSeconds, newAloneSeconds, said } = figures
  const count = (value: number) => value.toLocaleString('en-US')
  console.log(said)
  console.log(
    `verify after at least ${count(added)} new entries in a realm of ${count(entries)}: ` +
      `${medianSeconds.toFixed(1)} s (${seconds.map((one) => one.toFixed(1)).join(', ')}); ` +
      `these alone: ${newAloneSeconds.toFixed(1)} s; ` +
      `everything: ${fullSeconds.toFixed(1)} s`,
  )
  return figures
}
