import { backends, postmasterKill, serverKill } from './faults.ts'
import { type Fault, type PlayOptions, play } from './play.ts'

type Plant = Omit<PlayOptions, 'seed'> & {
  readonly bug: string
  readonly fault: Fault
  /** The finding that the judge must report. */
  readonly found: RegExp
}

const inServer = (bug: string) => ({
  env: { NODE_OPTIONS: `--import=${new URL('planting.ts', import.meta.url).href}`, PLANT: bug },
})

const soon = [800, 1_600] as const

const plants: readonly Plant[] = [
  {
    bug: 'an answer before the commit',
    fault: postmasterKill,
    // Every other kill leaves the sessions running to their end.
    times: 12,
    pauseMs: soon,
    found: /^lost: /,
    ...inServer('an answer before the commit'),
  },
  {
    bug: 'a retry without the key',
    fault: serverKill,
    times: 6,
    pauseMs: soon,
    found: /^doubled: /,
    load: { forgetsKey: true },
  },
  {
    bug: 'a dropped entry',
    fault: backends,
    times: 30,
    found: /^lost: |^gap: /,
    ...inServer('a dropped entry'),
  },
  {
    bug: 'a retry without a check',
    fault: backends,
    times: 60,
    found: /^doubled: /,
    load: { keyedShare: 0.1 },
    ...inServer('a retry without a check'),
  },
]

/** A kill hits the few milliseconds in which a bug does harm only by chance, so it is repeated. */
const plays = 3

/** The judge's first finding of a bug, and how many; undefined when it found nothing. */
async function findBug({ bug, fault, found, ...options }: Plant, seed: number) {
  for (let nth = 1; nth <= plays; nth++) {
    const { wrong } = await play(fault, { seed: seed + nth - 1, ...options })
    const faults = wrong.filter((words) => found.test(words))
    if (faults[0] !== undefined) return { first: faults[0], count: faults.length }
    console.log(`not seen by play ${nth}: ${bug}: ${wrong[0] ?? 'no problem found'}`)
  }
  return undefined
}

/** Runs each planted bug; returns how many the judge missed. */
export async function playPlanted(seed: number): Promise<number> {
  let missed = 0
  for (const plant of plants) {
    const caught = await findBug(plant, seed)
    if (!caught) missed += 1
    if (!caught) console.log(`MISSED: ${plant.bug}, ${plays} times`)
    else console.log(`caught: ${plant.bug}: ${caught.count} times, first ${caught.first}`)
  }
  console.log(`${plants.length - missed} passed, ${missed} failed`)
  return missed
}
