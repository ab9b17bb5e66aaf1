import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type Realm = { readonly id: string; readonly key: string }
export type Seen = {
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failed: readonly string[]
}

const clients = 16
const everyMs = 40
/** One client of so many opens a connection for each request. */
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
    sending.on('timeout', () => sending.destroy(new Error('no answer in 10 s')))
    sending.on('error', reject)
    sending.end(payload)
  })
}

/** Clients at an even pace, half of it reads and half writes, some on connections of their own. */
export async function work(url: string, realm: Realm, seconds: number): Promise<Seen> {
  const tookMs: number[] = []
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
      // From when it was due: a client that is kept waiting counts all of its wait.
      await once(agent, url, asked).catch((error: unknown) => failed.push(String(error)))
      tookMs.push(performance.now() - dueMs)
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: clients }, (_, place) => client(place)))
  const sorted = tookMs.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), failed }
}
