import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../../tests/support/call.ts'
import { type Haproxy, startHaproxy } from '../../../tests/support/haproxy.ts'
import { Stub } from '../../../tests/support/stubs.ts'

/** deploy/haproxy in front of four processes of one cell: which of them gets a request. */

const realms = Array.from({ length: 200 }, (_, index) => `realm-${index}`)
const stubs: Stub[] = []
let haproxy: Haproxy
let below: Haproxy

before(async () => {
  for (const name of ['a', 'b', 'c', 'd']) stubs.push(await Stub.start(name))
  const cells = [stubs.map(({ address }) => address)]
  haproxy = await startHaproxy({ cells })
  below = await startHaproxy({ cells, basePath: '/points' })
})
after(async () => {
  await haproxy?.stop()
  await below?.stop()
  for (const stub of stubs) await stub.kill()
})

const pathOf = (realm: string) => `/api/v4/realms/${realm}/members/7`

async function processOf(path: string, { url } = haproxy): Promise<string> {
  const { status, text } = await call('GET', url + path)
  assert.equal(status, 200, text)
  return text
}

/** On a connection of its own: on one that was used before, HAProxy closes it instead of answering. */
async function sendAlone(method: string, url: string): Promise<{ status: number; code: string }> {
  const sending = request(url, { method, agent: false })
  sending.end()
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  const body = (await json(response)) as { code: string }
  return { status: response.statusCode ?? 0, code: body.code }
}

async function homes(order = realms): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const realm of order) found.set(realm, await processOf(pathOf(realm)))
  return found
}

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  for (const untilMs = Date.now() + 5_000; !(await isSo()); await sleep(50))
    assert.ok(Date.now() < untilMs, otherwise)
}

const encoded = (id: string): string =>
  Array.from(id, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')

/** The four forms of paths with a realm's id. */
const formsOf = (id: string): string[] => [
  `/api/v4/realms/${id}/members/7?point=gold`,
  `/operator/v1/realms/${id}`,
  `/boards/${id}`,
  `/boards/${id}/leaderboard?limit=5`,
  `/link/${id}.c2VjcmV0`,
  `/link/${id}.c2VjcmV0/details`,
]

describe('HAProxy in front of one cell', () => {
  it('sends a realm to one process, and the realms to all of them', async () => {
    const first = await homes()
    assert.deepEqual(await homes(realms.toReversed()), first)
    const counts = stubs.map(({ name }) => [...first.values()].filter((one) => one === name).length)
    // Four processes with 200 realms: 50 each, were it even.
    assert.ok(Math.min(...counts) >= 20, `uneven: ${counts.join(', ')}`)
  })

  it('finds the realm in each of the four forms of paths, percent-encoded too', async () => {
    for (const realm of realms.slice(0, 20)) {
      const home = await processOf(pathOf(realm))
      for (const path of [...formsOf(realm), ...formsOf(encoded(realm))])
        assert.equal(await processOf(path), home, path)
    }
  })

  it('finds the realm under a base path, whether or not the request has it', async () => {
    for (const realm of realms.slice(0, 20)) {
      const home = await processOf(pathOf(realm))
      for (const path of formsOf(realm)) {
        assert.equal(await processOf(`/points${path}`, below), home, path)
        assert.equal(await processOf(path, below), home, path)
      }
    }
  })

  it('spreads requests without a realm over all processes', async () => {
    const found = new Set<string>()
    for (let count = 0; count < 12; count++) found.add(await processOf('/console'))
    assert.equal(found.size, stubs.length)
  })

  it('sends the realms of a killed process to others at once, and back when it returns', async () => {
    const first = await homes()
    const [gone] = stubs
    assert.ok(gone)
    await gone.kill()
    const meanwhile = await homes()
    for (const [realm, home] of meanwhile) {
      if (first.get(realm) === gone.name) assert.notEqual(home, gone.name)
      else assert.equal(home, first.get(realm), `${realm} moved though its process lives`)
    }
    const others = [...meanwhile].filter(([realm]) => first.get(realm) === gone.name)
    assert.ok(new Set(others.map(([, home]) => home)).size > 1, 'all went to one process')
    await gone.start()
    const moved = realms.find((realm) => first.get(realm) === gone.name) ?? ''
    await until(async () => (await processOf(pathOf(moved))) === gone.name, 'it gets no requests again')
    assert.deepEqual(await homes(), first)
  })

  it('takes a draining process out, and a request that it has begun is answered', async () => {
    const first = await homes()
    const [, draining] = stubs
    assert.ok(draining)
    const own = realms.find((realm) => first.get(realm) === draining.name) ?? ''
    draining.answersAfterMs = 1_500
    const begun = processOf(pathOf(own))
    while (draining.received.at(-1) !== `GET ${pathOf(own)}`) await sleep(10)
    draining.answersAfterMs = 0
    draining.isReady = false
    await until(async () => (await processOf(pathOf(own))) !== draining.name, 'it still gets requests')
    assert.equal(await begun, draining.name)
    draining.isReady = true
    await until(async () => (await processOf(pathOf(own))) === draining.name, 'it gets no requests again')
  })

  it('never repeats a request that a process may have received', async () => {
    const path = `${pathOf('realm-1')}/tokenBalance`
    const receipts = () => stubs.flatMap(({ received }) => received).filter((one) => one.endsWith(path))
    for (const stub of stubs) stub.isCrashing = true
    try {
      for (const method of ['PATCH', 'POST', 'GET']) {
        const { status, code } = await sendAlone(method, haproxy.url + path)
        assert.deepEqual([status, code], [503, 'outcome_unknown'])
      }
      assert.deepEqual(receipts(), [`PATCH ${path}`, `POST ${path}`, `GET ${path}`])
    } finally {
      for (const stub of stubs) stub.isCrashing = false
    }
  })

  it('answers 503 unavailable when no process received the request', async () => {
    for (const stub of stubs) await stub.kill()
    try {
      const {
        status,
        json: body,
        headers,
      } = await call('PATCH', haproxy.url + pathOf('realm-1'), { body: {} })
      assert.deepEqual([status, body.code, headers['retry-after']], [503, 'unavailable', '1'])
    } finally {
      for (const stub of stubs) await stub.start()
    }
  })
})
