import { Agent, request } from 'node:http'
import { ownerRole, prepareDatabase, serverRole } from '../../server/src/dev/prepare.ts'
import { type Flavour, startCluster } from '../support/cluster.ts'
import { makeRealm, operator, type RealmAccess } from '../support/fixture.ts'
import { environment, operatorToken, startServerProcess } from '../support/process.ts'
import { scriptOptions } from '../support/scriptOptions.ts'
import { limitTime } from '../support/timeLimit.ts'
import { ticks } from './ticks.ts'

/**
 * Whether two processes together enforce a rate limit, for any split of the requests:
 * node tests/security/rate.ts [--seconds 30] [--debian]. A deviation of up to 10 % passes.
 */

const limit = { rate: 200, burst: 200 }
const within = 0.1
/** Requests sent each second: far above the limit. */
const asked = 500
const tickMs = 10
/** Longer than any answer may take. */
const patienceMs = 15_000

/** The share of requests that goes to the first process; `at` is the elapsed share of the time. */
type Pattern = {
  readonly name: string
  readonly first: (at: number) => number
  readonly of?: 'realm' | 'key'
  readonly asked?: number
}

const patterns: readonly Pattern[] = [
  { name: 'all on one', first: () => 1 },
  { name: 'half and half', first: () => 0.5 },
  { name: 'nine to one', first: () => 0.9 },
  { name: 'moves to the other process half-way', first: (at) => (at < 0.5 ? 1 : 0) },
  { name: 'moves ten times', first: (at) => Math.floor(at * 10) % 2 },
  { name: '10 % above the limit', first: () => 0.5, asked: limit.rate * 1.1 },
  { name: 'half and half, a limit of a key', first: () => 0.5, of: 'key' },
]

type Stage = { readonly urls: readonly [string, string]; readonly seconds: number }

/** A realm with a limit of its own or of its key. */
async function limitedRealm(url: string, of: 'realm' | 'key'): Promise<RealmAccess> {
  const access = { baseUrl: url, token: operatorToken }
  const realm = await makeRealm(access, { unknownMembers: 'create' })
  if (of === 'realm')
    await operator(access, 'PATCH', { path: `/realms/${realm.id}`, body: { rateLimit: limit } })
  const body = of === 'key' ? { rateLimit: limit } : {}
  const issued = await operator(access, 'POST', { path: `/realms/${realm.id}/keys`, body })
  return { ...realm, key: (issued as { key: string }).key }
}

function ask(url: string, { id, key }: RealmAccess, agent: Agent): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    const options = { agent, headers, timeout: patienceMs }
    const sent = request(`${url}/api/v4/realms/${id}/members/1`, options, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('timeout', () => sent.destroy(new Error(`no response within ${patienceMs} ms`)))
    sent.on('error', reject)
    sent.end()
  })
}

/** How many were answered 200, and how many anything but that or 429. */
async function play({ urls, seconds }: Stage, pattern: Pattern): Promise<{ passed: number; odd: number }> {
  const realm = await limitedRealm(urls[0], pattern.of ?? 'realm')
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const tally = { passed: 0, odd: 0 }
  const under: Promise<void>[] = []
  const send = async (url: string) => {
    const status = await ask(url, realm, agent)
    if (status === 200) tally.passed += 1
    else if (status !== 429) tally.odd += 1
  }
  const due = [0, 0]
  for await (const { part: elapsed, sinceMs } of ticks(seconds, tickMs)) {
    const first = pattern.first(elapsed)
    const all = ((pattern.asked ?? asked) * sinceMs) / 1000
    for (const [index, part] of [first, 1 - first].entries()) {
      due[index] = (due[index] ?? 0) + all * part
      for (; (due[index] ?? 0) >= 1; due[index] = (due[index] ?? 0) - 1) under.push(send(urls[index] ?? ''))
    }
  }
  await Promise.all(under)
  agent.destroy()
  return tally
}

async function playAll(stage: Stage): Promise<boolean[]> {
  const allowed = limit.rate * stage.seconds + limit.burst
  const verdicts: boolean[] = []
  for (const pattern of patterns) {
    const { passed, odd } = await play(stage, pattern)
    const part = passed / allowed
    const good = Math.abs(part - 1) <= within && odd === 0
    verdicts.push(good)
    const oddly = odd > 0 ? `, ${odd} answered neither 200 nor 429` : ''
    const verdict = good ? 'passed' : 'FAILED'
    console.log(`${verdict}  ${pattern.name}: ${passed} / ${allowed} = ${part.toFixed(3)}${oddly}`)
  }
  return verdicts
}

async function run(flavour: Flavour, seconds: number): Promise<boolean[]> {
  const cluster = await startCluster(flavour)
  try {
    await prepareDatabase(cluster, 'rate')
    const urls = { serverUrl: cluster.url('rate', serverRole), ownerUrl: cluster.url('rate', ownerRole) }
    const first = await startServerProcess(environment(urls))
    const second = await startServerProcess(environment(urls))
    try {
      console.log(`${limit.rate} a second, ${limit.burst} at once, two processes, ${seconds} s each:`)
      return await playAll({ urls: [first.baseUrl, second.baseUrl], seconds })
    } finally {
      await Promise.all([first.stop(), second.stop()])
    }
  } finally {
    await cluster.stop()
  }
}

const values = scriptOptions({ seconds: { type: 'string' }, debian: { type: 'boolean' } })
const seconds = Number(values.seconds ?? 30)
limitTime({ what: 'tests/security/rate.ts', minutes: 5 + Math.ceil((patterns.length * seconds) / 30) })
const verdicts = await run(values.debian ? 'debian' : 'embedded', seconds)
const failed = verdicts.filter((good) => !good).length
console.log(`${verdicts.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
