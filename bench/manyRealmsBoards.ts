import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from './arrivals.ts'
import type { FilledDatabase, Stage } from './stage.ts'
import type { ServerProcess } from './tools.ts'

/** What the measurements of many realms' leaderboards share. */
export type BoardScene = {
  readonly stage: Stage
  readonly database: string
  readonly filled: FilledDatabase
  readonly targets: readonly Target[]
}

/** Requests under way at once. */
const clients = 32
const attempts = 10
const retryMs = 200

export const targetsOf = ({ manyRealms, members }: FilledDatabase): Target[] =>
  readFileSync(manyRealms, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [realm = '', key = ''] = line.split(' ')
      return { realm, key, members }
    })

/** Requests the board of each realm: one that was not requested for an hour is folded only once a minute. */
export function requestBoards({ url }: ServerProcess, targets: readonly Target[]): Promise<void> {
  return forEachRealm(targets, ({ realm, key }) =>
    fetch(`${url}/api/v4/realms/${realm}/leaderboard`, { headers: { authorization: `Bearer ${key}` } }),
  )
}

/** Sends one write to each realm. */
export function writeToAll({ url }: ServerProcess, targets: readonly Target[]): Promise<void> {
  const run = randomUUID()
  return forEachRealm(targets, ({ realm, key }) =>
    fetch(`${url}/api/v4/realms/${realm}/members/1/tokenBalance`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `${run}-${realm}`,
      },
      body: '{"tokens":1}',
    }),
  )
}

/** A 503 is sent again: on a busy machine the first requests may find no session in time. */
async function forEachRealm(
  targets: readonly Target[],
  send: (target: Target) => Promise<Response>,
): Promise<void> {
  const left = targets.values()
  const client = async () => {
    for (const target of left) {
      for (let attempt = 1; ; attempt++) {
        const answer = await send(target)
        const text = await answer.text()
        if (answer.ok) break
        if (answer.status !== 503 || attempt === attempts)
          throw new Error(`realm ${target.realm}: ${answer.status} ${text}`)
        await sleep(retryMs)
      }
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

export const atRandom =
  (targets: readonly Target[]): (() => Target) =>
  () => {
    const target = targets[Math.floor(Math.random() * targets.length)]
    if (!target) throw new Error('there are no realms to write to')
    return target
  }
