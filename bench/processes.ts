import { loadArgs, workloadNamed } from './compare.ts'
import { type FilledDatabase, openStage } from './stage.ts'
import { median, type ServerProcess, wrk } from './tools.ts'

/**
 * npm run bench -- --processes
 * Several server processes on one database without affinity, against one of them with the same number of
 * connections: what it costs that any process may get a request of any realm.
 */

const connections = 256
const seconds = 3
const rounds = 7
const members = 100_000

type Setting = { readonly name: string; readonly workload: string; readonly processes: number }

const settings: readonly Setting[] = [
  { name: 'two processes, one realm', workload: 'adjust_spread', processes: 2 },
  { name: 'four processes, 1,000 realms', workload: 'realms_1000', processes: 4 },
]

/** Changes a second of one process and of several, and the median ratio. */
export type ProcessesResult = { readonly one: number; readonly several: number; readonly ratio: number }

export async function measureProcesses(): Promise<Record<string, ProcessesResult>> {
  const stage = await openStage()
  const servers: ServerProcess[] = []
  try {
    const filled = await stage.fill('processes', { members, entries: 0, realms: true })
    const most = Math.max(...settings.map(({ processes }) => processes))
    for (let count = 0; count < most; count++) servers.push(await stage.startOurs('processes'))
    const measured: Record<string, ProcessesResult> = {}
    for (const setting of settings) {
      const result = await measureOne(setting, servers.slice(0, setting.processes), filled)
      console.log(
        `${setting.name}: ${Math.round(result.several)}/s, ${result.ratio.toFixed(2)} of one process`,
      )
      measured[setting.name] = result
    }
    await stage.verify('processes')
    console.log('the books verify')
    return measured
  } finally {
    for (const server of servers) await server.stop()
    await stage.close()
  }
}

async function measureOne(
  { workload }: Setting,
  servers: readonly ServerProcess[],
  filled: FilledDatabase,
): Promise<ProcessesResult> {
  const drive = async (some: readonly ServerProcess[]): Promise<number> => {
    const loads = some.map(({ url }) =>
      wrk({
        url,
        args: loadArgs(filled, workloadNamed(workload)),
        connections: Math.floor(connections / some.length),
        seconds,
      }),
    )
    return (await Promise.all(loads)).reduce((sum, { rate }) => sum + rate, 0)
  }
  const first = servers.slice(0, 1)
  await drive(first)
  await drive(servers)
  const pairs: { one: number; several: number }[] = []
  for (let round = 0; round < rounds; round++)
    pairs.push({ one: await drive(first), several: await drive(servers) })
  return {
    one: median(pairs.map(({ one }) => one)),
    several: median(pairs.map(({ several }) => several)),
    ratio: median(pairs.map(({ one, several }) => several / one)),
  }
}
