import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebhookData } from '../../sdk/src/index.ts'
import { verifyWebhook } from '../../sdk/src/webhooks.ts'
import { eventOfEntry as sent } from '../../server/src/events/webhooks/eventTypes.ts'
import { eventTypes as known } from '../../server/src/events/webhooks/index.ts'
import { rich } from '../../tests/support/fixture.ts'
import { Receiver } from '../../tests/support/receiver.ts'
import { suite } from '../../tests/support/suite.ts'
import { eventOfEntry, eventTypes } from '../src/webhook.ts'
import { commandLine, realmWithKey } from './support/realm.ts'

let cli: ReturnType<typeof commandLine>
let receiver: Receiver
suite({ WEBHOOK_ALLOW: '127.0.0.0/8' }, async ({ app: { url } }) => {
  receiver = await Receiver.start()
  cli = commandLine(url, await realmWithKey(url, { name: 'Guild', point: { id: 'gold' } }))
  await cli.run(`members create ${rich} --username ada`)
})
after(() => receiver.close())

const webhook = (id: string) => cli.json<WebhookData>(`webhooks show ${id}`)

async function create(flags = ''): Promise<string> {
  const { code, err } = await cli.run(`webhooks create ${receiver.url} ${flags}`)
  assert.equal(code, 0, err)
  return /^Webhook (\d+)\. /.exec(err)?.[1] ?? ''
}

async function until(id: string, isSo: (one: WebhookData) => boolean): Promise<void> {
  for (const endMs = Date.now() + 20_000; !isSo(await webhook(id)); await sleep(50))
    assert.ok(Date.now() < endMs, 'not within 20 seconds')
}

it('the event types are those of the server', () => {
  assert.deepEqual(eventTypes, known)
  assert.deepEqual(eventOfEntry, sent)
})

describe('webhooks', () => {
  it('are created, tested, listed, changed, get another secret, and are deleted', async () => {
    const made = await cli.run(
      `webhooks create ${receiver.url} --types points.adjusted,balance.crossed --threshold gold:100 ` +
        '--description "the shop" --include-details yes',
    )
    assert.equal(made.code, 0, made.err)
    const secret = made.out.trim()
    const [, id = ''] = /^Webhook (\d+)\. Its secret is shown only once/.exec(made.err) ?? []
    const shown = await webhook(id)
    assert.deepEqual(shown.types, ['points.adjusted', 'balance.crossed'])
    assert.deepEqual([shown.description, shown.includeDetails, shown.ordered], ['the shop', true, false])
    assert.deepEqual(
      shown.thresholds.map(({ realmPointId, tokens }) => [realmPointId, tokens]),
      [['gold', 100]],
    )
    receiver.respond = (_, response) => void response.end('thank you')
    const tested = await cli.run(`webhooks test ${id}`)
    assert.equal(tested.code, 0, tested.err)
    assert.match(tested.out, /^status +200$/m)
    assert.match(tested.out, /^answer +thank you$/m)
    const got = receiver.got.at(-1)
    assert.ok(got)
    assert.equal((await verifyWebhook(got.headers, got.body, secret)).type, 'endpoint.test')
    assert.match((await cli.run('webhooks list')).out, /the shop +active +0 +0$/m)

    const changed = await cli.run(`webhooks update ${id} --types all --description "" --no-thresholds`)
    assert.equal(changed.code, 0, changed.err)
    assert.match(changed.out, /^events +all$/m)
    const { description, thresholds } = await webhook(id)
    assert.deepEqual([description, thresholds], [null, []])
    const rotated = await cli.run(`webhooks rotate ${id} --overlap-seconds 3600`)
    assert.match(rotated.out, /^whsec_\S+\n$/)
    assert.notEqual(rotated.out.trim(), secret)
    assert.match(rotated.err, /The old one signs until /)
    assert.equal((await cli.run(`webhooks delete ${id}`)).code, 5, 'not without a confirmation')
    assert.equal((await cli.run(`webhooks delete ${id} --yes`)).out, `Webhook ${id} is deleted.\n`)
    assert.match((await cli.run('webhooks list')).err, /There are no webhooks\./)
  })

  it('send entries again, and list what was sent', async () => {
    const id = await create()
    receiver.respond = (_, response) => void response.end()
    const count = receiver.got.length
    await cli.run(`points award ${rich} 5`)
    await receiver.until(count + 1)
    await until(id, ({ behind }) => behind === 0)
    const { seq } = await webhook(id)
    assert.equal((await cli.run(`webhooks replay ${id}`)).code, 2)
    const replayed = await cli.run(`webhooks replay ${id} --from ${seq}`)
    assert.equal(replayed.code, 0, replayed.err)
    const got = await receiver.until(count + 2)
    assert.deepEqual(got.at(-1)?.id, got.at(-2)?.id)
    await until(id, ({ replay }) => replay === null)
    const { out } = await cli.run(`deliveries list ${id}`)
    assert.match(out, new RegExp(`evt_${seq}_\\S+ +points\\.adjusted \\(replay\\) +1 +200 `))
    assert.match((await cli.run(`deliveries list ${id} --failed`)).err, /Nothing has failed\./)
    await cli.run(`webhooks delete ${id} --yes`)
  })

  it('that fail say what to do: fix, skip, or make active again', async () => {
    const id = await create('--ordered yes')
    receiver.respond = (_, response) => void response.writeHead(500).end('the database is down')
    await cli.run(`points award ${rich} 1`)
    await until(id, ({ blockedEventId }) => blockedEventId !== null)
    const stopped = await cli.run(`webhooks show ${id}`)
    assert.match(stopped.out, /^state +waiting$/m)
    assert.match(stopped.err, new RegExp(`exchequer webhooks skip ${id}\n`))
    assert.match((await cli.run(`deliveries list ${id} --failed`)).out, / 500 .*the database is down$/m)
    const tested = await cli.run(`webhooks test ${id}`)
    assert.equal(tested.code, 1)
    assert.match(tested.out, /^status +500$/m)
    assert.equal((await cli.run(`webhooks skip ${id}`)).code, 5)
    assert.equal((await cli.run(`webhooks skip ${id} --yes`)).code, 0)
    await until(id, ({ behind }) => behind === 0)
    const again = await cli.run(`webhooks skip ${id} --yes`)
    assert.equal(again.code, 1)
    const disabled = await cli.run(`webhooks update ${id} --state disabled`)
    assert.match(disabled.err, new RegExp(`exchequer webhooks update ${id} --state active\n`))
    assert.match((await cli.run(`webhooks update ${id} --state active`)).out, /^state +active$/m)
    await cli.run(`webhooks delete ${id} --yes`)
  })

  it('with a wrong type, threshold or state are reported before anything is sent', async () => {
    for (const [line, message] of [
      [`webhooks create ${receiver.url} --types points.adusted`, /"points\.adusted" is not an event type/],
      [`webhooks create ${receiver.url} --threshold 100`, /--threshold takes TYPE:POINTS/],
      [`webhooks create ${receiver.url} --ordered maybe`, /--ordered/],
      ['webhooks update 1', /Nothing to change/],
      ['webhooks update 1 --threshold gold:1 --no-thresholds', /not both/],
    ] as const) {
      const { code, err } = await cli.run(line)
      assert.equal(code, 2, line)
      assert.match(err, message)
    }
  })
})
