import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { rowsOf } from '../../tests/support/books.ts'
import { call } from '../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../tests/support/manager.ts'
import { operate } from '../../tests/support/operator.ts'
import { tokenIn, useLink } from '../../tests/support/person.ts'
import {
  environment,
  keySecrets as first,
  runCommand,
  startServerProcess,
} from '../../tests/support/process.ts'
import { Receiver } from '../../tests/support/receiver.ts'
import { freshDatabase, type Suite, type TestDatabase } from '../../tests/support/suite.ts'
import { scopes } from '../src/keys/index.ts'

/** KEY_SECRETS is replaced: k1 by k2, until nothing needs k1. */
const second = `k2:${'e'.repeat(64)}`
const both = `${second},${first}`

let database: TestDatabase
let receiver: Receiver
let guild: ManagedRealm
let webhook: { readonly id: string; readonly secret: string }
/** Texts of keys that were issued with k1. */
let old: string[]

const env = (secrets: string) =>
  environment(database, { KEY_SECRETS: secrets, WEBHOOK_ALLOW: '127.0.0.0/8', PORT: '0' })

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests look at
async function json(line: string, secrets: string): Promise<any> {
  const { code, out, err } = await runCommand(line.split(' '), env(secrets))
  assert.equal(code, 0, err)
  return JSON.parse(out)
}

/** What `secret list` prints for one secret. */
async function usesOf(id: string, secrets: string) {
  const { secrets: all } = await json('secret list', secrets)
  return all.find((one: { id: string }) => one.id === id)
}

async function serve<T>(secrets: string, work: (url: string) => Promise<T>): Promise<T> {
  const server = await startServerProcess(env(secrets))
  try {
    return await work(server.baseUrl)
  } finally {
    await server.stop()
  }
}

const statusOf = async (url: string, key: string) =>
  (await call('GET', `${url}/api/v4/realms/guild`, { key })).status

before(async () => {
  database = await freshDatabase()
  receiver = await Receiver.start()
  const { link } = await json('operator invite Bo', first)
  await json('operator invite Cy', first)
  await json('token issue ann', first)
  await serve(first, async (url) => {
    guild = await managed({ database, app: { url } } as Suite, { id: 'guild' })
    const { json: manager } = await operate(url, 'POST /realms/guild/keys', { name: 'third' })
    old = [guild.key, manager.key]
    webhook = (await guild.send('POST /webhooks', { url: receiver.url })).json
    await useLink(url, tokenIn(link))
  })
})
after(async () => {
  receiver?.close()
  await database?.drop()
})

describe('a secret that is replaced', () => {
  it('is needed by keys, webhooks, tokens, links and sessions that it was used for', async () => {
    const { sessionTokens, ...uses } = await usesOf('k1', both)
    const ofPeople = { operatorTokens: 1, invitations: 1, sessions: 1 }
    const counts = { keys: 3, webhooks: 1, ...ofPeople, realms: ['guild'] }
    assert.deepEqual(uses, { id: 'k1', isConfigured: true, isCurrent: false, isNeeded: true, ...counts })
    assert.ok(sessionTokens <= 1)
    const next = await usesOf('k2', both)
    assert.deepEqual([next.isCurrent, next.isNeeded, next.keys, next.realms], [true, false, 0, []])
  })

  it('is reported when it is missing, with the webhooks that no other secret decrypts', async () => {
    const { secrets, unreadableWebhooks } = await json('secret list', second)
    const { isConfigured, isNeeded, keys } = secrets.find(({ id }: { id: string }) => id === 'k1')
    assert.deepEqual([isConfigured, isNeeded, keys, unreadableWebhooks], [false, true, 3, 1])
    const { err } = await runCommand(['secret', 'list'], env(`k1:${'f'.repeat(64)}`))
    assert.match(err, /KEY_SECRETS has another secret under the id k1/)
  })

  it('is not needed by webhooks any more once these are encrypted again', async () => {
    assert.deepEqual(await json('secret encrypt', both), { cell: 0, secret: 'k2', webhooks: 1 })
    assert.deepEqual(await json('secret encrypt', both), { cell: 0, secret: 'k2', webhooks: 0 })
    assert.equal((await usesOf('k1', both)).webhooks, 0)
    assert.equal((await usesOf('k2', both)).webhooks, 1)
  })

  it('is needed until the last key is rotated or revoked, and then by nothing', async () => {
    const fresh = await serve(both, async (url) => {
      for (const key of old) assert.equal(await statusOf(url, key), 200)
      const rotated = await operate(url, 'POST /realms/guild/keys/1/rotate', { overlapSeconds: 0 })
      await operate(url, 'DELETE /realms/guild/keys/2')
      await operate(url, 'DELETE /tokens/1')
      return rotated.json.key as string
    })
    await rowsOf(database.superuserUrl, 'update invitations set expires_at = now()')
    await rowsOf(database.superuserUrl, 'update sessions set expires_at = now()')
    await rowsOf(database.superuserUrl, 'update session_keys set expires_at = now()')
    const left = await usesOf('k1', both)
    assert.deepEqual([left.isNeeded, left.keys, left.realms], [true, 1, ['guild']])
    await serve(both, (url) => operate(url, 'DELETE /realms/guild/keys/3'))
    const { isNeeded, realms } = await usesOf('k1', both)
    assert.deepEqual([isNeeded, realms], [false, []])
    await serve(second, async (url) => {
      assert.equal(await statusOf(url, fresh), 200)
      for (const key of old) assert.equal(await statusOf(url, key), 401)
      const { json: sender } = await operate(url, 'POST /realms/guild/keys', { scopes })
      const path = `${url}/api/v4/realms/guild/webhooks/${webhook.id}/test`
      assert.equal((await call('POST', path, { key: sender.key, body: {} })).status, 200)
    })
    const [got] = await receiver.until(1)
    assert.ok(got)
    new Webhook(webhook.secret).verify(got.body, got.headers)
    assert.equal(await usesOf('k1', second), undefined)
  })
})
