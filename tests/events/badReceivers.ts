import { setTimeout as sleep } from 'node:timers/promises'
import type { Single } from '../chaos/stage.ts'
import type { Checks } from '../security/checks.ts'
import { Client } from '../support/load.ts'
import { Receiver, type Respond } from '../support/receiver.ts'
import { addHook, type HookRealm, hookRealm } from './deliveries.ts'

const mostMs = 1_000
const posts = 100

/** Writes small pieces for ever; the server must give up. */
const drip: Respond = (_, response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('.'), 200)
  response.on('close', () => clearInterval(timer))
}

const gigabyte: Respond = (_, response) => {
  response.writeHead(200, { 'content-length': String(2 ** 30) })
  const piece = Buffer.alloc(1024 * 1024)
  const more = () => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', more)
  more()
}

const answers = (status: number, headers: Record<string, string> = {}): Respond => {
  return (_, response) => void response.writeHead(status, headers).end('no')
}

type Expected = {
  readonly respond: Respond
  readonly isTrouble: (hook: Hook) => boolean
  /** Whether its answer counts as success, however long it is. */
  readonly isContent?: true
}
type Hook = { state: string; parked: number; failures: number }

const isFailing = ({ state, failures, parked }: Hook) =>
  state === 'waiting' || (state === 'active' && failures + parked > 0)

const bad: Readonly<Record<string, Expected>> = {
  'one that hangs': { respond: () => {}, isTrouble: () => true },
  'one that answers 410': { respond: answers(410), isTrouble: ({ state }) => state === 'disabled' },
  'one that answers 500': { respond: answers(500), isTrouble: isFailing },
  'one that redirects': { respond: answers(302, { location: 'http://127.0.0.1:1/' }), isTrouble: isFailing },
  'one that answers a gigabyte': { respond: gigabyte, isTrouble: () => true, isContent: true },
  'one that answers drop by drop': { respond: drip, isTrouble: () => true },
}

const hookAt = async (realm: HookRealm, id: string) => (await realm.send(`GET /webhooks/${id}`)).json as Hook

/** Receivers that misbehave, each in its own way, delay no other. */
export async function checkBadReceivers(stage: Single, checks: Checks): Promise<void> {
  const realm = await hookRealm(stage)
  const good = await Receiver.start()
  await addHook(realm, good)
  const down = await Receiver.start()
  down.close()
  const downHook = await addHook(realm, down)
  const others = new Map<string, { receiver: Receiver; id: string }>()
  for (const [name, { respond }] of Object.entries(bad)) {
    const receiver = await Receiver.start({ respond })
    others.set(name, { receiver, id: (await addHook(realm, receiver)).id })
  }
  const postedMs: number[] = []
  const client = new Client(stage.servers[1]?.url ?? '', realm)
  for (let n = 0; n < posts; n++) {
    await client.write({ member: '1', tokens: 1 })
    postedMs.push(performance.now())
    await sleep(50)
  }
  // Without notices, such as that another endpoint was disabled.
  const entries = () => good.got.filter(({ event }) => 'seq' in event.data)
  for (const untilMs = performance.now() + 10_000; entries().length < posts && performance.now() < untilMs; )
    await sleep(20)
  const delays = entries().map(({ atMs, event }) => atMs - (postedMs[Number(event.data.seq) - 1] ?? 0))
  const p99 = delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? Number.POSITIVE_INFINITY
  checks.check(entries().length === posts, `the good receiver got ${entries().length} of ${posts}`)
  checks.atMost(p99, mostMs, 'an event reaches the good receiver, p99 in ms')
  checks.check(isFailing(await hookAt(realm, downHook.id)), 'one that is down is tried again later')
  for (const [name, { receiver, id }] of others) {
    const hook = await hookAt(realm, id)
    checks.check(bad[name]?.isTrouble(hook) ?? false, `${name} is ${JSON.stringify(hook)}`)
    if (!bad[name]?.isContent)
      checks.check(receiver.got.length < posts, `${name} got no more than ${receiver.got.length} requests`)
    receiver.close()
  }
  client.close()
  good.close()
}
