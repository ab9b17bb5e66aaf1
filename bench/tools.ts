import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** Runs a program to its end and returns what it printed. */
export async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    said += String(chunk)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    said += String(chunk)
  })
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${code}: ${said}`)
  return said
}

export type Load = {
  /** Successes per second. */
  readonly rate: number
  readonly refused: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
}

export type WrkOptions = {
  readonly url: string
  readonly args: readonly string[]
  readonly connections: number
  readonly seconds: number
  /** Whether a rejection counts as a response like others. */
  readonly mayRefuse?: boolean
}

/** Drives a server with wrk. Any response other than a success fails the run. */
export async function wrk(options: WrkOptions): Promise<Load> {
  const { url, args, connections, seconds, mayRefuse = false } = options
  const limits = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s']
  const said = await run('wrk', [...limits, '-s', here('load.lua'), url, '--', ...args])
  const numbers = /^WRK (.*)$/m.exec(said)?.[1]?.split(' ').map(Number) ?? []
  const [done = 0, refused = 0, broken = 0, us = 1, p50 = 0, p99 = 0, p999 = 0] = numbers
  if (done === refused || (refused > 0 && !mayRefuse) || broken > 0) {
    throw new Error(`wrk: ${done} done, ${refused} refused, ${broken} broken\n${said}`)
  }
  return {
    rate: ((done - refused) / us) * 1e6,
    refused,
    p50Ms: p50 / 1e3,
    p99Ms: p99 / 1e3,
    p999Ms: p999 / 1e3,
  }
}

export type PgbenchOptions = {
  readonly binaries: string
  readonly url: string
  /** Files with their weights: a.sql@4. */
  readonly scripts: readonly string[]
  readonly clients: number
  readonly seconds: number
  readonly members: number
}

/**
 * Planned once, like the server's own statements: planning each time would halve the speed.
 */
const onePlan = { PGOPTIONS: '-c plan_cache_mode=force_generic_plan' }

function pgbenchArgs({ url, scripts, clients, seconds, members }: PgbenchOptions): string[] {
  const load = { c: clients, j: Math.min(2, clients), T: seconds, M: 'prepared', D: `members=${members}` }
  const flags = Object.entries(load).flatMap(([flag, value]) => [`-${flag}`, String(value)])
  return ['-n', ...flags, ...scripts.flatMap((script) => ['-f', script]), url]
}

/** Drives PostgreSQL with pgbench: prepared statements, one change per transaction. Returns the rate. */
export async function pgbench(options: PgbenchOptions): Promise<number> {
  const said = await run(join(options.binaries, 'pgbench'), pgbenchArgs(options), onePlan)
  const rate = Number(/tps = ([0-9.]+) \(without/.exec(said)?.[1])
  if (!Number.isFinite(rate) || !/number of failed transactions: 0 /.test(said)) {
    throw new Error(`pgbench: ${said}`)
  }
  return rate
}

/** The duration of each transaction of a run of pgbench; at a fixed rate, timed from when it was due. */
async function pgbenchTimes(options: PgbenchOptions, rate?: number): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-pgbench-'))
  try {
    const fixed = rate === undefined ? [] : [`--rate=${rate}`]
    const logged = ['--log', `--log-prefix=${folder}/times`, ...fixed, ...pgbenchArgs(options)]
    await run(join(options.binaries, 'pgbench'), logged, onePlan)
    const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
    // client, transaction, microseconds, …
    return lines.filter(Boolean).map((line) => Number(line.split(' ')[2]) / 1000)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The median duration of a pgbench transaction with one client. */
export async function lonePgbenchMs(options: Omit<PgbenchOptions, 'clients'>): Promise<number> {
  return median(await pgbenchTimes({ ...options, clients: 1 }))
}

/** Transactions that arrive at a fixed rate. */
export async function pgbenchAtRate(options: PgbenchOptions, rate: number): Promise<Latencies> {
  return latenciesOf(await pgbenchTimes(options, rate))
}

export type Latencies = { readonly p50Ms: number; readonly p99Ms: number; readonly p999Ms: number }

export function latenciesOf(timesMs: readonly number[]): Latencies {
  const sorted = [...timesMs].sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999) }
}

export type ServerProcess = { readonly url: string; readonly child: ChildProcess; stop(): Promise<void> }

/** Starts a server that prints a line with its "url". */
export async function serve(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /"url":"([^"]+)"/.exec(line)?.[1]
      if (found) resolve(found)
      if (/"level":[56]0/.test(line)) console.error(line)
    })
    exited.then(([code]) => reject(new Error(`a server exited with ${code} at startup`)), reject)
  })
  return {
    url,
    child,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Memory of a process that is in RAM. */
export function residentMb({ child }: ServerProcess): number {
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb) / 1024)
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
