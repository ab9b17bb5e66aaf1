import { plants } from './plants.ts'
import { play } from './play.ts'
import { type Cluster, openCluster } from './stage.ts'

const planting = new URL('planting.ts', import.meta.url).href
const requests = 2_500

/** Runs with each bug; true when every bug is found. */
export async function playPlanted(seed: number): Promise<boolean> {
  const cluster = await openCluster()
  try {
    return await playAll(seed, cluster)
  } finally {
    await cluster.close()
  }
}

async function playAll(seed: number, cluster: Cluster): Promise<boolean> {
  let missed = 0
  for (const [bug, { found, among }] of Object.entries(plants)) {
    const env = { NODE_OPTIONS: `--import=${planting}`, PLANT: bug }
    // One finding of its kind proves that the bug is found: the rest of the run adds nothing.
    const { findings, requests: seen } = await play({
      seed,
      from: 0,
      to: requests,
      env,
      cluster,
      until: found,
      ...(among && { among }),
    })
    const caught = findings.filter(({ words }) => found.test(words))
    if (caught.length === 0) missed += 1
    const [first] = caught.length === 0 ? findings : caught
    const words = first?.words.slice(0, 120) ?? 'nothing'
    console.log(`${caught.length === 0 ? 'MISSED' : `found, ${seen} requests`}: ${bug}: ${words}`)
  }
  console.log(`${Object.keys(plants).length - missed} passed, ${missed} failed`)
  return missed === 0
}
