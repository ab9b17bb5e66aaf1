import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { release } from '../server/src/config/release.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { ownerRole } from '../server/src/dev/prepare.ts'
import { loadArgs, workloadNamed } from './compare.ts'
import { openStage, type Stage } from './stage.ts'
import { here, type Load, wrk } from './tools.ts'

const bigJournal = 3_000_000
const quickJournal = 100_000
const connections = 64
/** The most that the index may slow writes down, at p99. */
const ratio = 2
/** How long each slice of load is; the migration runs from the second slice on. */
const sliceSeconds = 2

export type OnlineCost = {
  readonly entries: number
  readonly index_s: number
  /** Changes a second before and while the index is built. */
  readonly before: number
  readonly during: number
  readonly before_p99_ms: number
  readonly during_p99_ms: number
  readonly refused: number
}

/** Adds an index to a long journal while clients write: how long it takes, and how many writes it refuses. */
export async function measureOnline(quick = false): Promise<OnlineCost> {
  const stage = await openStage()
  try {
    const entries = quick ? quickJournal : bigJournal
    const filled = await stage.fill('filled', { members: 100_000, entries, realms: true })
    const server = await stage.startOurs('filled')
    try {
      const drive = () =>
        wrk({
          url: server.url,
          args: loadArgs(filled, workloadNamed('realms_1000')),
          connections,
          seconds: sliceSeconds,
          mayRefuse: true,
        })
      await drive()
      const before = await drive()
      const measured = await driveWhile(drive, () => addIndex(stage, 'filled'))
      await stage.verify('filled')
      return report({ entries, before, ...measured })
    } finally {
      await server.stop()
    }
  } finally {
    await stage.close()
  }
}

type Driven = { readonly slices: readonly Load[]; readonly seconds: number }

/** Slices of load, one after the other, until the work is done. */
async function driveWhile(drive: () => Promise<Load>, work: () => Promise<void>): Promise<Driven> {
  let done = false
  const startMs = performance.now()
  let endMs = startMs
  const working = work().finally(() => {
    done = true
    endMs = performance.now()
  })
  working.catch(() => {})
  const slices: Load[] = []
  while (!done) slices.push(await drive())
  await working
  return { slices, seconds: (endMs - startMs) / 1000 }
}

async function addIndex(stage: Stage, database: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-online-'))
  try {
    cpSync(here('../server/migrations'), folder, { recursive: true })
    const sql = 'create index concurrently journal_at on journal (realm, at_us);\n'
    const head = `-- oldest release that runs on this schema: ${release}\n`
    writeFileSync(join(folder, '9000-journal-at.online.sql'), head + sql)
    await sleep(500)
    const ownerUrl = stage.postgres.url(database, ownerRole)
    const from = pathToFileURL(`${folder}/`)
    const ran = await migrate({ ownerUrl, serverUrl: ownerUrl, release, from, onProgress: console.log })
    if (ran !== 1) throw new Error(`${ran} migrations ran`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function report({
  entries,
  before,
  slices,
  seconds,
}: Driven & { entries: number; before: Load }): OnlineCost {
  const refused = slices.reduce((sum, slice) => sum + slice.refused, 0)
  const cost = {
    entries,
    index_s: seconds,
    before: before.rate,
    during: slices.reduce((sum, slice) => sum + slice.rate, 0) / slices.length,
    before_p99_ms: before.p99Ms,
    during_p99_ms: Math.max(...slices.map((slice) => slice.p99Ms)),
    refused,
  }
  console.log(JSON.stringify(cost))
  const slower = cost.during_p99_ms / cost.before_p99_ms
  const holds = refused === 0 && slower <= ratio
  console.log(
    `${holds ? 'holds' : 'FAILED'}: ${refused} writes were refused, p99 ${slower.toFixed(2)} of before, ` +
      `at most ${ratio}`,
  )
  if (!holds) process.exitCode = 1
  return cost
}
