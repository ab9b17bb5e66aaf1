import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Single } from '../chaos/stage.ts'
import type { Checks } from '../security/checks.ts'
import { call } from '../support/call.ts'
import { makeRealm, managerKey } from '../support/fixture.ts'
import { Client } from '../support/load.ts'
import { operatorToken } from '../support/process.ts'
import { type ReceivedRequest, Receiver } from '../support/receiver.ts'

/** A realm with a key that may do everything, and its path. */
export type HookRealm = Awaited<ReturnType<typeof hookRealm>>

export async function hookRealm(stage: Single) {
  const url = () => stage.servers.at(-1)?.url ?? ''
  const access = { baseUrl: url(), token: operatorToken }
  const realm = await makeRealm(access, { unknownMembers: 'create' })
  const key = await managerKey(access, realm.id)
  const send = (line: string, body?: object) => {
    const [method = '', path = ''] = line.split(' ')
    return call(method, `${url()}/api/v4/realms/${realm.id}${path}`, { key, ...(body ? { body } : {}) })
  }
  return { ...realm, send }
}

export async function addHook(realm: HookRealm, receiver: Receiver, settings: object = {}) {
  const { status, json, text } = await realm.send('POST /webhooks', { url: receiver.url, ...settings })
  if (status !== 201) throw new Error(`a webhook could not be created: ${text}`)
  return json as { id: string; secret: string }
}

type Entry = { seq: string; hash: string; type: string }

/** The ids of all events of the journal, without `balance.crossed`. */
async function journalIds(realm: HookRealm): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const { json } = await realm.send(`GET /journal?limit=1000&cursor=${cursor}`)
    for (const { seq, hash } of json.data as Entry[]) ids.push(`evt_${seq}_${hash.slice(0, 16)}`)
    cursor = json.nextCursor
  }
  return ids
}

const isOfEntry = (id: string): boolean => /^evt_[0-9]+_[0-9a-f]+$/.test(id)

/** Whether the receiver's own record is what was promised. */
function judge(
  checks: Checks,
  { got }: Receiver,
  promised: { ids: readonly string[]; isOrdered: boolean; name: string },
): void {
  const { ids, isOrdered, name } = promised
  const known = new Set(ids)
  const ofEntries = got.filter(({ id }) => isOfEntry(id))
  const arrived = new Set(ofEntries.map(({ id }) => id))
  const seen = [...arrived]
  const missing = ids.filter((id) => !arrived.has(id)).length
  console.log(`  ${name}: ${got.length} requests, ${seen.length} entries of ${ids.length}`)
  checks.check(missing === 0, `${name}: ${missing} entries were not delivered`)
  checks.check(
    seen.every((id) => known.has(id)),
    `${name}: an event was invented`,
  )
  if (isOrdered) {
    const seqs = seen.map((id) => BigInt(id.split('_')[1] ?? 0))
    checks.check(
      seqs.every((seq, index) => index === 0 || seq > (seqs[index - 1] ?? 0n)),
      `${name}: events out of order`,
    )
  }
  const bodies = new Map<string, string>()
  const other = got.find(({ id, body }) => {
    const before = bodies.get(id) ?? dataOf(body)
    bodies.set(id, before)
    return before !== dataOf(body)
  })
  checks.check(other === undefined, `${name}: two events have the id ${other?.id}`)
}

const dataOf = (body: string): string => {
  const { type, data } = JSON.parse(body)
  return JSON.stringify([type, data.seq, data.threshold ?? null, data.memberId ?? null])
}

