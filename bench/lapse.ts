import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkDeadline } from '../tests/support/timeLimit.ts'
import { Sender, type Target } from './arrivals.ts'
import { workloadNamed } from './compare.ts'
import type { Dated } from './generate.ts'
import { measurePairs, type PairResult, printPairs } from './pairs.ts'
import { type FilledDatabase, openStage, operatorToken, type Stage } from './stage.ts'
import { type Latencies, latenciesOf, type ServerProcess } from './tools.ts'

/**
 * npm run bench -- --lapse [--quick]
 * What a rule by which points lapse costs each change, and how long a day takes on which three of ten members
 * lose points: with the times of changes in other realms before and meanwhile.
 */
export type LapseFigures = {
  readonly members: number
  readonly lapsed: number
  readonly sweepSeconds: number
  readonly before: Latencies
  readonly meanwhile: Latencies
  readonly changes: PairResult
}

const sizes = {
  whole: { members: 1_000_000, due: 300_000, pairs: 24, seconds: 20 },
  quick: { members: 50_000, due: 15_000, pairs: 8, seconds: 5 },
}
/** Changes in other realms each second. */
const rate = 200
/** The most that a sweep may slow these down. */
const ratio = 1.5
const dayMs = 86_400_000
const lifeDays = 30

export async function measureLapse(isQuick: boolean): Promise<LapseFigures> {
  const { members, due, pairs, seconds } = isQuick ? sizes.quick : sizes.whole
  const stage = await openStage({ max_wal_size: '16GB' })
  try {
    const filled = await stage.fill('dated', {
      members,
      entries: 0,
      realms: true,
      prepare: setRule,
      dated: (account) => datedOf(account <= due),
    })
    const swept = await sweep(stage, { filled, due, seconds })
    return { members, lapsed: due, ...swept, changes: await changes(stage, filled, pairs) }
  } finally {
    await stage.close()
  }
}

/** Issued a life ago, so that it lapses today, or now. */
function datedOf(isDue: boolean): Dated {
  const atMs = Date.now() - (isDue ? (lifeDays + 1) * dayMs : 0)
  return { atUs: BigInt(atMs) * 1000n, day: Math.floor(atMs / dayMs) + lifeDays + 1 }
}

async function setRule({ url }: ServerProcess): Promise<void> {
  const send = async (method: string, path: string, { token, body }: { token: string; body: object }) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
  const scopes = ['realm:admin']
  const { key } = await send('POST', '/operator/v1/realms/big/keys', {
    token: operatorToken,
    body: { scopes },
  })
  const body = { after: { days: lifeDays } }
  await send('PUT', '/api/v4/realms/big/points/gold/lapse', { token: key, body })
}

const sweepMs = 1_800_000

type Sweep = { readonly filled: FilledDatabase; readonly due: number; readonly seconds: number }

async function sweep(stage: Stage, { filled, due, seconds }: Sweep) {
  // Until it is time.
  await stage.query('dated', `update exchequer.lapse_sweeps set due_at = 'infinity'`)
  const server = await stage.startOurs('dated')
  const realms = readFileSync(filled.manyRealms, 'utf8').trim().split('\n')
  const next = (): Target => {
    const [realm = '', key = ''] = realms[Math.floor(Math.random() * realms.length)]?.split(' ') ?? []
    return { realm, key, members: 100 }
  }
  let others: Sender | undefined
  try {
    await untilFolded(stage, filled, server)
    // Not before: a connection that sends nothing for a minute is closed.
    others = await Sender.openMany(server.url, next, { connections: 64 })
    await others.send(rate, 3)
    const before = latenciesOf(await others.send(rate, seconds))
    await stage.query('dated', 'update exchequer.lapse_sweeps set due_at = now()')
    const startMs = performance.now()
    const times: number[] = []
    while ((await lapsesOf(stage)) < due) {
      checkDeadline(startMs + sweepMs, 'the sweep')
      times.push(...(await others.send(rate, 1)))
    }
    const sweepSeconds = (performance.now() - startMs) / 1000
    const meanwhile = latenciesOf(times)
    const count = due.toLocaleString('en-US')
    console.log(
      `${count} members lose points in ${sweepSeconds.toFixed(1)} s; other realms at ${rate}/s: ` +
        `p50 ${before.p50Ms.toFixed(1)} ms before, ${meanwhile.p50Ms.toFixed(1)} ms meanwhile; ` +
        `p99 ${before.p99Ms.toFixed(1)} ms before, ${meanwhile.p99Ms.toFixed(1)} ms meanwhile`,
    )
    const slower = meanwhile.p99Ms / before.p99Ms
    console.log(`${slower <= ratio ? 'holds' : 'FAILED'}: ${slower.toFixed(2)}, at most ${ratio}`)
    if (slower > ratio) process.exitCode = 1
    return { sweepSeconds, before, meanwhile }
  } finally {
    others?.close()
    await server.stop()
    console.log((await stage.verify('dated')).trimEnd().split('\n').at(-1))
  }
}

async function lapsesOf(stage: Stage): Promise<number> {
  const text = 'select count(*)::integer as count from exchequer.journal where realm = 1 and kind = 10'
  return (await stage.query<{ count: number }>('dated', text))[0]?.count ?? 0
}

/** Leaderboards have the entries of the filling. */
async function untilFolded(stage: Stage, filled: FilledDatabase, { url }: ServerProcess): Promise<void> {
  const [realm = '', key = ''] = readFileSync(filled.bigRealm, 'utf8').trim().split(' ')
  const headers = { authorization: `Bearer ${key}` }
  const text = `select from exchequer.heads h left join exchequer.standings s using (realm)
    where h.realm = 1 and coalesce(s.seq, 0) < h.seq`
  const deadlineMs = performance.now() + sweepMs
  while ((await stage.query('dated', text)).length > 0) {
    checkDeadline(deadlineMs, 'the leaderboards')
    // Folded when it is asked for: these entries were not written by the server.
    await (await fetch(`${url}/api/v4/realms/${realm}/statistics`, { headers })).text()
    await sleep(200)
  }
}

/** Awards to members whose points lapse, relative to awards in a realm without a rule. */
async function changes(stage: Stage, dated: FilledDatabase, pairs: number): Promise<PairResult> {
  const { members } = dated
  const plain = await stage.fill('plain', { members, entries: 0, realms: false })
  const sides = [
    { stage, filled: dated, served: await stage.startOurs('dated'), database: 'dated' },
    { stage, filled: plain, served: await stage.startOurs('plain'), database: 'plain' },
  ] as const
  try {
    const measured = await measurePairs({ sides, pairs }, workloadNamed('adjust_spread'))
    printPairs('awards of points that lapse', measured)
    return measured
  } finally {
    for (const { served } of sides) await served.stop()
  }
}
