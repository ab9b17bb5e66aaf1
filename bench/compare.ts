import type { Script } from './bare.ts'
import type { Lone, Measurement } from './report.ts'
import type { FilledDatabase, Stage } from './stage.ts'
import { lonePgbenchMs, median, pgbench, type ServerProcess, wrk } from './tools.ts'
import { type Workload, workloads } from './workloads.ts'

/**
 * PostgreSQL alone, our server and the usual way, in short alternating slices of one run: the machine may be
 * noisy, so only ratios within a round count, and their median over the rounds.
 */

export type Pace = {
  readonly rounds: number
  readonly seconds: number
  /** Whether ours is driven with 64 connections too, and the usual way in more than the first round. */
  readonly thorough: boolean
}
export type Servers = {
  readonly ours: ServerProcess
  readonly usual: ServerProcess
  readonly nodeHttp: ServerProcess
}
/** The set-up of a measurement, and its duration. */
export type Scene = { readonly stage: Stage; readonly filled: FilledDatabase; readonly pace: Pace }

const membersOfSmall = 100
const warmUpSeconds = 5

export function loadArgs(filled: FilledDatabase, workload: Workload): string[] {
  const big = workload.realms === 'big'
  const seed = Math.floor(Math.random() * 1e9)
  const count = big ? filled.members : membersOfSmall
  return [workload.kind, String(count), String(seed), big ? filled.bigRealm : filled.manyRealms]
}

function slice(
  { filled, pace }: Scene,
  workload: Workload,
  { url, connections }: { url: string; connections: number },
) {
  return wrk({ url, args: loadArgs(filled, workload), connections, seconds: pace.seconds })
}

function scriptsOf(stage: Stage, { bare }: Workload): string[] {
  return Object.entries(bare).map(([name, weight]) => `${stage.scripts[name as Script]}@${weight}`)
}

type Rates = Record<'bare8' | 'bare64' | 'ours256' | 'ours64' | 'usual' | 'nodeHttp', number[]>

export async function measure(scene: Scene, workload: Workload, servers: Servers): Promise<Measurement> {
  const { stage, filled, pace } = scene
  const rates: Rates = { bare8: [], bare64: [], ours256: [], ours64: [], usual: [], nodeHttp: [] }
  const bare = (clients: number) =>
    pgbench({
      binaries: stage.binaries,
      url: stage.url('bare'),
      scripts: scriptsOf(stage, workload),
      clients,
      seconds: pace.seconds,
      members: filled.members,
    })
  const drive = async (served: ServerProcess, connections: number) =>
    (await slice(scene, workload, { url: served.url, connections })).rate
  // A warm-up slice: connections, compiled code, and caches.
  await drive(servers.ours, 256)
  for (let round = 0; round < pace.rounds; round++) {
    rates.bare8.push(await bare(8))
    rates.ours256.push(await drive(servers.ours, 256))
    rates.bare64.push(await bare(64))
    if (pace.thorough) rates.ours64.push(await drive(servers.ours, 64))
    if (pace.thorough || round === 0) rates.usual.push(await drive(servers.usual, 64))
    if (workload.nodeHttp) rates.nodeHttp.push(await drive(servers.nodeHttp, 256))
  }
  return summarise(workload, rates)
}

function summarise(workload: Workload, rates: Rates): Measurement {
  const best = rates.bare8.map((rate, round) => Math.max(rate, rates.bare64[round] ?? 0))
  const ours = rates.ours256.map((rate, round) => Math.max(rate, rates.ours64[round] ?? 0))
  const ratios = (over: readonly number[]) =>
    median(over.map((rate, round) => (ours[round] ?? Number.NaN) / rate))
  return {
    name: workload.name,
    title: workload.title,
    bare: median(best),
    bare64: median(rates.bare64),
    ours: median(ours),
    ours64: median(rates.ours64),
    ours256: median(rates.ours256),
    usual: median(rates.usual),
    ratio: ratios(best),
    ratio64: ratios(rates.bare64),
    ratioUsual: ratios(rates.usual),
    ...(workload.nodeHttp ? { nodeHttp: median(rates.nodeHttp), ratioNodeHttp: ratios(rates.nodeHttp) } : {}),
  }
}

/** One client on an idle server against one pgbench client. */
export async function loneRequest(scene: Scene, ours: ServerProcess): Promise<Lone> {
  const { stage, filled, pace } = scene
  const spread = workloadNamed('adjust_spread')
  const bare: number[] = []
  const ourMs: number[] = []
  for (let round = 0; round < pace.rounds; round++) {
    const pgbenched = {
      binaries: stage.binaries,
      url: stage.url('bare'),
      scripts: scriptsOf(stage, spread),
      seconds: pace.seconds,
      members: filled.members,
    }
    bare.push(await lonePgbenchMs(pgbenched))
    ourMs.push((await slice(scene, spread, { url: ours.url, connections: 1 })).p50Ms)
  }
  return { bareP50Ms: median(bare), oursP50Ms: median(ourMs) }
}

/** Warms up both servers. */
export async function warmUp({ filled }: Scene, servers: Servers): Promise<void> {
  const args = loadArgs(filled, workloadNamed('adjust_spread'))
  await wrk({ url: servers.usual.url, args, connections: 64, seconds: 1 })
  await wrk({ url: servers.ours.url, args, connections: 256, seconds: warmUpSeconds })
}

export function workloadNamed(name: string): Workload {
  const found = workloads.find((one) => one.name === name)
  if (!found) throw new Error(`no workload ${name}`)
  return found
}

type Size = { bytes: number; entries: number }

/**
 * Bytes of the journal with its indexes, in all partitions, for each entry, half changes and half transfers,
 * as the server writes them.
 */
export async function bytesPerEntry(scene: Scene, ours: ServerProcess): Promise<number> {
  const size = async () => {
    const text = `select (select sum(pg_total_relation_size(relid)) from (
          select relid from pg_partition_tree('exchequer.journal')
          union select 'exchequer.journal'::regclass) parts)::float8 as bytes,
        sum(seq)::float8 as entries from exchequer.heads`
    const [row] = await scene.stage.query<Size>('ours', text)
    if (!row) throw new Error('no size')
    return row
  }
  const perEntry: number[] = []
  for (const name of ['adjust_spread', 'transfer']) {
    const before = await size()
    await slice(scene, workloadNamed(name), { url: ours.url, connections: 256 })
    const after = await size()
    perEntry.push((after.bytes - before.bytes) / (after.entries - before.entries))
  }
  return perEntry.reduce((sum, one) => sum + one, 0) / perEntry.length
}
