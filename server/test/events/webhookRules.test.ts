import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { Receiver } from '../../../tests/support/receiver.ts'
import { AddressGuard } from '../../src/events/webhooks/addressGuard.ts'
import { type Message, makeSecret, signedHeaders } from '../../src/events/webhooks/message.ts'
import {
  afterFailure,
  attemptCap,
  type Health,
  healthy,
  nextAttemptMs,
  type Outcome,
  retryAfterOf,
} from '../../src/events/webhooks/schedule.ts'
import { Sender } from '../../src/events/webhooks/sender.ts'

/** The rules of webhooks, without a database: times, signatures, and which addresses may be reached. */

const failed: Outcome = { status: 500, error: undefined, retryAfterMs: undefined }
const hour = 3_600_000
const message: Message = { id: 'evt_1_0123456789abcdef', body: '{}', isReplay: false }

/** Fails attempt by attempt, each at its time. */
function failing(ordered: boolean, outcome = failed, times = 100): { health: Health; atMs: number }[] {
  const found: { health: Health; atMs: number }[] = []
  let [health, atMs] = [healthy, 0]
  for (let turn = 0; turn < times && health.state !== 'disabled'; turn++) {
    health = afterFailure(health, { outcome, nowMs: atMs, ordered, parked: 0 })
    found.push({ health, atMs })
    atMs = health.nextAtMs ?? atMs + 1
  }
  return found
}

describe('the schedule', () => {
  it('tries an event after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then no more', () => {
    const times = Array.from({ length: attemptCap }, (_, at) => nextAttemptMs(at + 1, failed, 0))
    const minutes = [5 / 60, 5, 30, 120, 300, 600, 600]
    assert.deepEqual(times, [...minutes.map((minute) => Math.round(minute * 60_000)), undefined])
  })

  it('waits as long as a receiver requests, up to an hour, and never shorter', () => {
    const busy = (retryAfterMs: number) => ({ ...failed, status: 503, retryAfterMs })
    assert.equal(nextAttemptMs(1, busy(60_000), 0), 60_000)
    assert.equal(nextAttemptMs(1, busy(9 * hour), 0), hour)
    assert.equal(nextAttemptMs(4, busy(1_000), 0), 2 * hour)
    assert.equal(retryAfterOf('120', 0), 120_000)
    assert.equal(retryAfterOf(new Date(90_000).toUTCString(), 30_000), 60_000)
    assert.equal(retryAfterOf('soon', 0), undefined)
  })

  it('repeats the last interval in order, waits from the eighth attempt, disables after 5 days', () => {
    const all = failing(true)
    const hours = all.map(({ atMs }) => atMs / hour)
    const last = all.at(-1)
    assert.equal(last?.health.state, 'disabled')
    assert.ok((hours.at(-1) ?? 0) >= 120 && (hours.at(-2) ?? 0) < 120, hours.join())
    assert.deepEqual(
      all.map(({ health }) => health.state),
      all.map((_, at) => (at === all.length - 1 ? 'disabled' : at >= 7 ? 'waiting' : 'active')),
    )
    assert.equal((hours[9] ?? 0) - (hours[8] ?? 0), 10)
  })

  it('lets a parallel webhook wait after 20 failures in a row, or with 100 parked events', () => {
    const states = failing(false, failed, 21).map(({ health }) => health.state)
    assert.deepEqual([states[18], states[19], states[20]], ['active', 'waiting', 'waiting'])
    const full = afterFailure(healthy, { outcome: failed, nowMs: 0, ordered: false, parked: 100 })
    assert.deepEqual([full.state, full.nextAtMs], ['waiting', 5_000])
  })

  it('does not disable after 5 days with fewer than 10 failures, and does at once after 410', () => {
    const since = { ...healthy, failures: 8, failingSinceMs: 0 }
    const at = { outcome: failed, nowMs: 121 * hour, ordered: false, parked: 1 }
    const ninth = afterFailure(since, at)
    assert.equal(ninth.state, 'active')
    assert.equal(afterFailure(ninth, at).state, 'disabled')
    assert.equal(afterFailure(healthy, { ...at, outcome: { ...failed, status: 410 } }).state, 'disabled')
  })
})

describe('a signature', () => {
  it('is accepted by the reference library, with each of two secrets, and not with a third', () => {
    const secrets = [makeSecret(), makeSecret()]
    const headers = signedHeaders(message, secrets, Date.now())
    for (const secret of secrets) new Webhook(secret).verify(message.body, headers)
    assert.throws(() => new Webhook(makeSecret()).verify(message.body, headers))
  })
})

