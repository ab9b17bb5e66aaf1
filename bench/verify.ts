import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadArgs, workloadNamed } from './compare.ts'
import { openStage, type Stage } from './stage.ts'
import { median, wrk } from './tools.ts'

/** Write throughput during a verify on a live server, and the speed of verify. Per second. */
export type VerifyFigures = {
  readonly ratio: number
  readonly ratios: readonly number[]
  /** Writes in the slices with verify, relative to those without. */
  readonly totalRatio: number
  readonly writesWithout: number
  readonly live: number
  readonly alone: number
  readonly hurried: number
}

const database = 'ours'
const size = { members: 100_000, entries: 300_000, realms: false }
const rounds = 30
const sliceSeconds = 1
const warmUpSeconds = 4
/** For the speed of verify alone: its first second is mostly startup. */
const speedSeconds = 8
const spareSeconds = 6
const loadSeconds = warmUpSeconds + speedSeconds + (2 * rounds + 1) * sliceSeconds + spareSeconds

export async function measureVerify(): Promise<VerifyFigures> {
  const stage = await openStage()
  try {
    const filled = await stage.fill(database, size)
    const hurried = /(\d+)\/s$/.exec((await stage.verify(database)).trimEnd())?.[1]
    const idle = startVerify(stage)
    await sleep(speedSeconds * 1000)
    const alone = await idle.stop()
    const ours = await stage.startOurs(database)
    try {
      const args = loadArgs(filled, workloadNamed('adjust_spread'))
      const load = wrk({ url: ours.url, args, connections: 256, seconds: loadSeconds })
      const [measured] = await Promise.all([measureLive(stage), load])
      await stage.verify(database)
      return printFigures({ ...measured, alone, hurried: Number(hurried) })
    } finally {
      await ours.stop()
    }
  } finally {
    await stage.close()
  }
}

type Live = Omit<VerifyFigures, 'alone' | 'hurried'>

/**
 * The load runs all the time. Verify runs and is stopped in turn, in slices so short that other load
 * on the machine affects both; each slice with verify is compared with the two around it.
 */
async function measureLive(stage: Stage): Promise<Live> {
  await sleep(warmUpSeconds * 1000)
  const verifying = startVerify(stage)
  try {
    await sleep(speedSeconds * 1000)
    const live = verifying.perSecond()
    const without = [await pausedRate(stage, verifying)]
    const during: number[] = []
    for (let round = 0; round < rounds; round++) {
      during.push(await writeRate(stage))
      without.push(await pausedRate(stage, verifying))
    }
    const around = (round: number) => ((without[round] ?? 0) + (without[round + 1] ?? 0)) / 2
    const ratios = during.map((rate, round) => rate / around(round))
    const totalRatio = sum(during) / sum(during.map((_, round) => around(round)))
    return { ratio: median(ratios), ratios, totalRatio, writesWithout: median(without), live }
  } finally {
    await verifying.stop()
  }
}

async function pausedRate(stage: Stage, verifying: Verifying): Promise<number> {
  verifying.signal('SIGSTOP')
  const rate = await writeRate(stage)
  verifying.signal('SIGCONT')
  return rate
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

type Mark = { readonly seq: number; readonly at: number }

/** Changes a second in the next slice, counted by the journal itself. */
async function writeRate(stage: Stage): Promise<number> {
  const text = `select seq::float8, extract(epoch from clock_timestamp())::float8 as at
    from exchequer.heads where realm = 1`
  const mark = async () => (await stage.query<Mark>(database, text))[0] ?? { seq: 0, at: 0 }
  const before = await mark()
  await sleep(sliceSeconds * 1000)
  const after = await mark()
  return (after.seq - before.seq) / (after.at - before.at)
}

type Verifying = {
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Its latest progress line. */
  perSecond(): number
  stop(): Promise<number>
}

/** A verify that starts again when it has finished. */
function startVerify(stage: Stage): Verifying {
  const { program, args, env } = stage.verifyCommand(database)
  let child: ChildProcess
  let perSecond = Number.NaN
  let stopped = false
  const start = () => {
    child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
    if (child.stderr) {
      createInterface({ input: child.stderr }).on('line', (line) => {
        perSecond = Number(/ entries, .* (\d+)\/s,/.exec(line)?.[1] ?? perSecond)
      })
    }
    child.on('exit', (code) => {
      if (stopped) return
      if (code !== 0) throw new Error(`verify exited with ${code}`)
      start()
    })
  }
  start()
  return {
    signal: (signal) => child.kill(signal),
    perSecond: () => perSecond,
    async stop() {
      stopped = true
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      return perSecond
    },
  }
}

function printFigures(verified: VerifyFigures): VerifyFigures {
  const { ratio, ratios, totalRatio, writesWithout, live, alone, hurried } = verified
  const count = (value: number) => Math.round(value).toLocaleString('en-US')
  console.log(
    `each round, writes with verify relative to without: ${ratios.map((one) => one.toFixed(2)).join(' ')}`,
  )
  console.log(
    `all rounds together: ${totalRatio.toFixed(2)}; without verify ${count(writesWithout)} changes/s`,
  )
  console.log(`verify alone: ${count(alone)} entries/s`)
  console.log(
    `verify on a live server: writes keep ${ratio.toFixed(2)}; ${count(live)} entries/s; ` +
      `alone with --hurry ${count(hurried)} entries/s`,
  )
  return verified
}
