import { setTimeout as sleep } from 'node:timers/promises'
import { fillManyRealms } from './manyRealmsFill.ts'
import type { FilledDatabase, Stage } from './stage.ts'
import { type Load, median, residentMb, type ServerProcess, wrk } from './tools.ts'

/** Writes to many realms at random, relative to writes to one of them, in pairs of slices. */
export type WriteFigures = {
  readonly realms: number
  readonly many: number
  readonly one: number
  /** Median of the pairs. */
  readonly ratio: number
  readonly ratios: readonly number[]
  /** Of one realm once the leaderboards of the others are folded, so that nothing else is done. */
  readonly oneAlone: number
  readonly ratioToOneAlone: number
  readonly p99Ms: number
  readonly p99MsOfOne: number
  /** Answered 503, not counted in the rates. */
  readonly refused: number
  readonly memoryMb: number
}

export type WriteOptions = {
  readonly realms: number
  readonly pairs: number
  readonly seconds: number
}

type Pair = { readonly many: Load; readonly one: Load }

const goal = 0.4
const database = 'writes'
const connections = 256
const warmUpSeconds = 8
/** Not measured: the other kind of write has just stopped. */
const settleSeconds = 1
/** Realms whose boards were not requested are folded a minute after a write. */
const foldedMs = 75_000
const slicesAlone = 3

export async function measureWrites(stage: Stage, options: WriteOptions): Promise<WriteFigures> {
  const filled = await fillManyRealms(stage, database, options.realms)
  const figures = await measureFilled(stage, filled, options)
  await stage.verify(database)
  console.log(`The ledger of ${options.realms.toLocaleString('en-US')} realms verifies.`)
  return figures
}

async function measureFilled(
  stage: Stage,
  filled: FilledDatabase,
  options: WriteOptions,
): Promise<WriteFigures> {
  const server = await stage.startOurs(database)
  try {
    const drives = drivesOf(server, filled, options.seconds)
    await drives.load('one', warmUpSeconds)
    await drives.load('many', warmUpSeconds)
    const pairs: Pair[] = []
    for (let round = 0; round < options.pairs; round++) {
      // They take turns at being first.
      const early = round % 2 === 0 ? await drives.many() : undefined
      const one = await drives.one()
      pairs.push({ many: early ?? (await drives.many()), one })
    }
    const memoryMb = residentMb(server)
    await sleep(foldedMs)
    const alone: number[] = []
    for (let slice = 0; slice < slicesAlone; slice++) alone.push((await drives.one()).rate)
    const figures = figuresOf(pairs, { ...options, oneAlone: median(alone), memoryMb })
    print(figures)
    return figures
  } finally {
    await server.stop()
  }
}

function drivesOf(
  { url }: ServerProcess,
  { members, bigRealm, manyRealms }: FilledDatabase,
  seconds: number,
) {
  const load = (target: keyof Pair, forSeconds: number): Promise<Load> => {
    const seed = String(Math.floor(Math.random() * 1e9))
    const args = ['realms', String(members), seed, target === 'one' ? bigRealm : manyRealms]
    return wrk({ url, args, connections, seconds: forSeconds, mayRefuse: true })
  }
  const drive = async (target: keyof Pair): Promise<Load> => {
    await load(target, settleSeconds)
    return load(target, seconds)
  }
  return { load, one: () => drive('one'), many: () => drive('many') }
}

type Context = Pick<WriteFigures, 'realms' | 'oneAlone' | 'memoryMb'>

function figuresOf(pairs: readonly Pair[], { realms, oneAlone, memoryMb }: Context): WriteFigures {
  const ratios = pairs.map(({ many, one }) => many.rate / one.rate)
  const many = median(pairs.map((pair) => pair.many.rate))
  return {
    realms,
    many,
    one: median(pairs.map((pair) => pair.one.rate)),
    ratio: median(ratios),
    ratios,
    oneAlone,
    ratioToOneAlone: many / oneAlone,
    p99Ms: median(pairs.map((pair) => pair.many.p99Ms)),
    p99MsOfOne: median(pairs.map((pair) => pair.one.p99Ms)),
    refused: pairs.reduce((sum, pair) => sum + pair.many.refused + pair.one.refused, 0),
    memoryMb,
  }
}

function print(figures: WriteFigures): void {
  const { realms, many, one, ratio, ratios, oneAlone, ratioToOneAlone, p99Ms, p99MsOfOne } = figures
  const rate = (value: number) => `${Math.round(value).toLocaleString('en-US')}/s`
  console.log(
    `Writes spread at random over ${realms.toLocaleString('en-US')} realms reach ${rate(many)}, p99 ` +
      `${Math.round(p99Ms)} ms; writes to one of them ${rate(one)}, p99 ${Math.round(p99MsOfOne)} ms.`,
  )
  console.log(
    `That is ${ratio.toFixed(2)} of one realm's rate, the median of ${ratios.length} pairs ` +
      `(${ratios.map((value) => value.toFixed(2)).join(', ')}); goal ${goal}: ` +
      `${ratio >= goal ? 'reached' : 'NOT reached'}.`,
  )
  console.log(
    `One realm alone, a minute later, reaches ${rate(oneAlone)}: many are ${ratioToOneAlone.toFixed(2)} of ` +
      `that. ${figures.refused} requests were refused. ` +
      `After the pairs the server used ${figures.memoryMb} MB.`,
  )
}
