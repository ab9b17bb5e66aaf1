import pg from 'pg'
import { Sender } from './arrivals.ts'
import { caughtUp, FoldSampler, type Lag } from './foldSampler.ts'
import { atRandom, type BoardScene, requestBoards } from './manyRealmsBoards.ts'
import { latenciesOf, type ServerProcess, wrk } from './tools.ts'

/** How long after its commit leaderboards include an entry, in realms that were sampled. */
export type LagFigures = {
  readonly realms: number
  /** Writes a second to all realms. */
  readonly rate: number
  /** Entries of the sample, all that were written while the load ran. */
  readonly entries: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Of entries written in the last third: when it is far above that of all, the lag still grows. */
  readonly p99MsOfLastThird: number
  /** After the last write. */
  readonly caughtUpSeconds: number
}

export type LagResult = { readonly peak: LagFigures; readonly halfOfPeak: LagFigures }

const goalMs = 5_000
const connections = 256
const warmUpSeconds = 8
const sampleSize = 500

/** The boards of all realms were requested: each is due as soon as it is written to. */
export async function measureLag(scene: BoardScene, seconds: number): Promise<LagResult> {
  const { stage, database, filled, targets } = scene
  const server = await stage.startOurs(database)
  const client = new pg.Client({ connectionString: stage.url(database) })
  try {
    await client.connect()
    await requestBoards(server, targets)
    const peakOf = (forSeconds: number) => {
      const seed = String(Math.floor(Math.random() * 1e9))
      const args = ['realms', String(filled.members), seed, filled.manyRealms]
      return wrk({ url: server.url, args, connections, seconds: forSeconds, mayRefuse: true })
    }
    await peakOf(warmUpSeconds)
    const measure = (load: () => Promise<unknown>) => measureLoad(client, targets.length, load)
    const peak = await measure(() => peakOf(seconds))
    print('a closed loop of 256 connections', peak)
    const halfOfPeak = await measure(() => sendSteadily({ scene, server, rate: peak.rate / 2, seconds }))
    print('half of that rate', halfOfPeak)
    return { peak, halfOfPeak }
  } finally {
    await client.end()
    await server.stop()
  }
}

type Steady = {
  readonly scene: BoardScene
  readonly server: ServerProcess
  readonly rate: number
  readonly seconds: number
}

async function sendSteadily({ scene, server, rate, seconds }: Steady): Promise<void> {
  const sender = await Sender.openMany(server.url, atRandom(scene.targets), { mayRefuse: true })
  try {
    await sender.send(rate, seconds)
  } finally {
    sender.close()
  }
}

async function measureLoad(
  client: pg.Client,
  realms: number,
  load: () => Promise<unknown>,
): Promise<LagFigures> {
  // The warm-up and the load before must not count.
  await caughtUp(client)
  const count = Math.min(realms, sampleSize)
  const sample = Array.from({ length: count }, (_, n) => 1 + Math.floor((n * realms) / count))
  const sampler = await FoldSampler.start(client, sample)
  const before = await countEntries(client)
  const startMs = Date.now()
  await load()
  const endMs = Date.now()
  await caughtUp(client)
  const caughtUpSeconds = (Date.now() - endMs) / 1000
  const rate = ((await countEntries(client)) - before) / ((endMs - startMs) / 1000)
  const lags = await sampler.stop()
  const lastThirdMs = endMs - (endMs - startMs) / 3
  const times = (some: readonly Lag[]) => some.map(({ lagMs }) => lagMs)
  const late = lags.filter(({ atMs }) => atMs >= lastThirdMs)
  const { p50Ms, p99Ms } = latenciesOf(times(lags))
  return {
    realms,
    rate,
    entries: lags.length,
    p50Ms,
    p99Ms,
    maxMs: times(lags).reduce((most, ms) => Math.max(most, ms), 0),
    p99MsOfLastThird: latenciesOf(times(late)).p99Ms,
    caughtUpSeconds,
  }
}

async function countEntries(client: pg.Client): Promise<number> {
  const text = 'select sum(seq)::float8 as count from exchequer.heads'
  return (await client.query<{ count: number }>(text)).rows[0]?.count ?? Number.NaN
}

function print(load: string, figures: LagFigures): void {
  const { realms, rate, entries, p50Ms, p99Ms, maxMs, p99MsOfLastThird, caughtUpSeconds } = figures
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
  console.log(
    `With ${load}, ${Math.round(rate).toLocaleString('en-US')} writes a second at random to ` +
      `${realms.toLocaleString('en-US')} realms whose boards were requested, leaderboards include a write ` +
      `${seconds(p50Ms)} after its commit at p50, ${seconds(p99Ms)} at p99 ` +
      `(${seconds(p99MsOfLastThird)} in the last third), ${seconds(maxMs)} at most, ` +
      `of ${entries.toLocaleString('en-US')} sampled entries; ` +
      `goal p99 ${goalMs / 1000} s: ${p99Ms < goalMs ? 'reached' : 'NOT reached'}. ` +
      `They had caught up ${caughtUpSeconds.toFixed(1)} s after the last write.`,
  )
}
