import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { moreApps } from '../../../tests/support/apps.ts'
import { type Answer, call } from '../../../tests/support/call.ts'
import { manage, operate } from '../../../tests/support/operator.ts'
import { browser, cookieIn, tokenIn, useLink } from '../../../tests/support/person.ts'
import { type OpenId, openId, signInBy } from '../../../tests/support/provider.ts'
import { suite } from '../../../tests/support/suite.ts'
import type { App } from '../../src/app/index.ts'

/** Signing in at a real OpenID provider. */

const site = 'http://127.0.0.1:1'
const accounts = {
  ann: { name: 'Ann', email: 'Ann@example.com', email_verified: true },
  bo: { name: 'Bo', email: 'bo@example.com', email_verified: true },
  cy: { name: 'Cy', email: 'cy@example.com', email_verified: false },
  dee: { email: 'dee@example.com', email_verified: true },
  eve: { name: 'Eve', email: 'eve@example.com', email_verified: true },
}
const redirectUri = `${site}/console/sign-in/callback`
const client = { client_id: 'exchequer', client_secret: 'a secret: of + the tests' }

const another = moreApps()
const closing: OpenId[] = []
after(() => {
  for (const one of closing) one.close()
})
let provider: OpenId
let app: App
const made = suite({}, async (ready) => {
  provider = await openId({ redirectUri, client, accounts })
  closing.push(provider)
  app = await another(ready, {
    PUBLIC_URL: site,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.client_id,
    OIDC_CLIENT_SECRET: client.client_secret,
  })
})

const invite = (email: string, role = 'manager') =>
  manage(app.url, `POST /realms/${made.fixture.realm.id}/invitations`, { name: 'Invited', email, role })

/** The first half: the redirect, and the cookie of the pending sign-in. */
async function begin(at = app): Promise<{ url: string; cookie: string }> {
  const answer = await call('GET', `${at.url}/console/sign-in`)
  assert.equal(answer.status, 303, answer.text)
  return { url: String(answer.headers.location), cookie: cookieIn(answer, 'exchequer-sign-in') }
}

const back = ({ search }: { search: string }, cookie: string, at = app): Promise<Answer> =>
  call('GET', `${at.url}/console/sign-in/callback${search}`, { headers: { cookie } })

const signIn = (account: string, twist: (url: URL) => void = () => {}): Promise<Answer> =>
  signInBy({ app, provider, account, twist })

const at = (answer: Answer) => [answer.status, answer.headers.location]
const failed = (why: string) => [303, `/console/#sign-in-failed=${why}`]
const headers = { origin: site }
const session = async (answer: Answer) =>
  (await browser(app.url, cookieIn(answer)).send('GET', '/console/session', { headers })).json

/** The session after every invitation was accepted. */
async function accepted(answer: Answer) {
  const person = browser(app.url, cookieIn(answer))
  for (const { id } of (await session(answer)).invitations) {
    const path = `/console/session/invitations/${id}/accept`
    assert.equal((await person.send('POST', path, { headers })).status, 200)
  }
  return session(answer)
}

describe('a person whom the provider knows', () => {
  it('has the role of the invitation to their address, and is the same person again', async () => {
    assert.equal((await invite('ann@EXAMPLE.com')).status, 201)
    const first = await signIn('ann')
    assert.deepEqual(at(first), [303, '/console/'])
    const firstSession = await accepted(first)
    assert.deepEqual([firstSession.person.name, firstSession.person.email], ['Ann', 'Ann@example.com'])
    assert.deepEqual(firstSession.realms, [
      { id: made.fixture.realm.id, name: 'Acceptance', role: 'manager' },
    ])
    const second = await session(await signIn('ann'))
    assert.equal(second.person.id, firstSession.person.id)
    const listed = await manage(app.url, `GET /realms/${made.fixture.realm.id}/invitations`)
    assert.deepEqual(listed.json.data, [])
  })

  it('gets a session cookie that other sites do not get, and loses the pending cookie', async () => {
    const answer = await signIn('ann')
    const [cookie = '', over = ''] = answer.headers['set-cookie'] ?? []
    assert.match(cookie, /^exchequer-session=exs_.*; Path=\/console\/session; .*HttpOnly; SameSite=Strict/)
    assert.match(
      over,
      /^exchequer-sign-in=; Path=\/console\/sign-in\/callback; Max-Age=0; HttpOnly; SameSite=Lax/,
    )
  })

  it('can’t sign in without an invitation', async () => {
    assert.deepEqual(at(await signIn('eve')), failed('uninvited'))
    assert.equal((await signIn('eve')).headers['set-cookie']?.length, 1)
  })

  it('is not identified by an address that the provider has not verified', async () => {
    await invite('cy@example.com', 'owner')
    assert.deepEqual(at(await signIn('cy')), failed('unverified'))
  })

  it('is not identified with a person who used a link with the same address', async () => {
    const { json } = await invite('bo@example.com', 'owner')
    const impostor = await useLink(app.url, tokenIn(json.link), { origin: site })
    assert.equal(impostor.status, 200)
    await manage(app.url, `POST /realms/${made.fixture.other.id}/invitations`, {
      name: 'Bo',
      email: 'bo@example.com',
      role: 'viewer',
    })
    const bo = await accepted(await signIn('bo'))
    assert.notEqual(bo.person.id, impostor.json.person.id)
    assert.deepEqual(
      bo.realms.map((one: { role: string }) => one.role),
      ['viewer'],
    )
  })

  it('can be an operator, and gets a default name', async () => {
    await operate(app.url, 'POST /invitations', { name: 'Dee', email: 'dee@example.com' })
    const dee = await accepted(await signIn('dee'))
    assert.deepEqual([dee.operator, dee.person.name], [true, 'dee@example.com'])
  })
})

