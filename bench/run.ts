import { readFileSync, writeFileSync } from 'node:fs'
import { scriptOptions } from '../tests/support/scriptOptions.ts'
import { limitTime } from '../tests/support/timeLimit.ts'
import { measureAffinity } from './affinity.ts'
import { measureAgainst } from './against.ts'
import { measureArrivals } from './arrivals.ts'
import { type Drawn, drawChart } from './chart.ts'
import { bytesPerEntry, loneRequest, measure, type Scene, type Servers, warmUp } from './compare.ts'
import { measureDaily } from './daily.ts'
import { measureGrowth, wholeGrowth } from './grow.ts'
import { measureIdentities } from './identities.ts'
import { measureKeys } from './keys.ts'
import { measureLapse } from './lapse.ts'
import { measureManyRealms } from './manyRealms.ts'
import { measureOnline } from './online.ts'
import { measureOverload } from './overload.ts'
import { measureProcesses } from './processes.ts'
import { printResults, type Results, toJson } from './report.ts'
import { openStage, type Stage } from './stage.ts'
import { measureVerify } from './verify.ts'
import { measureVerifyNew } from './verifyNew.ts'
import { measureWall } from './wall.ts'
import { workloads } from './workloads.ts'

/**
 * npm run bench [-- --quick] [--json FILE] [--only NAME]
 * npm run bench -- --grow [--json FILE]
 * npm run bench -- --daily [--quick] [--json FILE]
 * npm run bench -- --verify [--json FILE]
 * npm run bench -- --verify-new [--quick] [--json FILE]
 * npm run bench -- --keys [--quick] [--base FOLDER] [--json FILE]
 * npm run bench -- --identities [--quick] [--json FILE]
 * npm run bench -- --lapse [--quick] [--json FILE]
 * npm run bench -- --processes [--json FILE]
 * npm run bench -- --affinity [--quick] [--json FILE]
 * npm run bench -- --realms [--quick] [--json FILE]
 * npm run bench -- --online [--quick] [--json FILE]
 * npm run bench -- --wall [--base FOLDER] [--only NAME] [--json FILE]
 * npm run bench -- --against COMMIT [--quick] [--set NAME=VALUE] [--only NAME] [--json FILE]
 * npm run bench -- --chart FILE.svg --from FILE.json
 */
const options = scriptOptions({
  quick: { type: 'boolean' },
  grow: { type: 'boolean' },
  daily: { type: 'boolean' },
  verify: { type: 'boolean' },
  'verify-new': { type: 'boolean' },
  wall: { type: 'boolean' },
  keys: { type: 'boolean' },
  identities: { type: 'boolean' },
  processes: { type: 'boolean' },
  affinity: { type: 'boolean' },
  realms: { type: 'boolean' },
  online: { type: 'boolean' },
  lapse: { type: 'boolean' },
  base: { type: 'string' },
  against: { type: 'string' },
  set: { type: 'string', multiple: true },
  json: { type: 'string' },
  only: { type: 'string' },
  chart: { type: 'string' },
  from: { type: 'string' },
})

limitTime({ what: 'npm run bench', minutes: options.quick ? 60 : 240 })

const pace = options.quick
  ? { rounds: 5, seconds: 1, thorough: false }
  : { rounds: 7, seconds: 3, thorough: true }
/** A quick run skips some workloads without a goal. */
const asideRounds = 2
const members = 100_000

function keep(results: object): void {
  if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`)
}

async function durability(stage: Stage): Promise<string> {
  const text = `select name || ' ' || setting as line from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'wal_sync_method') order by name`
  return (await stage.query<{ line: string }>('postgres', text)).map((row) => row.line).join(', ')
}

async function measureAll(scene: Scene, servers: Servers): Promise<Results> {
  const chosen = workloads.filter(({ name }) => options.only === undefined || name === options.only)
  const measured: Results['measured'][number][] = []
  await warmUp(scene, servers)
  for (const workload of chosen) {
    const rounds = options.quick && workload.aside ? asideRounds : pace.rounds
    const one = await measure({ ...scene, pace: { ...pace, rounds } }, workload, servers)
    measured.push(one)
    console.log(`${workload.title}: ${one.ratio.toFixed(2)} × bare`)
  }
  if (options.only !== undefined) return { measured }
  const compared = {
    measured,
    bytesPerEntry: await bytesPerEntry(scene, servers.ours),
    lone: await loneRequest(scene, servers.ours),
  }
  if (options.quick) return compared
  const overload = await measureOverload(scene, servers.ours)
  return { ...compared, overload, arrivals: await measureArrivals(scene, servers.ours, overload.peak) }
}

async function compareWithBare(): Promise<void> {
  const stage = await openStage()
  try {
    console.log(`PostgreSQL ${stage.postgres.version}, durable: ${await durability(stage)}`)
    const filled = await stage.fill('filled', { members, entries: 0, realms: true })
    for (const name of ['ours', 'bare', 'usual']) await stage.copy(name, 'filled')
    const servers = {
      ours: await stage.startOurs('ours'),
      usual: await stage.startUsual('usual'),
      nodeHttp: await stage.startNodeHttp(),
    }
    try {
      const results = await measureAll({ stage, filled, pace }, servers)
      await stage.verify('ours')
      console.log('the books verify')
      printResults(results)
      keep(toJson(results))
    } finally {
      for (const server of Object.values(servers)) await server.stop()
    }
  } finally {
    await stage.close()
  }
}

if (options.chart && options.from) {
  const results = JSON.parse(readFileSync(options.from, 'utf8')) as Drawn
  writeFileSync(options.chart, drawChart(results))
} else if (options.grow) keep({ growth: await measureGrowth(wholeGrowth) })
else if (options.daily) keep({ daily: await measureDaily(options.quick ?? false) })
else if (options.verify) keep({ verify: await measureVerify() })
else if (options['verify-new']) keep({ verifyNew: await measureVerifyNew(options.quick ?? false) })
else if (options.keys) keep({ keys: await measureKeys(options) })
else if (options.realms) keep({ realms: await measureManyRealms(options.quick ?? false) })
else if (options.identities) keep({ identities: await measureIdentities(options.quick) })
else if (options.lapse) keep({ lapse: await measureLapse(options.quick ?? false) })
else if (options.online) keep({ online: await measureOnline(options.quick) })
else if (options.affinity) keep({ affinity: await measureAffinity(options.quick ?? false) })
else if (options.processes) keep({ processes: await measureProcesses() })
else if (options.wall) keep({ wall: await measureWall(options) })
else if (options.against !== undefined)
  keep({ against: await measureAgainst({ ...options, against: options.against }) })
else await compareWithBare()
