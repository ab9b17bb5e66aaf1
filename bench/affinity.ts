import { type Haproxy, startHaproxy } from '../tests/support/haproxy.ts'
import { loadArgs, workloadNamed } from './compare.ts'
import { openStage, type Stage } from './stage.ts'
import { type Load, median, type ServerProcess, wrk } from './tools.ts'

/**
 * npm run bench -- --affinity
 * Four server processes on one database behind HAProxy, and 1,000 realms: deploy/haproxy as it is, where a
 * realm is on one process, against round robin, where any process gets any request. In pairs, in one run.
 */

const processes = 4
const connections = 256
/** Not measured: a process has to learn which realms the others wrote in the slice before. */
const settleSeconds = 1
const warmUpSeconds = 5

/** Changes a second and p99 of both ways, and the median of the pairs' ratios. */
export type AffinityResult = {
  readonly withAffinity: number
  readonly without: number
  readonly ratio: number
  readonly ratios: readonly number[]
  readonly p99Ms: number
  readonly p99MsWithout: number
}

type Pair = { readonly affinity: Load; readonly without: Load }

export async function measureAffinity(quick: boolean): Promise<AffinityResult> {
  const stage = await openStage()
  const servers: ServerProcess[] = []
  const fronts: Haproxy[] = []
  try {
    const filled = await stage.fill('affinity', { members: 1_000, entries: 0, realms: true })
    for (let count = 0; count < processes; count++) servers.push(await startBehindProxy(stage))
    const cells = [servers.map(({ url }) => new URL(url).host)]
    const affinity = await startHaproxy({ cells })
    fronts.push(affinity)
    const without = await startHaproxy({ cells, edit: spread })
    fronts.push(without)
    const args = loadArgs(filled, workloadNamed('realms_1000'))
    const load = ({ url }: Haproxy, seconds: number) => wrk({ url, args, connections, seconds })
    for (const front of [without, affinity]) await load(front, warmUpSeconds)
    const drive = async (front: Haproxy): Promise<Load> => {
      await load(front, settleSeconds)
      return load(front, quick ? 1 : 3)
    }
    const pairs = await measurePairs(drive, { affinity, without, rounds: quick ? 5 : 11 })
    await stage.verify('affinity')
    console.log('the books verify')
    return resultOf(pairs)
  } finally {
    for (const front of fronts) await front.stop()
    for (const server of servers) await server.stop()
    await stage.close()
  }
}

const startBehindProxy = (stage: Stage): Promise<ServerProcess> =>
  stage.startOurs('affinity', { TRUSTED_PROXIES: '127.0.0.1' })

function spread(config: string): string {
  const changed = config.replace('balance hash var(txn.realm)', 'balance roundrobin')
  if (changed === config) throw new Error('the rule of affinity was not found in haproxy.cfg')
  return changed
}

type Fronts = { readonly affinity: Haproxy; readonly without: Haproxy; readonly rounds: number }

/** They take turns at being first, so that neither always profits from a machine that the other warmed up. */
async function measurePairs(
  drive: (front: Haproxy) => Promise<Load>,
  { affinity, without, rounds }: Fronts,
): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round++) {
    const early = round % 2 === 0 ? await drive(affinity) : undefined
    const base = await drive(without)
    pairs.push({ affinity: early ?? (await drive(affinity)), without: base })
  }
  return pairs
}

function resultOf(pairs: readonly Pair[]): AffinityResult {
  const ratios = pairs.map(({ affinity, without }) => affinity.rate / without.rate)
  const result = {
    withAffinity: median(pairs.map(({ affinity }) => affinity.rate)),
    without: median(pairs.map(({ without }) => without.rate)),
    ratio: median(ratios),
    ratios,
    p99Ms: median(pairs.map(({ affinity }) => affinity.p99Ms)),
    p99MsWithout: median(pairs.map(({ without }) => without.p99Ms)),
  }
  console.log(`four processes, 1,000 realms, ${pairs.length} pairs: ${ratios.map(shown).join(' ')}`)
  console.log(
    `with affinity ${Math.round(result.withAffinity)}/s, p99 ${Math.round(result.p99Ms)} ms; ` +
      `round robin ${Math.round(result.without)}/s, p99 ${Math.round(result.p99MsWithout)} ms`,
  )
  console.log(`ratio ${shown(result.ratio)}`)
  return result
}

const shown = (value: number): string => value.toFixed(2)
