import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { moreApps } from '../../../tests/support/apps.ts'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { type Answer, call } from '../../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { asRealm, operate } from '../../../tests/support/operator.ts'
import { invitedPerson } from '../../../tests/support/person.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { type Example, type Examples, examplesFile } from '../../src/http/reference/examples.ts'
import type { Route } from '../../src/http/route/route.ts'
import { documented } from '../../src/http/routes.ts'
import { scopes } from '../../src/keys/index.ts'

/** Suspended at one server; another has the realm in memory and writes optimistically. */
const anotherApp = moreApps()
const made = suite()

const reason = 'Invoice 118 is unpaid.'
const change = (realm: { id: string }, body: object) =>
  operate(made.app.url, `PATCH /realms/${realm.id}`, body)
async function suspend(realm: { id: string }): Promise<void> {
  assert.equal((await change(realm, { suspended: { reason } })).status, 200)
}
async function resume(realm: { id: string }): Promise<void> {
  assert.equal((await change(realm, { suspended: null })).status, 200)
}

const openRealm = () => managed(made, { unknownMembers: 'create' })
const award = (realm: ManagedRealm, tokens = 5) => realm.send('PATCH /members/7/tokenBalance', { tokens })
const headOf = async (realm: ManagedRealm) => (await realm.send('GET /journal?limit=1')).json.head

type KeyedRealm = { readonly id: string; readonly key: string }

/** A key with every scope. */
const fullKey = async ({ id }: { id: string }): Promise<string> =>
  (await operate(made.app.url, `POST /realms/${id}/keys`, { scopes })).json.key

const examples = JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples
/** The awards to holders of a collection look for the collection first: without one they are 404. */
const writing = documented.filter(
  ({ audience, writes, operationId }) => audience === 'realm' && writes && operationId !== 'awardHolders',
)
const idsOf = ({ operationId }: Route) =>
  typeof operationId === 'string' ? [operationId] : Object.values(operationId)

/** Sends the recorded example of an operation, to this realm. */
function sendExample(realm: KeyedRealm, { methods, path }: Route, example: Example): Promise<Answer>[] {
  const { parameters = {}, requests = {} } = example
  const of = (where: string) =>
    Object.entries(parameters).flatMap(([name, value]) =>
      name.startsWith(`${where}:`) ? [[name.slice(where.length + 1), value] as const] : [],
    )
  const query = new URLSearchParams(Object.fromEntries(of('query')))
  const filled = of('path').reduce((text, [name, value]) => text.replace(`{${name}}`, value), path)
  const within = filled.replace(/^\/api\/v4\/realms\/[^/]+/, '')
  const line = query.size > 0 ? `${within}?${query.toString()}` : within
  const bodies = Object.entries(requests)
  const url = `${made.app.url}/api/v4/realms/${realm.id}${line}`
  const method = methods.find((one) => one !== 'QUERY') ?? ''
  if (bodies.length === 0) return [call(method, url, { key: realm.key })]
  return bodies.map(([type, body]) => {
    const raw = typeof body === 'string' ? body : JSON.stringify(body)
    return call(method, url, { key: realm.key, raw, headers: { 'content-type': type } })
  })
}

describe('in a suspended realm', () => {
  it('every route that writes is rejected, whatever it would have answered otherwise', async () => {
    const realm = await openRealm()
    const key = await fullKey(realm)
    await suspend(realm)
    const others: string[] = []
    let rejected = 0
    for (const route of writing.filter(({ idempotent }) => idempotent !== 'list')) {
      for (const id of idsOf(route)) {
        const example = examples[id]
        assert.ok(example, `${id} has no example`)
        for (const answer of await Promise.all(sendExample({ id: realm.id, key }, route, example))) {
          if (answer.status === 403 && answer.json.code === 'realm_suspended') rejected += 1
          else others.push(`${id}: ${answer.status} ${answer.text.slice(0, 200)}`)
        }
      }
    }
    assert.deepEqual(others, [])
    assert.ok(rejected >= 40, `only ${rejected} requests were rejected`)
  })

  it('each change of a list is rejected, and an atomic list as a whole', async () => {
    const realm = await openRealm()
    await award(realm)
    await suspend(realm)
    const changes = [1, 2].map((tokens) => ({ memberId: '7', tokens }))
    const { status, json } = await realm.send('POST /changes', { changes })
    assert.equal(status, 200)
    const codes = json.data.map((one: { status: number; error: { code: string } }) => [
      one.status,
      one.error.code,
    ])
    assert.deepEqual(codes, [
      [403, 'realm_suspended'],
      [403, 'realm_suspended'],
    ])
    assertProblem(await realm.send('POST /changes', { changes, atomic: true }), 403, 'realm_suspended')
    const reversed = await realm.send('POST /reversals', { filter: { keyId: '1' } })
    assert.deepEqual([reversed.json.reversed, (await headOf(realm)).seq], [[], '1'])
  })

  it('reads go on, and show the reason to the realm’s clients', async () => {
    const realm = await openRealm()
    await award(realm)
    await suspend(realm)
    for (const line of ['GET /members/7', 'GET /journal', 'GET /members/7/history', 'GET /leaderboard'])
      assert.equal((await realm.send(line)).status, 200, line)
    const { suspended } = (await realm.send('GET ')).json
    assert.equal(suspended.reason, reason)
    assert.ok(Math.abs(Date.parse(suspended.since) - Date.now()) < 60_000)
    const refused = await award(realm)
    assert.equal(
      refused.json.detail,
      `The realm is suspended and can only be read. The operator’s reason: ${reason}`,
    )
  })

  it('a person’s session token is rejected too, and operators still manage keys', async () => {
    const realm = await openRealm()
    const person = await invitedPerson(made.app.url, realm, { role: 'owner' })
    await suspend(realm)
    const key = await person.key(realm.id)
    const { url } = made.app
    assert.equal((await asRealm(url, { id: realm.id, key }, { line: 'GET ' })).status, 200)
    const sent = { line: 'PATCH ', body: { name: 'Other' } }
    assertProblem(await asRealm(url, { id: realm.id, key }, sent), 403, 'realm_suspended')
    assert.equal((await operate(url, `POST /realms/${realm.id}/keys`, { name: 'new' })).status, 201)
    assert.equal((await operate(url, `DELETE /realms/${realm.id}/keys/1`)).status, 204)
  })

  it('a member can’t link a wallet by a page that was sent before', async () => {
    const realm = await openRealm()
    await award(realm)
    const { url } = (await realm.send('POST /members/7/wallets/links', {})).json
    await suspend(realm)
    const path = new URL(url).pathname
    assert.equal((await call('GET', `${made.app.url}${path}/details`)).status, 200)
    const body = { address: made.fixture.wallets.evm }
    assertProblem(await call('POST', `${made.app.url}${path}/challenges`, { body }), 403, 'realm_suspended')
  })
})

