import { setTimeout as sleep } from 'node:timers/promises'
import { debianBinaries, embeddedBinaries } from '../../server/src/dev/postgres.ts'
import { HeadWatch, headAt } from '../cells/heads.ts'
import { moveRealm } from '../cells/mover.ts'
import { checkHanded } from '../cells/moves.ts'
import { purgeCopies } from '../cells/purging.ts'
import { makeFilled, makeWritable, numberOf, persistently } from '../cells/realms.ts'
import { type Cell, type CellStage, openCells } from '../cells/stage.ts'
import { type Pair, whileWriting } from '../cells/writers.ts'
import { query } from '../chaos/books.ts'
import type { Load } from '../chaos/load.ts'
import { Checks } from '../security/checks.ts'
import { rowsOf } from '../support/books.ts'
import { call } from '../support/call.ts'
import type { RealmAccess } from '../support/fixture.ts'
import { checkDirectory } from './directory.ts'
import { type Drill, type DrillOptions, seconds } from './drill.ts'

/** The longest time that any realm may be without an acknowledged write. */
const mostMs = 2_000
/** Writes before the first move, so that a pause is measured against a rate. */
const beforeMs = 2_000
/** Of the big realm; smaller ones have a tenth, and half of all none at first. */
const entriesOf = ({ quick }: DrillOptions): number => (quick ? 20_000 : 1_000_000)

type Scene = { readonly stage: CellStage; readonly checks: Checks; readonly seed: number }

/** By the id of each realm. */
type Loads = ReadonlyMap<string, Load>

/** Filled ones and as many new ones, in pairs as the clients write to them. */
async function makePairs(stage: CellStage, options: DrillOptions): Promise<Pair[]> {
  const entries = entriesOf(options)
  const sizes = options.quick ? [entries, entries / 10] : [entries, entries / 10, entries / 10]
  const pairs: Pair[] = []
  for (const [nth, size] of sizes.entries()) {
    const busy = await makeFilled(stage, stage.one, { id: `filled-${nth + 1}`, entries: size })
    pairs.push({ busy, closed: await makeWritable(stage, stage.one, `new-${nth + 1}`) })
  }
  return pairs
}

const clientsOf = ({ quick }: DrillOptions): number => (quick ? 4 : 10)

/** Runs this while clients write to all pairs, then judges what they were answered. */
async function whileAllWrite(
  scene: Scene,
  { pairs, clients }: { readonly pairs: readonly Pair[]; readonly clients: number },
  work: (loads: Loads) => Promise<void>,
): Promise<void> {
  const { stage, checks, seed } = scene
  const open = (left: readonly Pair[], loads: Loads): Promise<void> => {
    const [realms, ...others] = left
    if (!realms) return work(loads)
    const writing = { name: `writes to ${realms.busy.id}`, realms, seed: seed + left.length, clients, checks }
    return whileWriting(stage, writing, (load) =>
      open(others, new Map([...loads, [realms.busy.id, load], [realms.closed.id, load]])),
    )
  }
  await open(pairs, new Map())
}

const versionOf = async ({ postmaster }: Cell): Promise<number> => {
  const text = 'show server_version_num'
  const [row] = await query<{ server_version_num: string }>(postmaster.superuserUrl, text)
  return Number(row?.server_version_num)
}

async function checkVersions({ stage, checks }: Scene): Promise<void> {
  const [from, to] = [await versionOf(stage.one), await versionOf(stage.two)]
  console.log(`  server_version_num: cell 1 has ${from}, cell 2 has ${to}`)
  checks.check(Math.floor(from / 10_000) === 15, `cell 1 has PostgreSQL ${from}, not 15`)
  checks.check(Math.floor(to / 10_000) === 18, `cell 2 has PostgreSQL ${to}, not 18`)
}

/** Moves every realm, one after the other. */
async function moveAll({ stage, checks }: Scene, loads: Loads): Promise<void> {
  await sleep(beforeMs)
  for (const [id, load] of loads) load.watchGap(id)
  for (const [id, load] of loads) {
    const watch = new HeadWatch(stage, id)
    const startMs = performance.now()
    await moveRealm(stage, id, 2)
    const tookMs = performance.now() - startMs
    await load.untilAcknowledged()
    await watch.stop()
    console.log(`  ${id}: moved in ${seconds(tookMs)}`)
    checks.check(watch.wrong.length === 0, `${id}: ${watch.wrong[0]}`)
  }
}

