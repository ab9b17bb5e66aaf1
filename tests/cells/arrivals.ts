import { Sender } from '../../bench/arrivals.ts'
import { type Latencies, latenciesOf, median } from '../../bench/tools.ts'
import { call } from '../support/call.ts'
import type { RealmAccess } from '../support/fixture.ts'
import { freshId, makeFilled } from './realms.ts'
import type { Scene } from './scene.ts'
import type { CellStage } from './stage.ts'

export type ArrivalSizes = {
  readonly seconds: number
  readonly entries: number
  /** How often it is measured, alone and together in turns; medians are compared. */
  readonly rounds: number
  /** The greatest p50 with two cells, against one alone. */
  readonly ratio: number
}

type Pace = { readonly rate: number; readonly seconds: number }

const members = 50
const share = 0.2
const peakClients = 64

/** Changes a second of one cell when clients send as fast as they are answered. */
async function peakOf(stage: CellStage, realm: RealmAccess, seconds: number): Promise<number> {
  let done = 0
  const startMs = performance.now()
  const untilMs = startMs + seconds * 1_000
  const one = async (place: number) => {
    for (let nth = place; performance.now() < untilMs; nth++) {
      const url = `${stage.url}/api/v4/realms/${realm.id}/members/${1 + (nth % members)}/tokenBalance`
      const { status } = await call('PATCH', url, { key: realm.key, body: { tokens: 1 } })
      if (status === 200) done += 1
    }
  }
  await Promise.all(Array.from({ length: peakClients }, (_, place) => one(place)))
  return (done / (performance.now() - startMs)) * 1_000
}

const words = ({ p50Ms, p99Ms }: Latencies): string =>
  `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`

/** Few enough that each is used before HAProxy closes it: one that sends nothing has 10 s. */
const connections = 64
const warmUpSeconds = 1

/** Sends to all of these at once, at the same rate to each; the times of each. */
async function sendTo(stage: CellStage, realms: readonly RealmAccess[], { rate, seconds }: Pace) {
  const opening = realms.map(({ id, key }) =>
    Sender.open(stage.url, { realm: id, key, members }, connections),
  )
  const senders = await Promise.all(opening)
  try {
    await Promise.all(senders.map((sender) => sender.send(rate, warmUpSeconds)))
    return await Promise.all(senders.map(async (sender) => latenciesOf(await sender.send(rate, seconds))))
  } finally {
    for (const sender of senders) sender.close()
  }
}

/**
 * Changes at a fixed rate in two cells at once, against one alone. Where all run on one machine, two cells
 * are also twice the work for it: one cell at both rates, which is only printed, shows how much of the
 * difference that is.
 */
export async function checkArrivals({ stage, checks }: Scene, sizes: ArrivalSizes): Promise<void> {
  const { seconds, entries, rounds, ratio } = sizes
  const first = await makeFilled(stage, stage.one, { id: freshId('arrivals'), entries })
  const second = await makeFilled(stage, stage.two, { id: freshId('arrivals'), entries })
  await peakOf(stage, second, warmUpSeconds)
  const peak = await peakOf(stage, first, Math.min(seconds, 5))
  const pace = { rate: peak * share, seconds }
  console.log(`  peak ${Math.round(peak)}/s, ${Math.round(pace.rate)}/s to each cell`)
  const alone: number[] = []
  const together: number[] = []
  const twice: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [one] = await sendTo(stage, [first], pace)
    const both = await sendTo(stage, [first, second], pace)
    const [busy] = await sendTo(stage, [first], { ...pace, rate: 2 * pace.rate })
    if (!one || !busy) throw new Error('nothing was sent')
    console.log(`  one cell alone: ${words(one)}; two: ${both.map(words).join(', and ')}`)
    console.log(`  one cell at twice the rate: ${words(busy)}`)
    alone.push(one.p50Ms)
    twice.push(busy.p50Ms)
    together.push(Math.max(...both.map(({ p50Ms }) => p50Ms)))
  }
  console.log(`  p50 of one cell at twice the rate, ms: ${median(twice).toFixed(1)}`)
  checks.atMost(median(together), median(alone) * ratio, 'p50 of the slower of two cells, ms')
}
