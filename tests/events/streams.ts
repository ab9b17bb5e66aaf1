import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultBounds } from '../../server/src/http/wire/bounds.ts'
import type { Single } from '../chaos/stage.ts'
import type { Checks } from '../security/checks.ts'
import { EventStream } from '../support/eventStream.ts'
import { makeRealm, operator, type RealmAccess } from '../support/fixture.ts'
import { Client } from '../support/load.ts'
import { operatorToken } from '../support/process.ts'

export type StreamSizes = {
  readonly streams: number
  readonly entries: number
  readonly kills: number
  readonly memoryMiB: number
  /** How long an entry may take at p99. */
  readonly mostMs: number
  /** Whether to wait until a client that does not read is cut off: half a minute. */
  readonly untilCut: boolean
}

type Ground = {
  readonly stage: Single
  readonly checks: Checks
  readonly sizes: StreamSizes
  readonly realm: RealmAccess
  /** A key that may read the journal. */
  readonly reader: { readonly id: string; readonly key: string }
}

const { untakenMs } = defaultBounds
const settleMs = 30_000
/** More entries than the kernel's buffers of a connection hold. */
const moreThanBuffers = 25_000

const streamUrl = ({ stage, realm }: Ground, server = 0) =>
  `${stage.servers[server]?.url}/api/v4/realms/${realm.id}/journal/stream`

/** Connections of one client to one server share 28,000 ports of one address: these are spread. */
const addressOf = (index: number) => `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`

async function open(ground: Ground, count: number): Promise<EventStream[]> {
  const streams: EventStream[] = []
  for (let from = 0; from < count; from += 50) {
    const asked = Array.from({ length: Math.min(50, count - from) }, (_, index) =>
      EventStream.open(streamUrl(ground), {
        key: ground.reader.key,
        localAddress: addressOf(from + index),
      }),
    )
    streams.push(...(await Promise.all(asked)))
  }
  return streams
}

async function readerKey(stage: Single, realmId: string): Promise<{ id: string; key: string }> {
  const access = { baseUrl: stage.servers[1]?.url ?? '', token: operatorToken }
  const path = `/realms/${realmId}/keys`
  const body = { name: 'reader', scopes: ['journal:read'] }
  return (await operator(access, 'POST', { path, body })) as { id: string; key: string }
}

const residentMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