describe('suspension', () => {
  it('takes effect and ends at once on another server that has the realm in memory', async () => {
    const realm = await openRealm()
    const { url } = await anotherApp(made)
    const there = () => asRealm(url, realm, { line: 'PATCH /members/7/tokenBalance', body: { tokens: 1 } })
    for (let turn = 1; turn <= 3; turn++) {
      assert.equal((await there()).json.newBalance, 2 * turn - 1)
      assert.equal((await there()).json.newBalance, 2 * turn)
      await suspend(realm)
      const before = await headOf(realm)
      assertProblem(await there(), 403, 'realm_suspended')
      assertProblem(await there(), 403, 'realm_suspended')
      assert.deepEqual(await headOf(realm), before)
      await resume(realm)
    }
    await assertBooks(made.database)
  })

  it('is not remembered under an Idempotency-Key, and earlier answers are repeated meanwhile', async () => {
    const realm = await openRealm()
    const send = (line: string, key: string) =>
      asRealm(made.app.url, realm, { line, body: { tokens: 5 }, headers: { 'idempotency-key': key } })
    const line = 'PATCH /members/7/tokenBalance'
    const first = await send(line, 'before')
    await suspend(realm)
    const again = await send(line, 'before')
    assert.deepEqual([again.status, again.text], [200, first.text])
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assertProblem(await send(line, 'meanwhile'), 403, 'realm_suspended')
    await resume(realm)
    assert.equal((await send(line, 'meanwhile')).json.newBalance, 10)
  })

  it('is not remembered under the key of a request that changes no points either', async () => {
    const realm = await openRealm()
    const key = await fullKey(realm)
    const send = () =>
      call('POST', `${made.app.url}/api/v4/realms/${realm.id}/points`, {
        key,
        body: { id: 'silver' },
        headers: { 'idempotency-key': 'silver' },
      })
    await suspend(realm)
    assertProblem(await send(), 403, 'realm_suspended')
    await resume(realm)
    assert.equal((await send()).status, 201)
  })

  it('keeps holds that fall due, and they end once the realm is resumed', async () => {
    const realm = await openRealm()
    await award(realm)
    const { holdId } = (await realm.send('POST /members/7/holds', { tokens: 5, expiresIn: 1 })).json
    await suspend(realm)
    await sleep(3_000)
    assert.equal((await headOf(realm)).seq, '2')
    const statusOf = async () => (await realm.send(`GET /holds/${holdId}`)).json.status
    const [row] = await rowsOf(
      made.database.superuserUrl,
      'select retry_us > expires_us as deferred from holds where ended_seq is null',
    )
    assert.deepEqual(row, { deferred: true })
    await resume(realm)
    const untilMs = Date.now() + 20_000
    while ((await statusOf()) !== 'expired' && Date.now() < untilMs) await sleep(200)
    assert.deepEqual([await statusOf(), (await headOf(realm)).seq], ['expired', '3'])
  })

  it('is recorded with its reason, which can change; its end is recorded too', async () => {
    const realm = await openRealm()
    await suspend(realm)
    const { since } = (await realm.send('GET ')).json.suspended
    const { json } = await change(realm, { suspended: { reason: 'Two invoices.' }, rateLimit: 'off' })
    assert.deepEqual([json.suspended, json.rateLimit], [{ reason: 'Two invoices.', since }, 'off'])
    await resume(realm)
    assert.equal((await operate(made.app.url, `GET /realms/${realm.id}`)).json.suspended, null)
    const { data } = (await operate(made.app.url, `GET /realms/${realm.id}/audit`)).json
    const acts = data.slice(0, 4).map((act: { action: string; subject: string }) => [act.action, act.subject])
    assert.deepEqual(acts.sort(), [
      ['realm.change', 'rateLimit off'],
      ['realm.resume', ''],
      ['realm.suspend', 'Invoice 118 is unpaid.'],
      ['realm.suspend', 'Two invoices.'],
    ])
  })

  it('needs a reason, and can’t be ended by a key of the realm', async () => {
    const realm = await openRealm()
    assertInvalid(await change(realm, { suspended: { reason: '  ' } }), '/suspended/reason')
    assertInvalid(await change(realm, { suspended: {} }), '/suspended')
    assertInvalid(await realm.send('PATCH ', { suspended: null }), '/suspended')
  })
})
