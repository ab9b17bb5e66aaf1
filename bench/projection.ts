import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkDeadline } from '../tests/support/timeLimit.ts'
import { Sender } from './arrivals.ts'
import { loadArgs, workloadNamed } from './compare.ts'
import type { FilledDatabase, Stage } from './stage.ts'
import { median, type ServerProcess, wrk } from './tools.ts'

/**
 * What the projection costs writers: two servers on two copies of one database, of which one
 * projects, driven in turn in short slices.
 */
export type Projection = {
  /** Changes a second without the projection, at the peak. */
  readonly peak: number
  /** Changes a second with it, relative to without it, for each pair of slices. */
  readonly peak_ratio: number
  readonly peak_ratios: readonly number[]
  /** How long after a burst at the peak everything is folded, and how far behind it was. */
  readonly lag_s: number
  readonly lag_entries: number
  /** At half the peak, with it relative to without it: changes a second, and their latency. */
  readonly half_rate_ratio: number
  readonly half_p50_ratio: number
  readonly half_p99_ratio: number
}

const connections = 256
const burstSeconds = 10
/** Five million entries take a minute or two. */
export const foldMs = 30 * 60_000

type Pair = { readonly following: ServerProcess; readonly still: ServerProcess }
type Scene = {
  readonly stage: Stage
  readonly filled: FilledDatabase
  readonly pair: Pair
  readonly rounds: number
}

export async function measureProjection(stage: Stage, quick: boolean): Promise<Projection> {
  const filled = await stage.fill('filled', { members: 100_000, entries: 0, realms: false })
  for (const name of ['following', 'still']) await stage.copy(name, 'filled')
  const pair = {
    following: await stage.startOurs('following'),
    still: await stage.startOurs('still', { STANDINGS_EVERY_MS: '0' }),
  }
  try {
    await read(pair.following, filled)
    const scene = { stage, filled, pair, rounds: quick ? 5 : 12 }
    const full = await atPeak(scene)
    const half = await atHalf(scene, full.peak / 2)
    await stage.verify('following')
    const figures = { ...full, ...half }
    console.log(JSON.stringify(figures))
    return figures
  } finally {
    await pair.following.stop()
    await pair.still.stop()
  }
}

/** A leaderboard that is not requested follows only once a minute. */
async function read({ url }: ServerProcess, filled: FilledDatabase): Promise<void> {
  const [realm, key] = readFileSync(filled.bigRealm, 'utf8').trim().split(' ')
  const answer = await fetch(`${url}/api/v4/realms/${realm}/leaderboard`, {
    headers: { authorization: `Bearer ${key}` },
  })
  if (!answer.ok) throw new Error(`could not read the leaderboard: ${answer.status} ${await answer.text()}`)
}

async function atPeak({ stage, filled, pair, rounds }: Scene) {
  const drive = async ({ url }: ServerProcess, seconds: number) =>
    (await wrk({ url, args: loadArgs(filled, workloadNamed('adjust_spread')), connections, seconds })).rate
  await drive(pair.still, 4)
  await drive(pair.following, 4)
  const [without, ratios]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    await caughtUp(stage)
    const still = await drive(pair.still, 2)
    const following = await drive(pair.following, 2)
    without.push(still)
    ratios.push(following / still)
  }
  await caughtUp(stage)
  await drive(pair.following, burstSeconds)
  const lag = await caughtUp(stage)
  return {
    peak: Math.round(median(without)),
    peak_ratio: median(ratios),
    peak_ratios: ratios,
    lag_s: lag.seconds,
    lag_entries: lag.entries,
  }
}

type Seqs = { readonly seq: number; readonly kept: number }

/** Waits until everything is folded; returns the duration and the number of entries. */
async function caughtUp(stage: Stage): Promise<{ seconds: number; entries: number }> {
  const text = `select h.seq::float8, coalesce(s.seq, h.seq)::float8 as kept
    from exchequer.heads h left join exchequer.standings s using (realm) where h.realm = 1`
  const startMs = Date.now()
  let entries: number | undefined
  const deadlineMs = performance.now() + foldMs
  for (;;) {
    checkDeadline(deadlineMs, 'the fold of the whole journal')
    const [row] = await stage.query<Seqs>('following', text)
    const behind = row ? row.seq - row.kept : 0
    entries ??= behind
    if (behind === 0) return { seconds: (Date.now() - startMs) / 1000, entries }
    await sleep(20)
  }
}

async function atHalf({ filled, pair, rounds }: Scene, rate: number) {
  const [realm = '', key = ''] = readFileSync(filled.bigRealm, 'utf8').trim().split(' ')
  const open = ({ url }: ServerProcess) => Sender.open(url, { realm, key, members: filled.members })
  const senders = { following: await open(pair.following), still: await open(pair.still) }
  const slice = async (sender: Sender) => {
    const startMs = performance.now()
    const times = (await sender.send(rate, 3)).sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
    return { rate: times.length / (performance.now() - startMs), p50: at(0.5), p99: at(0.99) }
  }
  try {
    for (const sender of Object.values(senders)) await slice(sender)
    type Slice = Awaited<ReturnType<typeof slice>>
    const pairs: { still: Slice; following: Slice }[] = []
    for (let round = 0; round < rounds; round++)
      pairs.push({ still: await slice(senders.still), following: await slice(senders.following) })
    const ratio = (name: 'rate' | 'p50' | 'p99') =>
      median(pairs.map(({ still, following }) => following[name] / still[name]))
    return { half_rate_ratio: ratio('rate'), half_p50_ratio: ratio('p50'), half_p99_ratio: ratio('p99') }
  } finally {
    for (const sender of Object.values(senders)) sender.close()
  }
}
