import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Script } from './bare.ts'
import { type Lone, type Measured, printTable, toJson } from './report.ts'
import { prepareStage, type Stage } from './stage.ts'
import { lonePgbenchMs, median, pgbench, type Served, wrk } from './tools.ts'
import { type Workload, workloads } from './workloads.ts'

/**
 * npm run bench [-- --quick] [--json FILE] [--only NAME]
 * The engine alone, our server and the usual way, in short alternating slices of one run: the machine may be
 * noisy, so only ratios within a round count, and their median over the rounds.
 */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'string' }, only: { type: 'string' } },
})

const rounds = options.quick ? 3 : 7
const seconds = options.quick ? 1 : 3
const members = 100_000
type Servers = { readonly ours: Served; readonly usual: Served }

async function slice(stage: Stage, workload: Workload, server: { url: string; connections: number }) {
  const file = workload.realms === 'big' ? stage.bigRealm : stage.manyRealms
  const count = workload.realms === 'big' ? members : 100
  const seed = Math.floor(Math.random() * 1e9)
  const args = [workload.kind, String(count), String(seed), file]
  return wrk({ url: server.url, args, connections: server.connections, seconds })
}

function scriptsOf(stage: Stage, { bare }: Workload): string[] {
  return Object.entries(bare).map(([name, weight]) => `${stage.scripts[name as Script]}@${weight}`)
}

async function measure(stage: Stage, workload: Workload, servers: Servers): Promise<Measured> {
  const rates: Record<'bare8' | 'bare64' | 'ours256' | 'ours64' | 'usual', number[]> = {
    bare8: [],
    bare64: [],
    ours256: [],
    ours64: [],
    usual: [],
  }
  const bare = (clients: number) =>
    pgbench({
      binaries: stage.binaries,
      url: stage.url('bare'),
      scripts: scriptsOf(stage, workload),
      clients,
      seconds,
      members,
    })
  await slice(stage, workload, { url: servers.ours.url, connections: 64 })
  for (let round = 0; round < rounds; round++) {
    rates.bare8.push(await bare(8))
    rates.ours256.push((await slice(stage, workload, { url: servers.ours.url, connections: 256 })).rate)
    rates.bare64.push(await bare(64))
    rates.ours64.push((await slice(stage, workload, { url: servers.ours.url, connections: 64 })).rate)
    rates.usual.push((await slice(stage, workload, { url: servers.usual.url, connections: 64 })).rate)
  }
  return summarise(workload, rates)
}

function summarise(workload: Workload, rates: Record<string, number[]>): Measured {
  const at = (name: string, round: number) => rates[name]?.[round] ?? Number.NaN
  const each = Array.from({ length: rounds }, (_, round) => round)
  const best = each.map((round) => Math.max(at('bare8', round), at('bare64', round)))
  const ours = each.map((round) => Math.max(at('ours256', round), at('ours64', round)))
  const ratios = (over: readonly number[]) =>
    median(each.map((round) => (ours[round] ?? 0) / (over[round] ?? 1)))
  return {
    name: workload.name,
    title: workload.title,
    bare: median(best),
    bare64: median(rates['bare64'] ?? []),
    ours: median(ours),
    ours64: median(rates['ours64'] ?? []),
    ours256: median(rates['ours256'] ?? []),
    usual: median(rates['usual'] ?? []),
    ratio: ratios(best),
    ratio64: ratios(rates['bare64'] ?? []),
    ratioUsual: ratios(rates['usual'] ?? []),
  }
}

/** One client on an idle server against one pgbench client. */
async function loneRequest(stage: Stage, ours: Served): Promise<Lone> {
  const [spread] = workloads
  if (!spread) throw new Error('no workload')
  const bare: number[] = []
  const ourMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const scripts = scriptsOf(stage, spread)
    bare.push(
      await lonePgbenchMs({ binaries: stage.binaries, url: stage.url('bare'), scripts, seconds, members }),
    )
    ourMs.push((await slice(stage, spread, { url: ours.url, connections: 1 })).p50Ms)
  }
  return { bareP50Ms: median(bare), oursP50Ms: median(ourMs) }
}

type Size = { bytes: number; entries: number }

/**
 * Bytes of the journal with its indexes for each entry, half changes and half transfers, as the server writes
 * them.
 */
async function bytesPerEntry(stage: Stage, ours: Served): Promise<number> {
  const size = async () => {
    const text = `select pg_total_relation_size('exchequer.journal')::float8 as bytes,
        sum(seq)::float8 as entries from exchequer.heads`
    const [row] = await stage.query<Size>('ours', text)
    if (!row) throw new Error('no size')
    return row
  }
  const perEntry: number[] = []
  for (const name of ['adjust_spread', 'transfer']) {
    const workload = workloads.find((one) => one.name === name)
    if (!workload) throw new Error(`no workload ${name}`)
    const before = await size()
    await slice(stage, workload, { url: ours.url, connections: 256 })
    const after = await size()
    perEntry.push((after.bytes - before.bytes) / (after.entries - before.entries))
  }
  return perEntry.reduce((sum, one) => sum + one, 0) / perEntry.length
}

const stage = await prepareStage({ members, entries: 0, realms: true })
try {
  console.log(`PostgreSQL ${stage.postgres.version}, durable: ${await durability(stage)}`)
  for (const name of ['ours', 'bare', 'usual']) await stage.copy(name)
  const servers = { ours: await stage.startOurs('ours'), usual: await stage.startUsual('usual') }
  try {
    const chosen = workloads.filter(
      (workload) => options.only === undefined || workload.name === options.only,
    )
    const measured: Measured[] = []
    for (const workload of chosen) {
      measured.push(await measure(stage, workload, servers))
      console.log(`${workload.title}: ${measured.at(-1)?.ratio.toFixed(2)} × bare`)
    }
    const whole = options.only === undefined
    const results = {
      measured,
      bytesPerEntry: whole ? await bytesPerEntry(stage, servers.ours) : undefined,
      lone: whole ? await loneRequest(stage, servers.ours) : undefined,
    }
    await stage.verify('ours')
    console.log('the books verify')
    printTable(results)
    if (options.json) writeFileSync(options.json, `${JSON.stringify(toJson(results), null, 2)}\n`)
  } finally {
    await servers.ours.stop()
    await servers.usual.stop()
  }
} finally {
  await stage.close()
}

async function durability(of: Stage): Promise<string> {
  const text = `select name || ' ' || setting as line from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'wal_sync_method') order by name`
  return (await of.query<{ line: string }>('postgres', text)).map((row) => row.line).join(', ')
}
