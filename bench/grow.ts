import type { Script } from './bare.ts'
import { type FilledDatabase, openStage, type Stage } from './stage.ts'
import { median, pgbench, type ServerProcess, wrk } from './tools.ts'

/**
 * npm run bench -- --grow
 * The same realm in growing sizes, with twenty million entries each, in short alternating slices: what a
 * change, a read, a wallet check and a page of history cost must not depend on the size.
 */

const entries = 20_000_000
const rounds = 5
const seconds = 3
const warmUps = 30

export type GrowOptions = { readonly sizes: readonly number[]; readonly entries: number }

export const wholeGrowth: GrowOptions = { sizes: [10_000, 1_000_000, 10_000_000], entries }

const secondsSince = (startMs: number): number => Math.round((Date.now() - startMs) / 1000)

type Size = {
  readonly members: number
  readonly filled: FilledDatabase
  readonly served: ServerProcess
  readonly name: string
}

/** Rates by workload and size, and each size's median ratio to the smallest. */
export type Grown = Record<string, { rates: Record<string, number>; ratios: Record<string, number> }>

type Measure = (stage: Stage, size: Size) => Promise<number>

/** The workloads of each size. The last is the query of a page of a member's history, without the server. */
const ours: Readonly<Record<string, Measure>> = {
  change: through('spread'),
  read: through('member'),
  // A hundred look-ups each: more connections only wait for each other, until some are refused.
  wallets: through('wallets', 32),
  history: alone('history'),
}

/** The same without the server, to measure what a size costs PostgreSQL itself. */
const bare: Readonly<Record<string, Measure>> = {
  bare_change: alone('spread'),
  bare_read: alone('readMember'),
  bare_wallets: alone('checkWallets'),
}

function through(kind: string, connections = 256): Measure {
  return async (_stage, { served, filled, members }) => {
    const args = [kind, String(members), String(Math.floor(Math.random() * 1e9)), filled.bigRealm]
    return (await wrk({ url: served.url, args, connections, seconds })).rate
  }
}

function alone(script: Script): Measure {
  return (stage, { name, members }) => {
    const scripts = [stage.scripts[script]]
    return pgbench({ binaries: stage.binaries, url: stage.url(name), scripts, clients: 8, seconds, members })
  }
}

export async function measureGrowth(options: GrowOptions): Promise<Grown> {
  const stage = await openStage({ shared_buffers: '4GB', max_wal_size: '32GB', wal_compression: 'lz4' })
  const sizes: Size[] = []
  try {
    for (const members of options.sizes) {
      const name = `grow_${members}`
      const startMs = Date.now()
      const filled = await stage.fill(name, {
        members,
        entries: Math.max(0, options.entries - members),
        realms: false,
      })
      const [people, journal] = [members, options.entries].map((count) => count.toLocaleString('en-US'))
      console.log(`${people} members, ${journal} entries: loaded in ${secondsSince(startMs)} s`)
      sizes.push({ members, filled, name, served: await stage.startOurs(name) })
    }
    for (const { name } of sizes) await cache(stage, name)
    const grown = await compare(stage, sizes, ours)
    // The loaded entries and those that the slices added.
    for (const { name, members } of sizes) {
      const startMs = Date.now()
      await stage.verify(name)
      console.log(`the books of ${members.toLocaleString('en-US')} verify, in ${secondsSince(startMs)} s`)
    }
    // Last, because pgbench's entries have no hash.
    for (const { name } of sizes) await stage.numberEntries(name)
    for (const { name } of sizes) await cache(stage, name)
    return { ...grown, ...(await compare(stage, sizes, bare)) }
  } finally {
    for (const { served } of sizes) await served.stop()
    await stage.close()
  }
}

/** Reads every index and every table but the journal, so that no size is measured against a cold disk. */
async function cache(stage: Stage, name: string): Promise<void> {
  await stage.query(name, 'create extension if not exists pg_prewarm')
  await stage.query(
    name,
    `select sum(pg_prewarm(oid::regclass, 'read')) from pg_class
     where relnamespace = 'exchequer'::regnamespace
       and (relkind = 'i' or (relkind = 'r' and relname !~ '^journal'))`,
  )
}

/** With nothing cached yet, requests may be refused because the disk is too slow: until none is. */
async function warm(measure: () => Promise<number>): Promise<void> {
  for (let left = warmUps; ; left--) {
    try {
      await measure()
      return
    } catch (error) {
      if (left === 0) throw error
    }
  }
}

async function compare(
  stage: Stage,
  sizes: readonly Size[],
  kinds: Readonly<Record<string, Measure>>,
): Promise<Grown> {
  const grown: Grown = {}
  for (const [kind, measure] of Object.entries(kinds)) {
    const rates = new Map<number, number[]>(sizes.map(({ members }) => [members, []]))
    for (const size of sizes) await warm(() => measure(stage, size))
    for (let round = 0; round < rounds; round++) {
      for (const size of sizes) rates.get(size.members)?.push(await measure(stage, size))
    }
    const smallest = rates.get(sizes[0]?.members ?? 0) ?? []
    const ratio = (of: readonly number[]) => median(of.map((rate, round) => rate / (smallest[round] ?? 1)))
    const each = <T>(value: (of: readonly number[]) => T) =>
      Object.fromEntries([...rates].map(([members, of]) => [String(members), value(of)]))
    grown[kind] = { rates: each(median), ratios: each(ratio) }
    const columns = [...rates].map(
      ([members, of]) =>
        `${members.toLocaleString('en-US')}: ${Math.round(median(of)).toLocaleString('en-US')}/s ` +
        `(${ratio(of).toFixed(2)})`,
    )
    console.log(`${kind.padEnd(12)} ${columns.join('   ')}`)
  }
  return grown
}
