import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type Realm = { readonly id: string; readonly key: string }
type Sample = { readonly ms: number; readonly isWrite: boolean }
export type HonestFigures = {
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of writes only. */
  readonly writeP50Ms: number
  readonly failed: readonly string[]
  readonly samples: readonly Sample[]
}

function quantile(samples: readonly Sample[], share: number): number {
  const sorted = samples.map(({ ms }) => ms).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN
}

export function seenOf(samples: readonly Sample[], failed: readonly string[]): HonestFigures {
  return {
    count: samples.length,
    p50Ms: quantile(samples, 0.5),
    p99Ms: quantile(samples, 0.99),
    writeP50Ms: quantile(
      samples.filter(({ isWrite }) => isWrite),
      0.5,
    ),
    failed,
    samples,
  }
}

const clients = 16
const everyMs = 40
/** One in this many clients opens a connection for each request. */
const freshOneIn = 4

function once(agent: Agent, url: string, at: { method: string; path: string; key: string }): Promise<void> {
  const payload = at.method === 'PATCH' ? '{"tokens":1}' : ''
  const headers = { authorization: `Bearer ${at.key}`, 'content-length': payload.length }
  return new Promise((resolve, reject) => {
    const sending = request(
      url + at.path,
      { method: at.method, agent, headers, timeout: 10_000 },
      (answer) => {
        answer.resume()
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`status ${answer.statusCode}`)),
        )
      },
    )
    sending.on('timeout', () => sending.destroy(new Error('no response in 10 s')))
    sending.on('error', reject)
    sending.end(payload)
  })
}

/** Clients at a steady rate, half reads and half writes, some with a new connection for each request. */
export async function work(url: string, realm: Realm, seconds: number): Promise<HonestFigures> {
  const samples: Sample[] = []
  const failed: string[] = []
  const endMs = performance.now() + seconds * 1_000
  const client = async (place: number) => {
    const agent = new Agent({ keepAlive: place % freshOneIn !== 0, maxSockets: 1 })
    const path = `/api/v4/realms/${realm.id}/members/${place + 1}`
    await sleep((place * everyMs) / clients)
    for (let round = 0, dueMs = performance.now(); dueMs < endMs; round++, dueMs += everyMs) {
      await sleep(Math.max(0, dueMs - performance.now()))
      const read = { method: 'GET', path, key: realm.key }
      const asked = round % 2 === 0 ? read : { ...read, method: 'PATCH', path: `${path}/tokenBalance` }
      // Measured from when the request was due, so that all waiting counts.
      await once(agent, url, asked).catch((error: unknown) => failed.push(String(error)))
      samples.push({ ms: performance.now() - dueMs, isWrite: asked !== read })
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: clients }, (_, place) => client(place)))
  return seenOf(samples, failed)
}
