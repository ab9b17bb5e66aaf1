import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readBooks } from '../chaos/books.ts'
import { Diary, readDiary } from '../chaos/diary.ts'
import { judge, type Verdict } from '../chaos/judge.ts'
import { Load } from '../chaos/load.ts'
import { makeRealms, sample } from '../chaos/play.ts'
import { Random } from '../chaos/random.ts'
import { Checks } from '../security/checks.ts'
import { type Drill, type DrillOptions, seconds } from './drill.ts'
import { Regions } from './regions.ts'

type Setup = {
  readonly name: string
  readonly isSynchronous: boolean
  /** How long nothing reaches the second region before the first one is lost. */
  readonly silentMs: number
}

const setups: readonly Setup[] = [
  { name: 'asynchronous', isSynchronous: false, silentMs: 0 },
  // Shows that the judge finds a loss, so that the 0 of the last one has a meaning.
  { name: 'asynchronous, and the network silent for 0.5 s', isSynchronous: false, silentMs: 500 },
  { name: 'synchronous, and the network silent for 0.5 s', isSynchronous: true, silentMs: 500 },
]

const clients = 16
/** Without those in which an operator notices and decides. */
const mostMs = 15_000
const shown = 5

type Playing = {
  readonly setup: Setup
  readonly regions: Regions
  readonly load: Load
  readonly checks: Checks
  readonly writesMs: number
}

/** The time from the loss until both realms had a new change acknowledged. */
async function failOver({ setup, regions, load, checks, writesMs }: Playing): Promise<number> {
  await sleep(writesMs)
  const said = await regions.run('in the first region, how far the standby is behind')
  checks.check(/region2.*streaming/.test(said), `${setup.name}: the standby does not follow: ${said}`)
  if (setup.silentMs > 0) {
    regions.link.silence()
    await sleep(setup.silentMs)
  }
  const lostMs = performance.now()
  await regions.loseFirst()
  const acknowledging = load.untilAcknowledged()
  const promoted = await regions.run('in the second region, promote the standby')
  checks.check(promoted.trim() === 't\nt', `${setup.name}: pg_promote() returned ${promoted}`)
  const promotedMs = performance.now() - lostMs
  await regions.servers[1].startPatiently()
  const startedMs = performance.now() - lostMs
  await acknowledging
  const backMs = performance.now() - lostMs
  console.log(
    `  ${setup.name}: promoted after ${seconds(promotedMs)}, server started after ${seconds(startedMs)}, ` +
      `writes after ${seconds(backMs)}`,
  )
  checks.atMost(backMs, mostMs, `${setup.name}: without writes, ms`)
  await sleep(writesMs)
  return backMs
}

type Lost = { readonly setup: Setup; readonly verdict: Verdict; readonly checks: Checks }

/** What clients were promised, and what the second region has. */
function report({ setup, verdict, checks }: Lost): void {
  const { acknowledged, lost, doubled, phantom, unknown, settled, wrong } = verdict
  console.log(
    `  ${setup.name}: ${acknowledged} acknowledged, ${unknown} unknown, ${settled} of them settled; ` +
      `${lost} lost, ${doubled} doubled, ${phantom} phantom`,
  )
  checks.check(acknowledged > 100, `${setup.name}: only ${acknowledged} changes were acknowledged`)
  // What an asynchronous standby lacks is reported, and everything else must hold all the same.
  const problems = setup.isSynchronous ? wrong : wrong.filter((words) => !words.startsWith('lost:'))
  checks.check(problems.length === 0, `${setup.name}: ${problems.slice(0, shown).join('; ')}`)
  if (setup.isSynchronous) checks.check(lost === 0, `${setup.name}: ${lost} lost`)
  else if (setup.silentMs > 0) checks.check(lost > 0, `${setup.name}: the judge found no loss`)
}

async function playSetup(setup: Setup, options: DrillOptions, checks: Checks): Promise<void> {
  const folder = join(options.folder, `setup${setups.indexOf(setup)}`)
  const regions = await Regions.open({ folder, isSynchronous: setup.isSynchronous })
  try {
    const realms = await makeRealms(regions)
    const path = join(options.folder, `setup${setups.indexOf(setup)}.jsonl`)
    const diary = await Diary.open(path)
    const urls = regions.servers.map(({ url }) => url)
    const load = new Load({ urls, realms, diary, seed: options.seed, clients })
    await load.start()
    try {
      await failOver({ setup, regions, load, checks, writesMs: options.quick ? 3_000 : 10_000 })
    } finally {
      await load.stop()
      await diary.close()
    }
    const entries = await readDiary(path)
    if (setup.isSynchronous) {
      const again = await load.askAgain(sample(entries, new Random(options.seed, setup.name)))
      checks.check(again.length === 0, `${setup.name}: ${again.slice(0, shown).join('; ')}`)
    }
    load.close()
    report({ setup, verdict: judge(entries, await readBooks(regions.standby.superuserUrl)), checks })
    const verified = await regions.handbook.attempt(
      'replay every realm of the second region',
      regions.variables,
    )
    checks.check(verified.code === 0, `${setup.name}: verify: ${verified.said}`)
    const { left } = regions.handbook
    if (setup.isSynchronous) checks.check(left.length === 0, `blocks that were not run: ${left.join(', ')}`)
  } finally {
    await regions.close()
  }
}

/** The first region is lost under load, and the standby in the second one is promoted. */
export const secondRegion: Drill = {
  name: 'promotion of a second region',
  async run(options) {
    const checks = new Checks()
    for (const setup of setups) await playSetup(setup, options, checks)
    return checks
  },
}
