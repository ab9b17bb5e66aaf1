import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ownerRole, prepareDatabase, serverRole } from '../server/src/dev/prepare.ts'
import { scopes } from '../server/src/keys/index.ts'
import { startCluster } from '../tests/support/cluster.ts'
import { makeRealm, operator } from '../tests/support/fixture.ts'
import { environment, operatorToken, startServerProcess } from '../tests/support/process.ts'
import { limitTime } from '../tests/support/timeLimit.ts'

/**
 * node bench/claim.ts [MEMBERS ...]
 * Measures a claimable snapshot of so many members: its duration, and how long other writes wait, in the same
 * realm and in another one.
 */

const sizes = process.argv.slice(2).map(Number)
const chain = 'eip155:1'
/** A writer stops by itself after this time. */
const longestMs = 20 * 60_000
limitTime({ what: 'bench/claim.ts', minutes: 60 })

type Realm = { readonly id: string; readonly key: string }

class Caller {
  readonly #base: string
  readonly #key: string

  constructor(url: string, { id, key }: Realm) {
    this.#base = `${url}/api/v4/realms/${id}`
    this.#key = key
  }

  async send(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' }
    const sent = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const response = await fetch(this.#base + path, sent)
    return { status: response.status, text: await response.text() }
  }
}

/** Points for members 1 to `count`, in batches of a thousand. */
async function fill(caller: Caller, count: number): Promise<void> {
  for (let from = 1; from <= count; from += 1_000) {
    const length = Math.min(1_000, count - from + 1)
    const entries = Array.from({ length }, (_, index) => ({ memberId: String(from + index), tokens: 100 }))
    const { status, text } = await caller.send('PATCH', '/members/tokenBalance', { entries })
    if (status !== 200) throw new Error(text)
  }
}

type Watched = { readonly longestMs: number; readonly refused: number; readonly done: number }

/** One write after another, until it is stopped. */
function write(caller: Caller): () => Promise<Watched> {
  let goesOn = true
  const times: number[] = []
  let refused = 0
  const running = (async () => {
    const endMs = performance.now() + longestMs
    while (goesOn && performance.now() < endMs) {
      const startMs = performance.now()
      const { status } = await caller.send('PATCH', '/members/1/tokenBalance', { tokens: 1 })
      times.push(performance.now() - startMs)
      if (status !== 200) refused += 1
    }
  })()
  return async () => {
    goesOn = false
    await running
    return { longestMs: Math.round(Math.max(...times)), refused, done: times.length - refused }
  }
}

async function timed<T>(work: Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const startMs = performance.now()
  const value = await work
  return { ms: Math.round(performance.now() - startMs), value }
}

const cluster = await startCluster('embedded')
try {
  await prepareDatabase(cluster, 'claims')
  const urls = { serverUrl: cluster.url('claims', serverRole), ownerUrl: cluster.url('claims', ownerRole) }
  const server = await startServerProcess(environment(urls, { LOG_LEVEL: 'info' }))
  const access = { baseUrl: server.baseUrl, token: operatorToken }
  const db = new pg.Client({ connectionString: cluster.url('claims', 'postgres') })
  await db.connect()
  try {
    for (const size of sizes.length > 0 ? sizes : [10_000, 100_000]) {
      const [mine, other] = await Promise.all([make(), make()])
      await Promise.all([fill(mine, size), fill(other, 10)])
      await db.query(
        `insert into exchequer.wallets (realm, match, account, address, chain, verified_at)
          select m.realm, a.text, m.account, a.text, 'eip155', now() from exchequer.members m
          cross join lateral (select '0x' || left(encode(sha256(m.id::text::bytea), 'hex'), 40)) a (text)
          where m.realm = (select realm from exchequer.realms where id = $1)`,
        [mine.id],
      )
      await db.query('vacuum analyze')
      const watches = [write(mine), write(other)]
      await sleep(1_000)
      const taken = await timed(mine.send('POST', '/snapshots', { id: 's', chain, claimable: true }))
      if (taken.value.status !== 201) throw new Error(taken.value.text)
      const [same, elsewhere] = await Promise.all(watches.map((end) => end()))
      const tree = await timed(mine.send('GET', '/snapshots/s/tree.json'))
      const proof = await timed(mine.send('GET', '/snapshots/s/members/2'))
      const figures = { members: size, taken_ms: taken.ms, same_realm: same, other_realm: elsewhere }
      const sizeMb = Math.round(tree.value.text.length / 1e5) / 10
      console.log(JSON.stringify({ ...figures, tree_ms: tree.ms, tree_mb: sizeMb, proof_ms: proof.ms }))
    }
  } finally {
    await db.end()
    await server.stop()
  }

  async function make() {
    const realm = await makeRealm(access, { unknownMembers: 'create' })
    const path = `/realms/${realm.id}/keys`
    const { key } = (await operator(access, 'POST', { path, body: { scopes } })) as { key: string }
    return Object.assign(new Caller(server.baseUrl, { id: realm.id, key }), { id: realm.id })
  }
} finally {
  await cluster.stop()
}
