import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../chaos/books.ts'
import type { Single } from '../chaos/stage.ts'
import { makeRealm, operator } from '../support/fixture.ts'
import { operatorToken } from '../support/process.ts'
import type { Checks } from './checks.ts'

const perSecond = 500
const turns = 3
/** A turn takes about 4 s; a reader stops by itself after this time. */
const turnMs = 60_000

type Seen = { readonly status: number; readonly atMs: number }

function get(url: string, key: string, agent: Agent): Promise<Seen> {
  return new Promise((resolve) => {
    const from = `192.0.2.${Math.floor(Math.random() * 250)}`
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': from }
    const sending = request(url, { agent, headers, timeout: 5_000 }, (got) => {
      got.resume()
      got.on('end', () => resolve({ status: got.statusCode ?? 0, atMs: performance.now() }))
    })
    sending.on('timeout', () => sending.destroy())
    sending.on('error', () => resolve({ status: 0, atMs: performance.now() }))
    sending.end()
  })
}

/** Reads at a steady rate through all servers until stopped; returns the time of every 200. */
async function steadily(urls: readonly string[], key: string, over: () => boolean): Promise<Seen[]> {
  const agent = new Agent({ keepAlive: true })
  const asked: Promise<Seen>[] = []
  const startMs = performance.now()
  while (!over() && performance.now() - startMs < turnMs) {
    const due = ((performance.now() - startMs) / 1000) * perSecond
    while (asked.length < due) asked.push(get(urls[asked.length % urls.length] ?? '', key, agent))
    await sleep(5)
  }
  const seen = await Promise.all(asked)
  agent.destroy()
  return seen
}

/** The time from the response to a revocation until the last 200, on two processes under load. */
export async function checkRevocation(stage: Single, checks: Checks): Promise<void> {
  const access = { baseUrl: stage.servers[0]?.url ?? '', token: operatorToken }
  const realm = await makeRealm(access, { unknownMembers: 'create' })
  const urls = stage.servers.map(({ url }) => `${url}/api/v4/realms/${realm.id}/members/1`)
  for (const cut of [false, true]) {
    let latest = 0
    let allowed = 0
    for (let turn = 0; turn < turns; turn++) {
      const path = `/realms/${realm.id}/keys`
      const { id, key } = (await operator(access, 'POST', { path, body: {} })) as { id: string; key: string }
      let over = false
      const reading = steadily(urls, key, () => over)
      await sleep(1_500)
      await operator(access, 'DELETE', { path: `${path}/${id}` })
      const revokedMs = performance.now()
      // At that moment, the connections by which servers hear of changes are cut.
      if (cut)
        await query(
          stage.superuserUrl,
          `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'exchequer_server'`,
        )
      await sleep(2_500)
      over = true
      const seen = await reading
      const done = seen.filter(({ status }) => status === 200)
      allowed += done.length
      latest = Math.max(latest, ...done.map(({ atMs }) => atMs - revokedMs))
      checks.check(seen.at(-1)?.status === 401, `the last answer was ${seen.at(-1)?.status}`)
    }
    checks.check(allowed > turns * perSecond, `only ${allowed} requests were accepted before`)
    checks.atMost(latest, 1_000, `last 200 after a revocation${cut ? ', connections cut' : ''}, ms`)
  }
}
