import { type Plant, plants } from './plants.ts'
import { play } from './play.ts'
import { type Cluster, openCluster } from './stage.ts'

const planting = new URL('planting.ts', import.meta.url).href
/** Most bugs are found by a short run; one that is not gets a long one. */
const requests = { short: 600, long: 6_000 }

/** Runs with each bug; true when every bug is found. */
export async function playPlanted(seed: number): Promise<boolean> {
  const cluster = await openCluster()
  try {
    return await playAll(seed, cluster)
  } finally {
    await cluster.close()
  }
}

type Given = { readonly seed: number; readonly cluster: Cluster }

async function playBug(bug: string, { found, among }: Plant, given: Given) {
  const env = { NODE_OPTIONS: `--import=${planting}`, PLANT: bug }
  const playUntil = async (to: number) => {
    // One finding of its kind proves that the bug is found: the rest of the run adds nothing.
    const { findings, requests: seen } = await play({
      ...given,
      from: 0,
      to,
      env,
      until: found,
      ...(among && { among }),
    })
    return { findings, seen, caught: findings.filter(({ words }) => found.test(words)) }
  }
  const short = await playUntil(requests.short)
  return short.caught.length > 0 ? short : playUntil(requests.long)
}

async function playAll(seed: number, cluster: Cluster): Promise<boolean> {
  let missed = 0
  for (const [bug, plant] of Object.entries(plants)) {
    const { caught, findings, seen } = await playBug(bug, plant, { seed, cluster })
    if (caught.length === 0) missed += 1
    const [first] = caught.length === 0 ? findings : caught
    const words = first?.words.slice(0, 120) ?? 'nothing'
    console.log(`${caught.length === 0 ? 'MISSED' : `found, ${seen} requests`}: ${bug}: ${words}`)
  }
  console.log(`${Object.keys(plants).length - missed} passed, ${missed} failed`)
  return missed === 0
}
