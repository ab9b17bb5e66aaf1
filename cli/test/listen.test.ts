import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { Realm } from '../../sdk/src/index.ts'
import { verifyWebhook, type WebhookEvent } from '../../sdk/src/webhooks.ts'
import { empty, poor, rich } from '../../tests/support/fixture.ts'
import { suite } from '../../tests/support/suite.ts'
import { commandLine, realmWithKey } from './support/realm.ts'
import { main, words } from './support/run.ts'

let cli: ReturnType<typeof commandLine>
let realm: Realm
suite({}, async ({ app }) => {
  const { id, key } = await realmWithKey(app.url, { unknownMembers: 'create' })
  cli = commandLine(app.url, { id, key })
  realm = new Realm({ url: app.url, realm: id, key })
  await realm.member(rich).adjust(100)
})

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

type Received = { readonly headers: Record<string, string>; readonly body: string }

/** A receiver on this machine, and what it has received. */
async function receiver(test: TestContext, statuses: readonly number[] = []) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const status = statuses[received.length] ?? 204
      received.push({ headers: request.headers as Record<string, string>, body })
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  test.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, port, received }
}

/** Starts a command line, and waits until it follows. */
async function start(test: TestContext, line: string) {
  const env = { ...cli.env, PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' }
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [main, ...words(line)], { env })
  test.after(() => child.kill('SIGKILL'))
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk
  })
  for (let tries = 0; !said.err.includes('Press Ctrl-C') && tries < 500; tries++) await sleep(20)
  return { child, said, ended: once(child, 'close') as Promise<[number | null, string | null]> }
}

describe('listen', () => {
  it('sends every change as a signed webhook, in order, with its id and links', async (test) => {
    const { url, received } = await receiver(test)
    const { said, ended } = await start(test, `listen --forward-to ${url} --count 8`)
    const { seq: head } = await realm.head()
    const { transactionId } = await realm.member(rich).adjust(5, { reason: 'secret to the receiver' })
    await realm.member(rich).transfer(poor, 3)
    const hold = await realm.member(rich).hold(10)
    await hold.capture({ tokens: 4 })
    await realm.batch([
      { member: rich, tokens: 1 },
      { member: empty, tokens: 2 },
    ])
    await realm.reverse(transactionId)
    const [code] = await ended
    assert.equal(code, 0, said.err)
    const [, printed = ''] = /The signing secret is (whsec_\S+)/.exec(said.err) ?? []
    const events: WebhookEvent[] = []
    for (const { headers, body } of received) {
      new Webhook(printed).verify(body, headers)
      events.push(await verifyWebhook(headers, body, printed))
    }
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        'points.adjusted',
        'points.transferred',
        'hold.created',
        'hold.captured',
        'hold.released',
        'points.adjusted',
        'points.adjusted',
        'points.reversed',
      ],
    )
    const { data: entries } = await realm.journal({ cursor: head }).page()
    assert.deepEqual(
      events.map(({ id }) => id),
      entries.map(({ seq, hash }) => `evt_${seq}_${hash.slice(0, 16)}`),
    )
    const data = events.map((event) => event.data as Record<string, unknown>)
    const [first, second, third, fourth, , sixth, seventh, last] = entries.map(({ seq }) => seq)
    assert.deepEqual(data[1], {
      seq: second,
      previous: first,
      realmId: realm.id,
      transactionId: second,
      realmPointId: entries[1]?.realmPointId,
      tokens: 3,
      fromId: rich,
      fromBalance: 102,
      toId: poor,
      toBalance: 3,
      reverses: null,
      holdId: null,
      awardId: null,
      batchId: null,
    })
    assert.deepEqual([data[0]?.['previous'], data[0]?.['batchId']], [null, null])
    assert.deepEqual(
      [third, fourth].map((seq) => data.find((one) => one['seq'] === seq)?.['holdId']),
      [third, third],
    )
    assert.deepEqual([data[5]?.['batchId'], data[6]?.['batchId'], seventh && sixth], [sixth, sixth, sixth])
    assert.deepEqual([data[7]?.['seq'], data[7]?.['reverses']], [last, first])
    assert.ok(!received.some(({ body }) => body.includes('secret to the receiver')))
    const lines = said.out.trimEnd().split('\n')
    for (const [index, { id, type }] of events.entries())
      assert.match(lines[index] ?? '', new RegExp(`^${type} +${id}  204  \\d+ ms$`))
    assert.equal(lines.length, 8)
  })

  it('with a given secret, from any entry on, with details, and as JSON', async (test) => {
    const { port, received } = await receiver(test, [500, 302])
    await realm.member(rich).adjust(1, { reason: 'a quest', metadata: { day: 3 } })
    const { seq } = await realm.head()
    const options = `--after ${Number(seq) - 1} --count 1 --secret ${secret} --include-details --json`
    const { code, out, err } = await cli.run(`listen --forward-to localhost:${port}/hook ${options}`)
    assert.equal(code, 0, err)
    assert.doesNotMatch(err + out, /whsec_/)
    const { headers, body } = received[0] as Received
    const { id, data } = await verifyWebhook(headers, body, secret)
    const { reason, metadata, actorId } = data as Record<string, unknown>
    assert.deepEqual([reason, metadata, actorId], ['a quest', { day: 3 }, null])
    const { ms, ...rest } = JSON.parse(out) as Record<string, unknown>
    assert.deepEqual([rest, typeof ms], [{ id, type: 'points.adjusted', status: 500 }, 'number'])
    const moved = await cli.run(`listen --forward-to localhost:${port}/hook ${options}`)
    assert.deepEqual([JSON.parse(moved.out).status, received.length], [302, 2])
  })

  it('goes on when the receiver does not answer', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    closed.close()
    const { seq } = await realm.head()
    const options = `--after ${Number(seq) - 2} --count 2`
    const { code, out } = await cli.run(`listen --forward-to http://127.0.0.1:${port}/ ${options}`)
    assert.equal(code, 0)
    assert.match(out, /^(points\.\S+ +evt_\S+ {2}no answer: ECONNREFUSED {2}\d+ ms\n){2}$/)
  })
})

for (const line of ['journal follow', 'listen --forward-to localhost:9'])
  it(`Ctrl-C ends ${line} with 130`, async (test) => {
    const { child, said, ended } = await start(test, line)
    await sleep(300)
    child.kill('SIGINT')
    assert.deepEqual(await ended, [130, null], said.err)
    assert.doesNotMatch(said.err, /exchequer:|Error/)
  })