function reportPauses({ checks }: Scene, loads: Loads): void {
  for (const [id, load] of loads) {
    checks.atMost(load.longestGapOf(id), mostMs, `${id}: longest time without an acknowledged write, ms`)
  }
}

const leftText = `select t.name, purge_count($1, t.name, 1) as count from purge_tables() as t (name)
  where purge_count($1, t.name, 1) > 0`

/** No table of the old cell has a row of any realm, and the directory places none there. */
async function checkEmpty({ stage, checks }: Scene, realms: readonly RealmAccess[]): Promise<void> {
  for (const { id } of realms) {
    await purgeCopies(stage, id)
    const rows = await rowsOf(stage.one.postmaster.superuserUrl, leftText, [await numberOf(stage, id)])
    checks.check(rows.length === 0, `cell 1 has rows of ${id}: ${JSON.stringify(rows)}`)
    checks.check((await headAt(stage.two, id)) !== undefined, `cell 2 does not have the head of ${id}`)
  }
  const closed = await stage.command(['cell', 'set', '1', 'closed'])
  checks.check(closed.code === 0, `cell set 1 closed: ${closed.err}`)
  const listed = await stage.command(['cell', 'list'])
  const isEmpty = listed.code === 0 && !listed.err.includes('keeps WAL')
  checks.check(isEmpty, `cell list: ${listed.out}${listed.err}`)
  const text = 'select count(*)::integer as realms from realms where cell = 1 or to_cell = 1'
  const [row] = await rowsOf(stage.directory.postmaster.superuserUrl, text)
  checks.check(row.realms === 0, `the directory places ${row.realms} realms in cell 1`)
}

/** The old PostgreSQL and its servers are stopped for good: nothing needs them. */
async function checkWithoutOld({ stage, checks }: Scene, realms: readonly RealmAccess[]): Promise<void> {
  await Promise.all(stage.one.servers.map((server) => server.stop()))
  await stage.one.postmaster.stop()
  for (const { id, key } of realms) {
    const url = `${stage.url}/api/v4/realms/${id}/members/1/tokenBalance`
    const { status, text } = await persistently(() => call('PATCH', url, { key, body: { tokens: 1 } }))
    checks.check(status === 200, `${id} with cell 1 stopped: ${status} ${text}`)
  }
  const { code, out, err } = await stage.command(['verify', '--full', '--hurry'], stage.two)
  checks.check(code === 0, `verify of cell 2: ${out}${err}`)
}

async function play(scene: Scene, options: DrillOptions): Promise<void> {
  const { stage } = scene
  await checkVersions(scene)
  const pairs = await makePairs(stage, options)
  const realms = pairs.flatMap(({ busy, closed }) => [busy, closed])
  await whileAllWrite(scene, { pairs, clients: clientsOf(options) }, async (loads) => {
    await moveAll(scene, loads)
    reportPauses(scene, loads)
  })
  for (const { id } of realms) await checkHanded(scene, stage.two, id)
  await checkEmpty(scene, realms)
  await checkWithoutOld(scene, realms)
  await checkDirectory({ ...scene, realms }, { binaries: embeddedBinaries(), folder: options.folder })
}

/** A newer PostgreSQL as another cell, to which every realm moves while clients write to it. */
export const majorUpgrade: Drill = {
  name: 'upgrade of PostgreSQL from 15 to 18, by moving every realm',
  async run(options) {
    const debian = debianBinaries()
    if (debian === undefined) throw new Error('PostgreSQL 15 required: apt-get install postgresql')
    const stage = await openCells(options.folder, { 0: debian, 1: debian, 2: embeddedBinaries() })
    const checks = new Checks()
    try {
      await play({ stage, checks, seed: options.seed }, options)
    } finally {
      await stage.close()
    }
    return checks
  },
}