function isSigned({ headers, body }: ReceivedRequest, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

export type DeliverySizes = { readonly entries: number; readonly kills: number }

/** A transfer by which its giver falls below 20 and its recipient rises above 10. */
async function crossTwice(stage: Single, realm: HookRealm): Promise<void> {
  const client = new Client(stage.servers.at(-1)?.url ?? '', realm)
  const writes = [
    { member: '501', tokens: 25 },
    { member: '502', tokens: 5 },
    { member: '501', tokens: 10, recipientId: '502' },
  ]
  for (const write of writes) {
    const { status } = await client.write(write)
    if (status !== 200) throw new Error(`a change was answered ${status}`)
  }
  client.close()
}

/** The events of thresholds that one entry caused. */
function judgeCrossed(checks: Checks, { got }: Receiver): void {
  const crossed = new Map<string, Set<string>>()
  for (const { id } of got.filter((one) => !isOfEntry(one.id))) {
    const seq = id.split('_')[1] ?? ''
    crossed.set(seq, (crossed.get(seq) ?? new Set()).add(id))
  }
  const [most = 0] = [...crossed.values()].map(({ size }) => size).sort((a, b) => b - a)
  console.log(`  ${crossed.size} entries crossed thresholds, one of them ${most}`)
  checks.check(most === 2, `a transfer crosses two thresholds, and has ${most} events`)
}

/** Posts until so many entries exist and all kills are done. Returns how many changes were refused. */
async function postEntries(
  stage: Single,
  realm: HookRealm,
  { count, isKilling }: { readonly count: number; readonly isKilling: () => boolean },
): Promise<number> {
  let [posted, refused] = [0, 0]
  const one = async (place: number) => {
    const client = new Client(stage.servers.at(-1)?.url ?? '', realm)
    while (posted < count || isKilling()) {
      posted += 1
      // Every member gets points before it gives some: 39 and 10 have no factor in common.
      const isTransfer = posted > 400 && posted % 10 === 0
      const common = { member: String(1 + (posted % 39)), tokens: 1, idempotencyKey: `${place}-${posted}` }
      const sent = { ...common, ...(isTransfer ? { recipientId: '999' } : {}) }
      for (let isDone = false; !isDone; ) {
        const answer = await client.write(sent).catch(() => undefined)
        isDone = answer !== undefined && answer.status < 500
        if (isDone && answer?.status !== 200) refused += 1
        if (!isDone) await sleep(50)
      }
    }
    client.close()
  }
  await Promise.all(Array.from({ length: 16 }, (_, place) => one(place)))
  return refused
}

/** Kills one after the other, with pauses; all are up again when it ends. */
async function killAtRandom(stage: Single, kills: number): Promise<void> {
  for (let done = 0; done < kills; done++) {
    await sleep(500 + Math.random() * 2_000)
    const which = done % 3
    const server = stage.servers[which]
    if (server) {
      await server.kill()
      await server.start()
    } else {
      stage.postmaster.kill('all')
      await stage.postmaster.start()
    }
  }
}

export async function checkDeliveries(stage: Single, sizes: DeliverySizes, checks: Checks): Promise<void> {
  const realm = await hookRealm(stage)
  const [ordered, parallel] = [await Receiver.start(), await Receiver.start()]
  const thresholds = [10, 20].map((tokens) => ({ realmPointId: realm.pointId, tokens }))
  await addHook(realm, ordered, { ordered: true })
  const { secret } = await addHook(realm, parallel, { window: 32, thresholds })
  let unsigned = 0
  // As each arrives: a signature is valid for five minutes.
  parallel.respond = (got, response) => {
    if (!isSigned(got, secret)) unsigned += 1
    response.end()
  }
  await crossTwice(stage, realm)
  let isKilling = true
  const killing = killAtRandom(stage, sizes.kills).finally(() => {
    isKilling = false
  })
  const refused = await postEntries(stage, realm, { count: sizes.entries, isKilling: () => isKilling })
  await killing
  const ids = await journalIds(realm)
  const isAll = ({ got }: Receiver) => new Set(got.map(({ id }) => id).filter(isOfEntry)).size >= ids.length
  for (const untilMs = performance.now() + 60_000 + ids.length; performance.now() < untilMs; await sleep(100))
    if (isAll(ordered) && isAll(parallel)) break
  console.log(`  ${ids.length} entries, ${sizes.kills} kills`)
  judge(checks, ordered, { ids, isOrdered: true, name: 'ordered' })
  judge(checks, parallel, { ids, isOrdered: false, name: 'parallel' })
  // A retry whose first attempt was made anyway is not a second entry.
  checks.check(refused === 0, `${refused} changes were refused`)
  judgeCrossed(checks, parallel)
  checks.check(unsigned === 0, `standardwebhooks verifies every signature, but ${unsigned}`)
  ordered.close()
  parallel.close()
}
