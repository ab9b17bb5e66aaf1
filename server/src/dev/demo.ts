import { openDatabase } from '../db/database.ts'
import { commandConnectMs } from '../db/session.ts'
import { loadRealm } from '../files/imports/index.ts'
import { verify } from '../ledger/journal/verify.ts'
import { firstMember } from './demo/people.ts'
import { type DemoOptions, demoFile, demoRealm } from './demo/realm.ts'

const demo = { name: 'demo', address: null, requestId: null }

export { firstMember } from './demo/people.ts'
export { demoRealm } from './demo/realm.ts'

export type DemoAccess = DemoOptions & {
  readonly url: string
  /** The operator token. */
  readonly token: string
  readonly databaseUrl: string
  /** From an earlier run. */
  readonly key?: string
}

const scopes = ['members:read', 'wallets:read', 'points:write', 'journal:read']

/**
 * Creates the demo realm unless it exists; returns a key for it, that of an earlier run if it is still valid.
 */
export async function openDemo(access: DemoAccess): Promise<string> {
  const { url, token, key } = access
  const member = `${url}/api/v4/realms/${demoRealm}/members/${firstMember}`
  if (key !== undefined && (await ask(member, key)).status === 200) return key
  const keys = `${url}/operator/v1/realms/${demoRealm}/keys`
  const issue = () => ask(keys, token, { name: 'demo', scopes })
  let issued = await issue()
  if (issued.status === 404) {
    await loadDemo(access)
    issued = await issue()
  }
  if (issued.status !== 201)
    throw new Error(`could not issue a key for the demo realm: ${issued.status} ${await issued.text()}`)
  const { key: made } = (await issued.json()) as { key: string }
  await standingsOf(url, made)
  return made
}

const standingsWithinMs = 10_000

/** Standings are computed on request: requested here first, they are ready for the first visitor. */
async function standingsOf(url: string, key: string): Promise<void> {
  const seqOf = async (path: string) => {
    const answer = await ask(`${url}/api/v4/realms/${demoRealm}/${path}`, key)
    return Number(((await answer.json()) as { seq?: string }).seq)
  }
  const deadlineMs = Date.now() + standingsWithinMs
  for (let before = -1; Date.now() < deadlineMs; ) {
    const seq = await seqOf('statistics')
    // No client writes yet, so they stop changing at the head.
    if (seq === before && seq > 0) break
    before = seq
  }
  await seqOf('leaderboard?period=week&limit=1')
}

const ask = (url: string, token: string, body?: object): Promise<Response> =>
  fetch(url, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })

/** As `realm import` does it: loaded, verified against the file's header, and only then made visible. */
async function loadDemo({ databaseUrl, seed, untilMs }: DemoAccess): Promise<void> {
  const db = openDatabase(databaseUrl, { connectWithinMs: commandConnectMs })
  try {
    const loaded = await loadRealm(chunksOf(demoFile({ seed, untilMs })), { db, by: demo })
    const { realm, header, open, show, close } = loaded
    const against = { seq: BigInt(header.seq), hash: header.hash }
    const verdict = await verify(db, { realm, against, open })
    if (!verdict.ok) throw new Error(`the demo realm is wrong at ${verdict.where}: ${verdict.why}`)
    await show()
    await close()
  } finally {
    await db.close()
  }
}

async function* chunksOf(text: string): AsyncGenerator<string> {
  yield text
}
