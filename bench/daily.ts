import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkDeadline } from '../tests/support/timeLimit.ts'
import { foldMs, measureProjection, type Projection } from './projection.ts'
import { openStage, type Stage } from './stage.ts'
import { residentMb, type ServerProcess } from './tools.ts'

/**
 * npm run bench -- --daily [--quick] [--json FILE]
 * Measures typical reads in a realm of a million members and five million entries, on a
 * server that is otherwise idle; and what the projection costs writers.
 */

export type Times = { readonly p50_ms: number; readonly p99_ms: number }

export type Daily = Projection & {
  readonly members: number
  readonly entries: number
  /** Null when the route does not exist. */
  readonly top_100: Times | null
  readonly rank: Times | null
  readonly top_100_week: Times | null
  readonly statistics: Times | null
  readonly history_page: Times | null
  readonly feed_page: Times | null
  /** Entries folded per second while no client writes. */
  readonly fold_per_s: number
  /** The first request for a board. */
  readonly first_top_ms: number
  readonly first_week_ms: number
  readonly server_mb: number
}

const database = 'daily'
const requests = 600
const warmUp = 100

export async function measureDaily(quick: boolean): Promise<Daily> {
  const size = quick ? { members: 50_000, entries: 250_000 } : { members: 1_000_000, entries: 5_000_000 }
  const stage = await openStage({ max_wal_size: '16GB' })
  try {
    const { members } = size
    const startMs = Date.now()
    const filled = await stage.fill(database, { members, entries: size.entries - members, realms: false })
    const words = [members, size.entries].map((count) => count.toLocaleString('en-US'))
    console.log(`${words[0]} members, ${words[1]} entries: ${Math.round((Date.now() - startMs) / 1000)} s`)
    const ours = await stage.startOurs(database)
    const [realm = '', key = ''] = readFileSync(filled.bigRealm, 'utf8').trim().split(' ')
    const reader = new Reader(`${ours.url}/api/v4/realms/${realm}`, key)
    try {
      const read = await measureReads({ stage, ours, reader }, size)
      await ours.stop()
      return { ...size, ...read, ...(await measureProjection(stage, quick)) }
    } finally {
      reader.close()
      await ours.stop()
    }
  } finally {
    await stage.close()
  }
}

type Scene = { readonly stage: Stage; readonly ours: ServerProcess; readonly reader: Reader }

async function measureReads(
  { stage, ours, reader }: Scene,
  { members, entries }: { readonly members: number; readonly entries: number },
) {
  const firstTop = await reader.get('/leaderboard?limit=100')
  const foldPerSecond = await folded(stage, reader)
  const firstWeek = await reader.get('/leaderboard?limit=100&period=week')
  // Vacuum now, so that autovacuum does not run while the server should be idle.
  for (const text of ['vacuum analyze', 'checkpoint']) await stage.query(database, text)
  const someone = () => 1 + Math.floor(Math.random() * members)
  const somewhere = () => Math.floor(Math.random() * (entries - 100))
  const measured = {
    top_100: await reader.measure('top_100', () => '/leaderboard?limit=100'),
    rank: await reader.measure('rank', () => `/leaderboard/${someone()}?neighbours=5`),
    top_100_week: await reader.measure('top_100_week', () => '/leaderboard?limit=100&period=week'),
    statistics: await reader.measure('statistics', () => '/statistics'),
    history_page: await reader.measure('history_page', () => `/members/${someone()}/history?limit=100`),
    feed_page: await reader.measure('feed_page', () => `/journal?cursor=${somewhere()}&limit=100`),
  }
  const figures = {
    fold_per_s: foldPerSecond,
    first_top_ms: Math.round(firstTop.ms),
    first_week_ms: Math.round(firstWeek.ms),
    server_mb: residentMb(ours),
  }
  console.log(JSON.stringify(figures))
  return { ...measured, ...figures }
}

type Seqs = { readonly seq: number; readonly kept: number }

/** Lets the server fold the whole journal, and returns its speed. */
async function folded(stage: Stage, reader: Reader): Promise<number> {
  const text = `select h.seq::float8, coalesce(s.seq, 0)::float8 as kept
    from exchequer.heads h left join exchequer.standings s using (realm) where h.realm = 1`
  const startMs = Date.now()
  const deadlineMs = performance.now() + foldMs
  for (;;) {
    checkDeadline(deadlineMs, 'the fold of the whole journal')
    await reader.get('/statistics')
    const [row] = await stage.query<Seqs>(database, text)
    if (row && row.kept >= row.seq) return Math.round(row.seq / ((Date.now() - startMs) / 1000))
    await sleep(10)
  }
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100

/** One client with one connection. */
class Reader {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #base: string
  readonly #key: string

  constructor(base: string, key: string) {
    this.#base = base
    this.#key = key
  }

  close(): void {
    this.#agent.destroy()
  }

  get(path: string): Promise<{ readonly status: number; readonly ms: number }> {
    const startMs = performance.now()
    const headers = { authorization: `Bearer ${this.#key}` }
    return new Promise((resolve, reject) => {
      const sending = request(`${this.#base}${path}`, { agent: this.#agent, headers }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - startMs }))
      })
      sending.on('error', reject)
      sending.end()
    })
  }

  async measure(name: string, path: () => string): Promise<Times | null> {
    const times: number[] = []
    for (let turn = -warmUp; turn < requests; turn++) {
      const { status, ms } = await this.get(path())
      if (status === 404) {
        console.log(`${name}: this server does not have the route`)
        return null
      }
      if (status !== 200) throw new Error(`${name}: ${status}`)
      if (turn >= 0) times.push(ms)
    }
    times.sort((a, b) => a - b)
    const at = (share: number) => rounded(times[Math.floor(times.length * share)] ?? Number.NaN)
    console.log(`${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
    return { p50_ms: at(0.5), p99_ms: at(0.99) }
  }
}