const closeAll = (streams: readonly EventStream[]) => {
  for (const stream of streams) stream.close()
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
  Number.NaN

const first = (ids: readonly string[], after: bigint): string | undefined =>
  ids.find((id, index) => BigInt(id) !== after + BigInt(index) + 1n)

/** Many streams of one realm, entries posted through the other process at a steady pace. */
async function manyStreams(ground: Ground): Promise<void> {
  const { stage, checks, sizes, realm } = ground
  const pid = stage.servers[0]?.pid ?? 0
  const client = new Client(stage.servers[1]?.url ?? '', realm)
  await client.write({ member: '1', tokens: 1 })
  await sleep(1_000)
  const beforeMiB = residentMiB(pid)
  const streams = await open(ground, sizes.streams)
  checks.check(
    streams.every(({ status }) => status === 200),
    'every stream is opened',
  )
  const postedMs: number[] = []
  const posts = Math.max(20, Math.round(sizes.entries / 20))
  for (let n = 0; n < posts; n++) {
    await client.write({ member: String(1 + (n % 50)), tokens: 1 })
    postedMs.push(performance.now())
    await sleep(100)
  }
  await Promise.all(streams.map((stream) => stream.until(posts, settleMs)))
  const delays = streams.flatMap(({ events }) => events.map(({ atMs }, n) => atMs - (postedMs[n] ?? 0)))
  checks.atMost(
    percentile(delays, 0.99),
    sizes.mostMs,
    `an entry is seen by ${sizes.streams} streams, p99 in ms`,
  )
  checks.check(
    streams.every(({ ids }) => new Set(ids).size === posts && ids.length === posts),
    'every stream has every entry once',
  )
  checks.atMost(
    residentMiB(pid) - beforeMiB,
    sizes.memoryMiB,
    `memory that ${sizes.streams} streams take, in MiB`,
  )
  closeAll(streams)
  client.close()
}

/** Each stream continues where it was, however often the server is killed. */
async function resumption(ground: Ground): Promise<void> {
  const { stage, checks, sizes, realm } = ground
  const client = new Client(stage.servers[1]?.url ?? '', realm)
  const begin = BigInt((await client.write({ member: '1', tokens: 1 })).json.transactionId)
  const seen = Array.from({ length: 20 }, () => [] as string[])
  let isOver = false
  const follow = async (ids: string[]) => {
    while (!isOver) {
      const lastEventId = ids.at(-1) ?? String(begin)
      const asked = { key: ground.reader.key, lastEventId }
      const stream = await EventStream.open(streamUrl(ground), asked).catch(() => undefined)
      if (stream?.status === 200) {
        let taken = 0
        while (!isOver && stream.endedAtMs === undefined) {
          ids.push(...stream.ids.slice(taken))
          taken = stream.events.length
          await sleep(5)
        }
        ids.push(...stream.ids.slice(taken))
      }
      stream?.close()
      await sleep(50)
    }
  }
  const following = seen.map(follow)
  let last = begin
  const perKill = Math.ceil(sizes.entries / (sizes.kills + 1))
  for (let kill = 0; kill <= sizes.kills; kill++) {
    for (let n = 0; n < perKill; n++)
      last = BigInt((await client.write({ member: String(n % 50), tokens: 1 })).json.transactionId ?? last)
    if (kill === sizes.kills) break
    await stage.servers[0]?.kill()
    await stage.servers[0]?.start()
  }
  const untilMs = performance.now() + settleMs
  const isDone = () => seen.every((ids) => ids.at(-1) === String(last))
  while (!isDone() && performance.now() < untilMs) await sleep(20)
  isOver = true
  await Promise.all(following)
  client.close()
  const wrong = seen.map((ids) => first(ids, begin)).filter((id) => id !== undefined)
  console.log(`  ${seen.length} streams, ${sizes.kills} kills, ${last - begin} entries`)
  checks.check(wrong.length === 0, `a stream has a gap or a repeat at entry ${wrong[0]}`)
  checks.check(isDone(), 'every stream has reached the last entry')
}

/** Only when it reads again does it see that the connection is closed. */
function isCutOff(slow: EventStream, posted: number): Promise<boolean> {
  slow.response.resume()
  return slow
    .ended(5_000)
    .then(() => slow.events.length < posted)
    .catch(() => false)
}

/** A client that does not read delays no other, and is cut off. */
async function slowReader(ground: Ground): Promise<void> {
  const { stage, checks, sizes, realm } = ground
  const [slow, quick] = await open(ground, 2)
  if (!slow || !quick) throw new Error('the streams were not opened')
  slow.response.pause()
  const clients = Array.from({ length: 16 }, () => new Client(stage.servers[1]?.url ?? '', realm))
  let posted = 0
  const post = async (client: Client, index: number) => {
    while (posted < moreThanBuffers) {
      posted += 1
      await client.write({ member: String(1 + index), tokens: 1 })
    }
  }
  await Promise.all(clients.map(post))
  const endMs = performance.now()
  await quick.until(posted, settleMs)
  checks.atMost(
    performance.now() - endMs,
    2_000,
    `the other stream has all ${posted} entries so long after the last, in ms`,
  )
  await Promise.all([comments(ground), ...(sizes.untilCut ? [sleep(untakenMs + 4_000)] : [])])
  if (sizes.untilCut) checks.check(await isCutOff(slow, posted), 'a client that does not read is cut off')
  closeAll([slow, quick])
  for (const client of clients) client.close()
}

/** The streams of a revoked key end within a second, on both processes. */
async function revocation(ground: Ground): Promise<void> {
  const { stage, checks, realm } = ground
  const { id, key } = await readerKey(stage, realm.id)
  const streams = await Promise.all(
    [0, 1].map((server) => EventStream.open(streamUrl(ground, server), { key })),
  )
  const access = { baseUrl: stage.servers[1]?.url ?? '', token: operatorToken }
  await operator(access, 'DELETE', { path: `/realms/${realm.id}/keys/${id}` })
  const revokedMs = performance.now()
  const ends = await Promise.all(streams.map((stream) => stream.ended(5_000)))
  checks.atMost(Math.max(...ends) - revokedMs, 1_000, 'the streams of a revoked key end after, ms')
}

/** An idle stream is kept open by comments, which proxies count as traffic. */
async function comments(ground: Ground): Promise<void> {
  const [stream] = await open(ground, 1)
  await sleep(11_500)
  ground.checks.check(/^:$/m.test(stream?.comments ?? ''), 'an idle stream has a comment within 11.5 s')
  ground.checks.check(stream?.endedAtMs === undefined, 'an idle stream stays open')
  stream?.close()
}

const parts: readonly (readonly [string, (ground: Ground) => Promise<void>])[] = [
  ['many streams of one realm', manyStreams],
  ['streams, while their server is killed', resumption],
  ['a stream that is not read, and one without entries', slowReader],
  ['streams of a revoked key', revocation],
]

export async function checkStreams(stage: Single, sizes: StreamSizes, checks: Checks): Promise<void> {
  const access = { baseUrl: stage.servers[1]?.url ?? '', token: operatorToken }
  const realm = await makeRealm(access, { unknownMembers: 'create' })
  const reader = await readerKey(stage, realm.id)
  for (const [name, part] of parts) {
    console.log(name)
    await part({ stage, checks, sizes, realm, reader })
  }
}
