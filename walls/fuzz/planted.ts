import { plants } from './plants.ts'
import { play } from './play.ts'

const planting = new URL('planting.ts', import.meta.url).href
const requests = 2_500

/** Plays each bug; true when every one of them is found. */
export async function playPlanted(seed: number): Promise<boolean> {
  let missed = 0
  for (const [bug, { found, among }] of Object.entries(plants)) {
    const env = { NODE_OPTIONS: `--import=${planting}`, PLANT: bug }
    const { findings } = await play({ seed, from: 0, to: requests, env, ...(among && { among }) })
    const caught = findings.filter(({ words }) => found.test(words))
    if (caught.length === 0) missed += 1
    const [first] = caught.length === 0 ? findings : caught
    const words = first?.words.slice(0, 120) ?? 'nothing'
    console.log(`${caught.length === 0 ? 'MISSED' : `found ${caught.length} times`}: ${bug}: ${words}`)
  }
  console.log(`${Object.keys(plants).length - missed} passed, ${missed} failed`)
  return missed === 0
}
