import assert from 'node:assert/strict'
import { hash as digest } from 'node:crypto'
import { describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { rowsOf } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { asRealm, manage, operate } from '../../../tests/support/operator.ts'
import { anOperator, browser, invitedPerson, tokenIn, useLink } from '../../../tests/support/person.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

/** People sign in, not keys. */

const another = moreApps()
const made = suite()

const realm = () => made.fixture.realm
const at = (key: string, line: string, body?: unknown) =>
  asRealm(made.app.url, { id: realm().id, key }, { line, body })

/** Sends requests all the time, so that the result stays cached. */
async function within1s(holds: () => Promise<boolean>): Promise<void> {
  const sinceMs = performance.now()
  while (!(await holds())) assert.ok(performance.now() - sinceMs < 1_000, 'not within a second')
}

const link = async (role = 'viewer') => {
  const invited = await manage(made.app.url, `POST /realms/${realm().id}/invitations`, { name: 'Bo', role })
  return tokenIn(invited.json.link)
}

describe('a person who has signed in by a link', () => {
  it('can read their name and roles', async () => {
    const ann = await invitedPerson(made.app.url, realm(), { role: 'manager' })
    const { status, json, headers } = await ann.send('GET', '/console/session')
    assert.equal(status, 200)
    const { person, expiresAt, ...rest } = json
    assert.deepEqual([person.name, person.email], ['Ann', null])
    assert.deepEqual(rest, {
      operator: false,
      realms: [{ id: realm().id, name: 'Acceptance', role: 'manager' }],
      invitations: [],
    })
    const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000
    assert.ok(hours > 11.9 && hours < 12.1, expiresAt)
    assert.equal(headers['cache-control'], 'no-store')
  })

  it('has a cookie that scripts, other sites and other paths do not get', async () => {
    const answer = await useLink(made.app.url, await link())
    const [cookie = ''] = answer.headers['set-cookie'] ?? []
    assert.match(
      cookie,
      /^exchequer-session=exs_\w{36}; Path=\/console\/session; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    const public_ = await another(made, { PUBLIC_URL: 'https://points.example.com', BASE_PATH: '/p' })
    const secure = await useLink(public_.url, await link(), { origin: 'https://points.example.com' })
    const [hidden = ''] = secure.headers['set-cookie'] ?? []
    assert.match(hidden, /^__Secure-exchequer-session=exs_\w{36}; Path=\/p\/console\/session; .*; Secure$/)
  })

  it('is recognized; a made-up cookie grants no access', async () => {
    for (const cookie of [
      '',
      'exchequer-session=',
      'exchequer-session=exs_x',
      `exchequer-session=${realm().key}`,
    ]) {
      const answer = await browser(made.app.url, cookie).send('GET', '/console/session')
      assert.deepEqual([answer.status, answer.json.code], [401, 'unauthorized'], cookie)
    }
  })
})

describe('a session token', () => {
  const adjust = `PATCH /members/${rich}/tokenBalance`

  it('of a viewer can read, and not write: 403', async () => {
    const key = await (await invitedPerson(made.app.url, realm(), { role: 'viewer' })).key(realm().id)
    assert.equal((await at(key, `GET /members/${rich}`)).status, 200)
    for (const [line, body] of [
      [adjust, { tokens: 1 }],
      ['POST /members', { members: [{ id: '5' }] }],
      ['GET /keys', undefined],
      ['GET /people', undefined],
      ['POST /invitations', { name: 'Eve', role: 'owner' }],
    ] as const) {
      const answer = await at(key, line, body)
      assert.deepEqual([answer.status, answer.json.code], [403, 'insufficient_scope'], line)
    }
  })

  it('is not issued for a realm in which its person has no role, existing or not: 403', async () => {
    const ann = await invitedPerson(made.app.url, realm(), { role: 'owner' })
    const asked = (id: string) => ann.send('POST', '/console/session/keys', { body: { realm: id } })
    const [other, none] = [await asked(made.fixture.other.id), await asked('nowhere')]
    assert.deepEqual([other.status, none.status], [403, 403])
    assert.equal(other.json.detail, none.json.detail)
    const key = await ann.key(realm().id)
    const answer = await asRealm(made.app.url, { id: made.fixture.other.id, key }, { line: 'GET /members/1' })
    assert.equal(answer.status, 403)
  })

  it('records its person in the journal and in the audit log, by number only', async () => {
    const ann = await invitedPerson(made.app.url, realm(), { role: 'owner', name: 'Ann Onymous' })
    const { person } = (await ann.send('GET', '/console/session')).json
    const key = await ann.key(realm().id)
    const { json: changed } = await at(key, adjust, { tokens: 7 })
    const { json: entry } = await at(key, `GET /entries/${changed.transactionId}`)
    assert.deepEqual(entry.person, { id: person.id, name: 'Ann Onymous' })
    const { json: people } = await at(key, 'GET /people')
    assert.equal(people.data.find((one: { id: string }) => one.id === person.id).keyId, entry.keyId)
    await at(key, 'POST /keys', { name: 'bot' })
    const [act] = (await at(key, 'GET /audit')).json.data
    assert.deepEqual([act.action, act.actor], ['key.issue', `person ${person.id}`])
    assert.deepEqual(act.person, { id: person.id, name: 'Ann Onymous' })
    assert.equal((await operate(made.app.url, `DELETE /people/${person.id}`)).status, 204)
    const olgas = await (await anOperator(made.app.url)).key(realm().id)
    const { json: forgotten } = await at(olgas, `GET /entries/${changed.transactionId}`)
    assert.deepEqual(forgotten.person, { id: person.id, name: null })
    const kept = await rowsOf(made.database.superuserUrl, 'select * from audit')
    assert.ok(!JSON.stringify(kept).includes('Onymous'))
  })

  it('follows the person’s role from the moment it changes', async () => {
    const ann = await invitedPerson(made.app.url, realm(), { role: 'manager' })
    const { person } = (await ann.send('GET', '/console/session')).json
    const key = await ann.key(realm().id)
    assert.equal((await at(key, adjust, { tokens: 1 })).status, 200)
    const path = `/realms/${realm().id}/people/${person.id}`
    assert.equal((await manage(made.app.url, `PATCH ${path}`, { role: 'viewer' })).json.role, 'viewer')
    await within1s(async () => (await at(key, adjust, { tokens: 1 })).status === 403)
    assert.equal((await manage(made.app.url, `DELETE ${path}`)).status, 204)
    await within1s(async () => (await at(key, `GET /members/${rich}`)).status === 401)
    assert.deepEqual((await ann.send('GET', '/console/session')).json.realms, [])
  })

  it('is one of at most 300, and only valid ones are announced when the session ends', async () => {
    const ann = await invitedPerson(made.app.url, realm(), { role: 'viewer' })
    await ann.key(realm().id)
    const { ownerUrl } = made.database
    const hash = digest('sha256', ann.cookie, 'hex')
    const of = `session = (select max(session) from exchequer.sessions)`
    const more = (count: number, when: string) =>
      rowsOf(
        ownerUrl,
        `insert into exchequer.session_keys (secret_id, hash, session, realm, expires_at)
          select secret_id, sha256(('${hash}${when}' || i)::bytea), session, realm, now() + interval '${when}'
          from exchequer.session_keys, generate_series(1, ${count}) i where number = (select max(number)
          from exchequer.session_keys where ${of})`,
      )
    await more(298, '1 minute')
    await more(50, '-1 minute')
    await ann.key(realm().id)
    const answer = await ann.send('POST', '/console/session/keys', { body: { realm: realm().id } })
    assertProblem(answer, 429, 'rate_limited')
    assert.equal(answer.headers['retry-after'], '60')
    assert.equal((await ann.send('DELETE', '/console/session')).status, 204)
    const countQuery = `select count(*)::int as count from exchequer.session_keys
      where ${of} and changed_at is not null`
    assert.deepEqual(await rowsOf(ownerUrl, countQuery), [{ count: 300 }])
  })

  it('grants operators, and only them, access to the operator API and to any realm', async () => {
    const ann = await invitedPerson(made.app.url, realm(), { role: 'owner' })
    const refused = await ann.send('POST', '/console/session/operator-token')
    assert.deepEqual([refused.status, refused.json.code], [403, 'forbidden'])
    const olga = await anOperator(made.app.url)
    const typed = { headers: { 'content-type': 'text/plain' } }
    const form = await olga.send('POST', '/console/session/operator-token', typed)
    assert.equal(form.status, 415)
    const { json } = await olga.send('POST', '/console/session/operator-token')
    const realms = await call('GET', `${made.app.url}/operator/v1/realms`, { key: json.token })
    assert.equal(realms.status, 200)
    const key = await olga.key(made.fixture.other.id)
    assert.equal((await call('GET', `${made.app.url}/operator/v1/realms`, { key })).status, 401)
    const own = await asRealm(made.app.url, { id: made.fixture.other.id, key }, { line: 'GET /keys' })
    assert.equal(own.status, 200)
    const wrong = await asRealm(made.app.url, { id: realm().id, key: json.token }, { line: 'GET /keys' })
    assert.equal(wrong.status, 401)
  })
})

describe('a request that a page of another site makes', () => {
  it('is rejected with 403, whatever cookie the browser adds', async () => {
    const ann = await invitedPerson(made.app.url, realm(), { role: 'owner' })
    const body = { realm: realm().id }
    const keys = (headers: Record<string, string>) =>
      call('POST', `${made.app.url}/console/session/keys`, {
        body,
        headers: { cookie: ann.cookie, ...headers },
      })
    for (const headers of [
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: made.app.url },
      {},
    ]) {
      const answer = await keys(headers as Record<string, string>)
      assert.deepEqual([answer.status, answer.json.code], [403, 'forbidden'], JSON.stringify(headers))
    }
    const form = await keys({ origin: made.app.url, 'content-type': 'text/plain' })
    assert.equal(form.status, 415)
    assert.equal((await keys({ origin: made.app.url, 'sec-fetch-site': 'same-origin' })).status, 200)
    const read = { cookie: ann.cookie, 'sec-fetch-site': 'cross-site' }
    assert.equal((await call('GET', `${made.app.url}/console/session`, { headers: read })).status, 403)
    const out = { cookie: ann.cookie, origin: 'https://evil.example.com' }
    assert.equal((await call('DELETE', `${made.app.url}/console/session`, { headers: out })).status, 403)
  })

  it('does not sign in', async () => {
    const token = await link()
    const refused = await useLink(made.app.url, token, { origin: 'http://192.168.1.5:8080' })
    assertProblem(refused, 403, 'forbidden')
    assert.match(refused.json.detail, /a page of http:\/\/192.168.1.5:8080, but .* set PUBLIC_URL/)
    assert.equal((await useLink(made.app.url, token)).status, 200)
  })

  it('can’t be read by any page, not even of a listed origin', async () => {
    const origin = 'https://shop.example.com'
    const open = await another(made, { CORS_ORIGINS: origin })
    const headers = { origin, 'access-control-request-method': 'POST' }
    const answer = await call('OPTIONS', `${open.url}/console/session`, { headers })
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
  })
})

describe('a session', () => {
  it('ends at sign-out, and its tokens in every process within a second', async () => {
    const second = await another(made, { LANES: '1' })
    const ann = await invitedPerson(made.app.url, realm(), { role: 'owner' })
    const [key, spare] = [await ann.key(realm().id), await ann.key(realm().id)]
    const there = (text: string) =>
      asRealm(second.url, { id: realm().id, key: text }, { line: `GET /members/${rich}` })
    for (const text of [key, spare]) assert.equal((await there(text)).status, 200)
    const answer = await ann.send('DELETE', '/console/session')
    assert.equal(answer.status, 204)
    assert.match(answer.headers['set-cookie']?.[0] ?? '', /^exchequer-session=; .*Max-Age=0/)
    await within1s(async () => (await there(key)).status === 401)
    assert.equal((await there(spare)).status, 401)
    assert.equal((await ann.send('GET', '/console/session')).status, 401)
    assert.equal((await browser(second.url, ann.cookie).send('GET', '/console/session')).status, 401)
  })

  it('expires when idle, and at its maximum age', async () => {
    const expired = async (change: string) => {
      const ann = await invitedPerson(made.app.url, realm(), { role: 'owner' })
      const session = `select max(session) from sessions`
      await rowsOf(made.database.superuserUrl, `update sessions set ${change} where session = (${session})`)
      return (await ann.send('GET', '/console/session')).status
    }
    assert.equal(await expired(`used_at = now() - interval '11 hours'`), 200)
    assert.equal(await expired(`used_at = now() - interval '12 hours'`), 401)
    assert.equal(await expired(`expires_at = now()`), 401)
  })
})

describe('without a console', () => {
  it('there is no sign-in', async () => {
    const off = await another(made, { CONSOLE: 'off' })
    for (const path of ['/console', '/console/', '/console/sign-in', '/console/sign-in/options'])
      assert.equal((await call('GET', `${off.url}${path}`)).status, 404, path)
  })
})
