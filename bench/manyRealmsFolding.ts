import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { checkDeadline } from '../tests/support/timeLimit.ts'
import { countBehind } from './foldSampler.ts'
import { type BoardScene, requestBoards, writeToAll } from './manyRealmsBoards.ts'
import { median, type ServerProcess } from './tools.ts'

/** Realms folded a second while no client writes. */
export type FoldingFigures = {
  readonly realms: number
  /** Realms never folded before: five entries each, and their first rows. */
  readonly first: number
  /** One new entry each: the median of the rounds. */
  readonly again: number
  readonly rounds: readonly number[]
}

const goal = 5_000
/** A poll reads all realms: rarer when there are many, so that it takes little of what it measures. */
const pollMsPerRealm = 0.01
const foldMs = 600_000
const leastWaitMs = 4_000
/** What the setting allows. */
const longestWaitMs = 60_000

/**
 * All realms are written to once, on a server that waits before it folds: then all are due at once, and no
 * client writes. Their boards were requested before, so that none waits for a minute.
 */
export async function measureFolding(scene: BoardScene, again: number): Promise<FoldingFigures> {
  const { stage, database, targets } = scene
  const server = await stage.startOurs(database, { STANDINGS_EVERY_MS: String(await waitFor(scene)) })
  const client = new pg.Client({ connectionString: stage.url(database) })
  try {
    await client.connect()
    await requestBoards(server, targets)
    const rates: number[] = []
    for (let round = 0; round <= again; round++) rates.push(await measureRound({ scene, server, client }))
    const [first = Number.NaN, ...rounds] = rates
    return print({ realms: targets.length, first, again: median(rounds), rounds })
  } finally {
    await client.end()
    await server.stop()
  }
}

/** The delay between the first write and the fold: long enough that all realms are written by then. */
async function waitFor({ stage, database, targets }: BoardScene): Promise<number> {
  const server = await stage.startOurs(database, { STANDINGS_EVERY_MS: '0' })
  try {
    const startMs = performance.now()
    await writeToAll(server, targets)
    return Math.min(longestWaitMs, Math.round((performance.now() - startMs) * 2 + leastWaitMs))
  } finally {
    await server.stop()
  }
}

type Round = { readonly scene: BoardScene; readonly server: ServerProcess; readonly client: pg.Client }

/** From the last poll at which none was folded to the first at which all are. */
async function measureRound({ scene, server, client }: Round): Promise<number> {
  const { targets } = scene
  await writeToAll(server, targets)
  let behind = await countBehind(client)
  if (behind !== targets.length)
    throw new Error(`${behind} of ${targets.length} realms are due: the fold began while they were written`)
  let startMs = performance.now()
  const deadlineMs = startMs + foldMs
  while (behind > 0) {
    checkDeadline(deadlineMs, 'the fold of all realms')
    if (behind === targets.length) startMs = performance.now()
    await sleep(targets.length * pollMsPerRealm)
    behind = await countBehind(client)
  }
  return targets.length / ((performance.now() - startMs) / 1000)
}

function print(figures: FoldingFigures): FoldingFigures {
  const { realms, first, again, rounds } = figures
  const rate = (value: number) => Math.round(value).toLocaleString('en-US')
  console.log(
    `With ${realms.toLocaleString('en-US')} realms due at once and no writes, leaderboards fold ` +
      `${rate(again)} realms a second with one new entry each (rounds: ${rounds.map(rate).join(', ')}), ` +
      `and ${rate(first)} that were never folded before; goal ${rate(goal)}: ` +
      `${again >= goal ? 'reached' : 'NOT reached'}.`,
  )
  return figures
}
