import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../../../tests/support/manager.ts'
import { assertProblem } from '../../../../tests/support/problem.ts'
import { suite, testConfig } from '../../../../tests/support/suite.ts'
import { type App, startApp } from '../../../src/app/index.ts'
import { ConfigError } from '../../../src/config/index.ts'
import { createCheckpointKey } from '../../../src/events/checkpoints/index.ts'

const name = 'points.example.com'
const [key, old] = [createCheckpointKey(name), createCheckpointKey('old.example.com')]
const settings = { CHECKPOINT_KEY: `${key?.signer},${old?.verifier}` }

let open: ManagedRealm
let shut: ManagedRealm
let postedAtMs: number
const made = suite(settings, async (suited) => {
  open = await managed(suited, { unknownMembers: 'create' })
  shut = await managed(suited, { unknownMembers: 'create' })
  await open.send('PATCH ', { publicBoard: true })
  for (const realm of [open, shut]) await realm.send('PATCH /members/1/tokenBalance', { tokens: 5 })
  postedAtMs = Date.now()
})

const oldEnoughMs = 10_300
const head = async (realm: ManagedRealm) => (await realm.send('GET /journal')).json.head
const board = (path: string) => call('GET', `${made.app.url}/boards/${path}`)

describe('an entry', () => {
  it('is signed once it is 10 seconds old, and the note stays the same for 10 seconds', async () => {
    const early = await managed(made, { unknownMembers: 'create' })
    await early.send('PATCH /members/1/tokenBalance', { tokens: 5 })
    const { origin } = (await early.send('GET /journal')).json
    const { status, json: before, text } = await early.send('GET /checkpoint')
    assert.equal(status, 200, text)
    assert.deepEqual([before.seq, before.hash], ['0', origin])
    await sleep(5_000)
    assert.deepEqual((await early.send('GET /checkpoint')).json, before)
    await early.send('PATCH /members/1/tokenBalance', { tokens: 5 })
    await sleep(oldEnoughMs - 5_000)
    const { json: later } = await early.send('GET /checkpoint')
    assert.equal(later.seq, '1')
    assert.equal(later.hash, (await early.send('GET /entries/1')).json.hash)
    assert.equal(later.origin, `${name}/realms/${early.id}/journal`)
    assert.ok(Math.abs(Date.now() - Date.parse(later.signedAt)) < 5_000)
    const [first, seq, hash, form, time] = later.note.split('\n')
    assert.deepEqual([first, seq, form], [later.origin, '1', 'exchequer-hash-chain 1'])
    assert.equal(Buffer.from(hash, 'base64').toString('hex'), later.hash)
    assert.equal(time, `signed-at ${later.signedAt}`)
  })
})

describe('a realm with a public leaderboard', () => {
  before(() => sleep(Math.max(0, postedAtMs + oldEnoughMs - Date.now())))

  it('has a public note, and its page a link to it', async () => {
    const { status, text, headers } = await board(`${open.id}/checkpoint`)
    assert.equal(status, 200, text)
    const { seq } = await head(open)
    assert.match(text, new RegExp(`^${name}/realms/${open.id}/journal\n${seq}\n`))
    assert.match(text, new RegExp(`\n\n— ${name} [A-Za-z0-9+/]{91}=\n$`))
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    assert.equal(headers['access-control-allow-origin'], '*')
    const page = await board(open.id)
    const [, link = ''] = /<footer><a href="([^"]+)"/.exec(page.text) ?? []
    const target = new URL(link, `${made.app.url}/boards/${open.id}?period=week`)
    assert.equal(target.pathname, `/boards/${open.id}/checkpoint`)
  })

  it('is the only one: any other is not found, as if it did not exist', async () => {
    const [hidden, absent] = [await board(`${shut.id}/checkpoint`), await board('absent/checkpoint')]
    for (const answer of [hidden, absent]) {
      assertProblem(answer, 404, 'route_not_found')
      assert.equal(answer.headers['access-control-allow-origin'], '*')
    }
    assert.equal(hidden.json.detail, absent.json.detail)
  })
})

describe('a key', () => {
  it('needs the scope journal:read', async () => {
    const send = await open.without('journal:read')
    assertProblem(await send('GET /checkpoint'), 403, 'insufficient_scope')
  })

  it('that signs is published, and so are older ones', async () => {
    const { status, json, headers } = await call('GET', `${made.app.url}/checkpoint-keys`)
    assert.equal(status, 200)
    assert.equal(headers['access-control-allow-origin'], '*')
    const [signing, retired] = json.data
    assert.deepEqual(json.data.length, 2)
    assert.deepEqual([signing.key, signing.status, signing.name], [key?.verifier, 'signing', name])
    assert.deepEqual([retired.key, retired.status], [old?.verifier, 'retired'])
    assert.ok(signing.key.includes(`+${signing.id}+`))
  })
})

describe('a server without CHECKPOINT_KEY', () => {
  let plain: App
  before(async () => {
    plain = await startApp(testConfig(made.database))
  })
  after(() => plain?.close())

  it('refuses to sign, publishes no key, and its page has no link', async () => {
    const issued = await open.send('POST /keys', { name: 'reader', scopes: ['journal:read'] })
    const url = `${plain.url}/api/v4/realms/${open.id}/checkpoint`
    const refused = await call('GET', url, { key: issued.json.key })
    assertProblem(refused, 404, 'not_set_up')
    assert.match(refused.json.detail, /CHECKPOINT_KEY/)
    assertProblem(await call('GET', `${plain.url}/boards/${open.id}/checkpoint`), 404, 'not_set_up')
    assert.deepEqual((await call('GET', `${plain.url}/checkpoint-keys`)).json, { data: [] })
    const { status, text } = await call('GET', `${plain.url}/boards/${open.id}`)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /footer>/)
  })

  it('with an invalid key does not start, and does not print the key', () => {
    const secret = (key?.signer ?? '').slice(-20)
    for (const CHECKPOINT_KEY of [`${key?.signer}x`, `${key?.signer},${key?.signer}x`])
      assert.throws(
        () => testConfig(made.database, { CHECKPOINT_KEY }),
        (error) => {
          assert.ok(error instanceof ConfigError)
          assert.match(error.message, /^CHECKPOINT_KEY: key [12] of the list is invalid/)
          return !error.message.includes(secret)
        },
      )
  })
})