const closed = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
]
const open = ['8.8.8.8', '93.184.215.14', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e']

const literal = (address: string) => new URL(`https://${address.includes(':') ? `[${address}]` : address}/`)
const named = new URL('https://receiver.example/')

/** What a connection to this name would be made to. */
function lookUp(guard: AddressGuard, url: URL): Promise<unknown> {
  const run = promisify<string, object, unknown>(guard.lookupFor(url) as never)
  return run(url.hostname, { all: true })
}

const guardFor = (addresses: readonly string[], allow: readonly string[] = []) =>
  new AddressGuard(allow, async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  )

describe('the address guard', () => {
  it('closes private, local, shared, translated and metadata addresses, written or resolved', async () => {
    for (const address of closed) {
      assert.ok(new AddressGuard([]).problemOf(literal(address)), `${address} is open`)
      await assert.rejects(lookUp(guardFor([address]), named), /not on the public internet/, address)
    }
    for (const address of open) {
      assert.equal(new AddressGuard([]).problemOf(literal(address)), undefined, address)
      assert.ok(await lookUp(guardFor([address]), named))
    }
  })

  it('closes a name with one closed address among open ones', async () => {
    await assert.rejects(lookUp(guardFor(['8.8.8.8', '10.0.0.1']), named), /not on the public internet/)
  })

  it('closes other spellings of a loopback address', () => {
    for (const host of ['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::ffff:7f00:1]'])
      assert.ok(new AddressGuard([]).problemOf(new URL(`https://${host}/`)), host)
  })

  it('opens what is allowed by name or range, and nothing else', async () => {
    assert.ok(await lookUp(guardFor(['10.0.0.5'], ['10.0.0.0/24']), named))
    await assert.rejects(lookUp(guardFor(['10.0.1.5'], ['10.0.0.0/24']), named))
    assert.ok(await lookUp(guardFor(['10.9.9.9'], ['receiver.example']), named))
    await assert.rejects(lookUp(guardFor(['10.9.9.9'], ['other.example']), named))
  })

  it('allows http for loopback alone, and only if it is allowed', () => {
    const problem = (url: string, allow: readonly string[]) => new AddressGuard(allow).problemOf(new URL(url))
    assert.equal(problem('http://127.0.0.1:3000/', ['127.0.0.0/8']), undefined)
    assert.ok(problem('http://127.0.0.1:3000/', []))
    assert.ok(problem('http://10.0.0.1/', ['10.0.0.0/8']))
    assert.ok(problem('http://example.com/', ['example.com']))
    assert.ok(problem('http://8.8.8.8/', ['8.8.8.8']))
  })

  it('connects to the address that it has checked, though the name leads elsewhere later', async () => {
    const victim = createServer((_, response) => void response.end())
    victim.listen(0, '127.0.0.1')
    await once(victim, 'listening')
    let [asked, hits] = [0, 0]
    victim.on('connection', () => {
      hits += 1
    })
    // The first answer is public and leads nowhere; every later one is the victim.
    const guard = new AddressGuard([], async () => {
      asked += 1
      return [{ address: asked === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }]
    })
    const open = new AddressGuard(['192.0.2.1'], async () => {
      asked += 1
      return [{ address: asked === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }]
    })
    const { port } = victim.address() as AddressInfo
    const target = { url: new URL(`https://rebinding.example:${port}/`), secrets: [makeSecret()] }
    for (const one of [guard, open]) {
      asked = 0
      const sender = new Sender({ guard: one, agentName: 'test', timeoutMs: 300 })
      const first = await sender.send(target, message)
      assert.equal(first.status, undefined)
      assert.equal(asked, 1, 'the name was resolved again')
      assert.match((await sender.send(target, message)).error ?? '', /not on the public internet/)
      sender.close()
    }
    assert.equal(hits, 0)
    victim.close()
  })
})

describe('the sender', () => {
  const sending = async (receiver: Receiver, timeoutMs = 400) => {
    const guard = new AddressGuard(['127.0.0.0/8'])
    const sender = new Sender({ guard, agentName: 'test', timeoutMs })
    const target = { url: new URL(receiver.url), secrets: [makeSecret()] }
    try {
      return await sender.send(target, message)
    } finally {
      sender.close()
    }
  }

  it('gives up on a response that arrives byte by byte', async () => {
    const receiver = await Receiver.start()
    receiver.respond = (_, response) => {
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    }
    const { status, error, durationMs } = await sending(receiver)
    receiver.close()
    assert.deepEqual([status, error], [undefined, 'No complete response in 0.4 s.'])
    assert.ok(durationMs < 2_000)
  })

  it('gives up on a receiver that does not respond', async () => {
    const receiver = await Receiver.start()
    receiver.respond = () => {}
    assert.equal((await sending(receiver)).error, 'No complete response in 0.4 s.')
    receiver.close()
  })

  it('sends nothing without a secret', async () => {
    const receiver = await Receiver.start()
    const sender = new Sender({ guard: new AddressGuard(['127.0.0.0/8']), agentName: 'test' })
    const sent = await sender.send({ url: new URL(receiver.url), secrets: [] }, message)
    assert.match(sent.error ?? '', /can’t be decrypted/)
    assert.equal(receiver.got.length, 0)
    sender.close()
    receiver.close()
  })
})
