import { scriptOptions } from '../../support/scriptOptions.ts'
import { limitTime } from '../../support/timeLimit.ts'
import { playPlanted } from './planted.ts'
import { type Finding, play, type Result } from './play.ts'

/**
 * npm run fuzz -- [--count N] [--seed S]     hostile requests to a server of its own
 * npm run fuzz -- --seed S --only N          one of them again; N-M for a range
 * npm run fuzz -- --planted                  does the fuzzer find planted bugs?
 */
const given = scriptOptions({
  count: { type: 'string', default: '5000' },
  seed: { type: 'string' },
  only: { type: 'string' },
  planted: { type: 'boolean' },
})

const shownOfAKind = 3
/** Findings without a route can't be grouped by operation, so more of them are shown. */
const shownWithoutRoute = 200

/** The same problem at another operation is another kind, so that many of one do not hide another. */
const kindOf = ({ words, route }: Finding): string => `${words.slice(0, words.indexOf(':'))} at ${route}`

function report({ findings }: Result, seed: number): void {
  for (const [kind, all] of Map.groupBy(findings, kindOf)) {
    const most = all[0]?.route === '' ? shownWithoutRoute : shownOfAKind
    for (const { number, words, request } of all.slice(0, most)) {
      console.log(`FOUND ${words}`)
      if (number >= 0) console.log(`  --seed ${seed} --only ${number}: ${request}`)
    }
    if (all.length > most) console.log(`FOUND ${kind}: ${all.length - most} more`)
  }
}

async function playOnce(seed: number): Promise<boolean> {
  const [first, last = first] = (given.only ?? '').split('-').map(Number)
  const range =
    given.only === undefined || first === undefined || last === undefined
      ? { from: 0, to: Number(given.count) }
      : { from: first, to: last + 1 }
  const startMs = Date.now()
  const result = await play({ seed, ...range, onProgress: (line) => console.log(line) })
  report(result, seed)
  const statuses = [...result.statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => `${status} ×${times}`)
  console.log(`answers: ${statuses.join(', ')}`)
  console.log(
    `${result.acknowledged} changes accounted for, ${Math.round(result.memoryMb)} MiB, ` +
      `${Math.round((Date.now() - startMs) / 1000)} s`,
  )
  console.log(`requests ${result.requests}, findings ${result.findings.length}, seed ${seed}`)
  return result.findings.length === 0
}

// Four times what it takes on two slow cores: 15 ms a request.
limitTime({ what: 'npm run fuzz', minutes: given.planted ? 30 : 10 + Math.ceil(Number(given.count) / 1_000) })
const plantedSeed = 1
const drawnSeed = given.planted ? plantedSeed : Math.floor(Math.random() * 1e9)
const seed = given.seed === undefined ? drawnSeed : Number(given.seed)
const right = given.planted ? await playPlanted(seed) : await playOnce(seed)
process.exit(right ? 0 : 1)
