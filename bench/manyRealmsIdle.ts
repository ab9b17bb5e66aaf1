import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverRole } from '../server/src/dev/prepare.ts'
import { checkDeadline } from '../tests/support/timeLimit.ts'
import { fillManyRealms } from './manyRealmsFill.ts'
import { operatorToken, type Stage } from './stage.ts'
import { type Latencies, latenciesOf, median, residentMb, type ServerProcess } from './tools.ts'

/** What a server costs that no client uses. */
export type IdleFigures = {
  readonly realms: number
  /** From the start of the process to the first 200 of /readyz. */
  readonly startSeconds: readonly number[]
  readonly memoryMb: number
  /** Of one core. */
  readonly cpuPercent: number
  /** Each statement of an idle server is a transaction of its own. */
  readonly transactionsPerSecond: number
  readonly sessions: number
  /** Pages of 100 of GET /operator/v1/realms, one after the other. */
  readonly page: Latencies
}

const starts = 5
const readyMs = 120_000
/** Sessions that have become idle report what they did after ten seconds. */
const settleMs = 15_000
const pages = 50

export async function measureIdle(
  stage: Stage,
  { realms, seconds }: { readonly realms: number; readonly seconds: number },
): Promise<IdleFigures> {
  const database = `idle_${realms}`
  await fillManyRealms(stage, database, realms)
  const startSeconds: number[] = []
  for (let left = starts - 1; left > 0; left--) {
    const started = await startTimed(stage, database)
    startSeconds.push(started.seconds)
    await started.server.stop()
  }
  const last = await startTimed(stage, database)
  startSeconds.push(last.seconds)
  try {
    const cost = await idleCost(stage, { server: last.server, database, seconds })
    const page = latenciesOf(await walkPages(last.server))
    return print({ realms, startSeconds, ...cost, page })
  } finally {
    await last.server.stop()
  }
}

async function startTimed(
  stage: Stage,
  database: string,
): Promise<{ readonly server: ServerProcess; readonly seconds: number }> {
  const startMs = performance.now()
  const server = await stage.startOurs(database)
  const deadlineMs = startMs + readyMs
  while ((await fetch(`${server.url}/readyz`)).status !== 200) {
    checkDeadline(deadlineMs, '200 from /readyz')
    await sleep(5)
  }
  return { server, seconds: (performance.now() - startMs) / 1000 }
}

type Idle = { readonly server: ServerProcess; readonly database: string; readonly seconds: number }

async function idleCost(stage: Stage, { server, database, seconds }: Idle) {
  await sleep(settleMs)
  const count = async () => {
    // Asked in another database, so that the question is not counted.
    const text = `select (xact_commit + xact_rollback)::float8 as count from pg_stat_database
      where datname = '${database}'`
    return (await stage.query<{ count: number }>('postgres', text))[0]?.count ?? Number.NaN
  }
  const before = { count: await count(), cpuMs: cpuMs(server), ms: performance.now() }
  await sleep(seconds * 1000)
  const elapsedMs = performance.now() - before.ms
  const text = `select count(*)::int as count from pg_stat_activity
    where datname = '${database}' and usename = '${serverRole}'`
  return {
    memoryMb: residentMb(server),
    cpuPercent: ((cpuMs(server) - before.cpuMs) / elapsedMs) * 100,
    transactionsPerSecond: ((await count()) - before.count) / (elapsedMs / 1000),
    sessions: (await stage.query<{ count: number }>('postgres', text))[0]?.count ?? Number.NaN,
  }
}

/** CPU time of all threads of the server so far. */
function cpuMs({ child }: ServerProcess): number {
  const folder = `/proc/${child.pid}/task`
  const timeOf = (id: string) => Number(readFileSync(`${folder}/${id}/schedstat`, 'utf8').split(' ')[0])
  return readdirSync(folder).reduce((sum, id) => sum + timeOf(id), 0) / 1e6
}

type Page = { readonly data: readonly unknown[]; readonly nextCursor: string | null }

/** The milliseconds of each page, without the first, which also opens sessions. */
async function walkPages({ url }: ServerProcess): Promise<number[]> {
  const times: number[] = []
  let cursor: string | null = null
  for (let page = 0; page <= pages; page++) {
    const asked = new URLSearchParams({ limit: '100', ...(cursor === null ? {} : { cursor }) })
    const startMs = performance.now()
    const answer = await fetch(`${url}/operator/v1/realms?${asked.toString()}`, {
      headers: { authorization: `Bearer ${operatorToken}` },
    })
    const { data, nextCursor } = (await answer.json()) as Page
    if (!answer.ok || data.length !== 100) throw new Error(`a page of realms: ${answer.status}`)
    if (page > 0) times.push(performance.now() - startMs)
    cursor = nextCursor
    if (cursor === null) break
  }
  return times
}

function print(figures: IdleFigures): IdleFigures {
  const { realms, startSeconds, memoryMb, cpuPercent, transactionsPerSecond, sessions, page } = figures
  const slowest = Math.max(...startSeconds)
  console.log(
    `${realms.toLocaleString('en-US')} realms, no requests: the server is ready ` +
      `${median(startSeconds).toFixed(2)} s after its start (median of ${startSeconds.length}, ` +
      `slowest ${slowest.toFixed(2)} s). It uses ${memoryMb} MB, ${cpuPercent.toFixed(2)} % of a core, ` +
      `${sessions} sessions and ${transactionsPerSecond.toFixed(2)} statements a second.`,
  )
  console.log(
    `A page of 100 realms takes an operator ${page.p50Ms.toFixed(1)} ms (p50), ` +
      `${page.p99Ms.toFixed(1)} ms (p99).`,
  )
  return figures
}