describe('an incomplete sign-in', () => {
  before(() => invite('ann@example.com'))

  it('has a new state, nonce and challenge each time', async () => {
    const asked = [await begin(), await begin()].map(({ url }) => new URL(url).searchParams)
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.ok(new Set(asked.map((one) => one.get(name))).size === 2, name)
    assert.equal(asked[0]?.get('code_challenge_method'), 'S256')
  })

  it('with another state is rejected', async () => {
    const { url, cookie } = await begin()
    const returned = await provider.signIn(url, 'ann')
    returned.searchParams.set('state', 'x')
    assert.deepEqual(at(await back(returned, cookie)), failed('expired'))
  })

  it('without its cookie, or with another’s, is rejected', async () => {
    const { url, cookie } = await begin()
    const returned = await provider.signIn(url, 'ann')
    assert.deepEqual(at(await back(returned, '')), failed('expired'))
    assert.deepEqual(at(await back(returned, (await begin()).cookie)), failed('expired'))
    const altered = cookie.replace(/=(.)/, (_all, first: string) => `=${first === 'A' ? 'B' : 'A'}`)
    assert.deepEqual(at(await back(returned, altered)), failed('expired'))
    assert.deepEqual(at(await back(returned, cookie)), [303, '/console/'])
  })

  it('with another nonce in the ID token is rejected', async () => {
    const answer = await signIn('ann', (url) => url.searchParams.set('nonce', 'another'))
    assert.deepEqual(at(answer), failed('failed'))
  })

  it('with a code that was used before is rejected', async () => {
    const { url, cookie } = await begin()
    const returned = await provider.signIn(url, 'ann')
    assert.deepEqual(at(await back(returned, cookie)), [303, '/console/'])
    assert.deepEqual(at(await back(returned, cookie)), failed('failed'))
  })

  it('with a code for another sign-in is rejected', async () => {
    const [mine, theirs] = [await begin(), await begin()]
    const returned = await provider.signIn(theirs.url, 'ann')
    returned.searchParams.set('state', new URL(mine.url).searchParams.get('state') ?? '')
    assert.deepEqual(at(await back(returned, mine.cookie)), failed('failed'))
  })

  it('that the person cancelled, or another issuer answers, is rejected', async () => {
    const { url, cookie } = await begin()
    const state = new URL(url).searchParams.get('state') ?? ''
    const search = (more: string) => ({ search: `?state=${state}&${more}` })
    assert.deepEqual(at(await back(search('error=access_denied'), cookie)), failed('denied'))
    assert.deepEqual(at(await back(search('code=x&iss=https://evil.example.com'), cookie)), failed('failed'))
  })
})

describe('another provider', () => {
  it('may have public clients, and sign with an elliptic curve', async () => {
    const own = {
      client_id: 'public',
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    }
    const open = await openId({ redirectUri, client: own, accounts })
    closing.push(open)
    const there = await another(made, {
      PUBLIC_URL: site,
      OIDC_ISSUER: open.issuer,
      OIDC_CLIENT_ID: own.client_id,
    })
    await invite('eve@example.com')
    const { url, cookie } = await begin(there)
    assert.deepEqual(at(await back(await open.signIn(url, 'eve'), cookie, there)), [303, '/console/'])
  })

  it('that is unreachable is reported to the page', async () => {
    const gone = await another(made, {
      PUBLIC_URL: site,
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'x',
    })
    assert.deepEqual(at(await call('GET', `${gone.url}/console/sign-in`)), failed('failed'))
  })

  it('that fails is requested once for all concurrent sign-ins, and not again at once', async (t) => {
    let questions = 0
    const failing = createServer((_, response) => {
      questions += 1
      setTimeout(() => response.writeHead(500).end(), 100)
    }).listen(0, '127.0.0.1')
    t.after(() => failing.close())
    await once(failing, 'listening')
    const OIDC_ISSUER = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`
    const gone = await another(made, { PUBLIC_URL: site, OIDC_ISSUER, OIDC_CLIENT_ID: 'x' })
    const ask = () => call('GET', `${gone.url}/console/sign-in`)
    const answers = await Promise.all(Array.from({ length: 10 }, ask))
    for (const answer of [...answers, await ask()]) assert.deepEqual(at(answer), failed('failed'))
    assert.equal(questions, 1)
    await sleep(1_100)
    await ask()
    assert.equal(questions, 2)
  })

  it('is not offered when none is configured: 404', async () => {
    const answer = await call('GET', `${made.app.url}/console/sign-in`)
    assert.deepEqual([answer.status, answer.json.code], [404, 'not_set_up'])
    const options = async (one: App) => (await call('GET', `${one.url}/console/sign-in/options`)).json
    assert.deepEqual([await options(made.app), await options(app)], [{ provider: false }, { provider: true }])
  })
})
