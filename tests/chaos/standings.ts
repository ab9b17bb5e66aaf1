import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../support/call.ts'
import { makeRealm, manager, type RealmAccess } from '../support/fixture.ts'
import { environment, operatorToken, runCommand } from '../support/process.ts'
import { Random } from './random.ts'
import { openSingle, type Single } from './stage.ts'

/**
 * Kills the projecting server at random moments under load: the leaderboard tables must equal a fold of
 * the journal from entry 1, and boards before a rebuild those after it.
 */
export type StandingsOptions = { readonly kills: number; readonly seed: number }

/** Two servers, both folding all the time: when one is killed, it is in the middle of it or about to. */
const servers = 2
const everyMs = 10
const pauseMs = [300, 1_500] as const
const clients = 24
/** A client stops by itself after this time. */
const longestMs = 20 * 60_000
const members = Array.from({ length: 300 }, (_, index) => String(index + 1))

export async function playStandings({ kills, seed }: StandingsOptions): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-chaos-standings-'))
  // PostgreSQL runs as another user and needs access to this folder.
  await chmod(folder, 0o755)
  try {
    const env = { STANDINGS_EVERY_MS: String(everyMs) }
    const stage = await openSingle({ folder, env, count: servers })
    try {
      return await killAndCompare(stage, { kills, seed })
    } finally {
      await stage.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function killAndCompare(stage: Single, { kills, seed }: StandingsOptions): Promise<boolean> {
  const realms = [await prepare(stage, 'first'), await prepare(stage, 'second')]
  const random = new Random(seed, 'standings')
  const load = startLoad(stage, realms, seed)
  for (let turn = 0; turn < kills; turn++) {
    await sleep(random.between(...pauseMs))
    const server = random.pick(stage.servers)
    await server.kill()
    await server.start()
  }
  await load.stop()
  const entries = await Promise.all(realms.map((realm) => headOf(stage, realm)))
  const wrong = await compare(stage, realms)
  for (const words of wrong) console.log(`WRONG: ${words}`)
  const total = entries.reduce((sum, one) => sum + one, 0)
  console.log(`${kills} kills, ${total} entries, standings ${wrong.length === 0 ? 'equal' : 'DIFFER'}`)
  return wrong.length === 0
}

async function prepare(stage: Single, id: string): Promise<RealmAccess> {
  const access = { baseUrl: stage.urls[0] ?? '', token: operatorToken }
  const realm = await makeRealm(access, { id })
  const people = members.map((member) => ({ id: member }))
  await manager(access, 'POST', { path: `/realms/${id}/members`, body: { members: people } })
  return realm
}

/** Clients pause when their server was killed. */
const killed = (): Promise<undefined> => sleep(50, undefined)

/** Credits, debits, transfers, reversals, and concurrent reads. */
function startLoad(stage: Single, realms: readonly RealmAccess[], seed: number) {
  let over = false
  const run = async (place: number) => {
    const random = new Random(seed, `client ${place}`)
    const given: string[] = []
    const endMs = performance.now() + longestMs
    while (!over && performance.now() < endMs) {
      const { id, key } = random.pick(realms)
      const at = `${random.pick(stage.urls)}/api/v4/realms/${id}`
      const [member, recipientId] = [random.pick(members), random.pick(members)]
      const tokens = random.between(1, 100)
      const change = (body: object, path: string) =>
        call('PATCH', `${at}/members/${member}/${path}`, { key, body }).catch(killed)
      const drawn = random.next()
      if (drawn < 0.5) {
        const made = await change({ tokens }, 'tokenBalance')
        if (made?.status === 200) given.push(`${id}/entries/${made.json.transactionId}`)
      } else if (drawn < 0.65) await change({ tokens: -tokens }, 'tokenBalance')
      else if (drawn < 0.85) await change({ tokens, recipientId }, 'transfer')
      else if (drawn < 0.97) {
        const [realmId, ...path] = (given.pop() ?? '').split('/')
        const owner = realms.find((realm) => realm.id === realmId)
        const url = `${stage.urls[place % servers]}/api/v4/realms/${realmId}/${path.join('/')}/reverse`
        if (owner) await call('POST', url, { key: owner.key, body: {} }).catch(killed)
      } else await call('GET', `${at}/statistics`, { key }).catch(killed)
    }
  }
  const running = Array.from({ length: clients }, (_, place) => run(place))
  return {
    async stop() {
      over = true
      await Promise.all(running)
    },
  }
}

const ask = async (stage: Single, { id, key }: RealmAccess, path: string) => {
  const { status, json, text } = await call('GET', `${stage.urls[0]}/api/v4/realms/${id}${path}`, { key })
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return json
}

async function headOf(stage: Single, realm: RealmAccess): Promise<number> {
  return Number((await ask(stage, realm, '/statistics')).seq)
}

/** Problems, as text. */
async function compare(stage: Single, realms: readonly RealmAccess[]): Promise<string[]> {
  const paths = ['/statistics', '/leaderboard?limit=1000', '/leaderboard?limit=1000&period=week']
  const readAll = () =>
    Promise.all(
      realms.flatMap((realm) => paths.map(async (path) => JSON.stringify(await ask(stage, realm, path)))),
    )
  const env = environment(stage.databaseUrls)
  const wrong: string[] = []
  const checked = await runCommand(['leaderboards', 'check'], env)
  if (checked.code !== 0) wrong.push(checked.out + checked.err)
  const before = await readAll()
  const rebuilt = await runCommand(['leaderboards', 'rebuild'], env)
  if (rebuilt.code !== 0) wrong.push(rebuilt.out + rebuilt.err)
  // New processes: their boards are built from the rebuilt tables.
  for (const server of stage.servers) {
    await server.stop()
    await server.start()
  }
  const after = await readAll()
  before.forEach((text, place) => {
    if (text !== after[place])
      wrong.push(`${text.slice(0, 300)}\n  but rebuilt ${after[place]?.slice(0, 300)}`)
  })
  const books = await stage.verify()
  if (!books.ok) wrong.push(books.said)
  return wrong
}
