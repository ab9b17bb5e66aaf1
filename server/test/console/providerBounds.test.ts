import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, describe, it, type TestContext } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { call } from '../../../tests/support/call.ts'
import { manage } from '../../../tests/support/operator.ts'
import { type OpenId, openId, type PublishedKey, signInBy } from '../../../tests/support/provider.ts'
import { suite } from '../../../tests/support/suite.ts'
import type { App } from '../../src/app/index.ts'

/** Limits on a provider's responses: size, time and URL, and how long its keys are cached. */

const site = 'http://127.0.0.1:1'
const client = { client_id: 'us', token_endpoint_auth_method: 'none' }
const ann = { name: 'Ann', email: 'ann@example.com', email_verified: true }
const discovery = '/.well-known/openid-configuration'
const refused = '/console/#sign-in-failed=failed'
const accepted = '/console/'

const another = moreApps()
let app: App
let provider: OpenId
after(() => provider?.close())
afterEach(() => {
  for (const one of ['answer', 'idToken', 'keys'] as const) delete provider.tampering[one]
})
const made = suite({}, async (ready) => {
  provider = await openId({ redirectUri: `${site}/console/sign-in/callback`, client, accounts: { ann } })
  app = await startedAt(provider.issuer)
  const path = `POST /realms/${ready.fixture.realm.id}/invitations`
  const invited = await manage(app.url, path, { name: 'Ann', email: ann.email, role: 'viewer' })
  assert.equal(invited.status, 201, invited.text)
})

/** A server that has requested nothing from the provider yet, given a new client id. */
const startedAt = (OIDC_ISSUER: string, OIDC_CLIENT_ID = client.client_id): Promise<App> =>
  another(made, { PUBLIC_URL: site, OIDC_ISSUER, OIDC_CLIENT_ID })

const signIn = async () => (await signInBy({ app, provider, account: 'ann' })).headers.location
const begin = async (at: App) => (await call('GET', `${at.url}/console/sign-in`)).headers.location

async function listening(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a response of the provider', () => {
  it('of more than 256 KiB is not read', async () => {
    provider.tampering.answer = (path, context) => {
      if (path === discovery) Object.assign(context.body as object, { padding: 'x'.repeat(256 * 1024) })
    }
    assert.equal(await begin(await startedAt(provider.issuer, 'large')), refused)
  })

  it('that redirects is not followed', async (t) => {
    let visits = 0
    const elsewhere = await listening(t, (_, response) => {
      visits += 1
      response.end('{}')
    })
    provider.tampering.answer = (path, context) => {
      if (path === discovery) context.redirect(elsewhere)
    }
    assert.equal(await begin(await startedAt(provider.issuer, 'led')), refused)
    provider.tampering.answer = (path, context) => {
      if (path === '/token') context.redirect(elsewhere)
    }
    assert.deepEqual([await signIn(), visits], [refused, 0])
  })

  it('times out after 5 seconds', async (t) => {
    const silent = await startedAt(await listening(t, () => {}))
    const startedMs = performance.now()
    assert.equal(await begin(silent), refused)
    const tookMs = performance.now() - startedMs
    assert.ok(tookMs > 4_500 && tookMs < 10_000, `${tookMs} ms`)
  })

  it('of a provider with another issuer is rejected, even if only a slash differs', async () => {
    assert.equal(await begin(await startedAt(`${provider.issuer}/`)), refused)
  })

  it('about another person than the ID token names is rejected', async () => {
    assert.equal(await signIn(), accepted)
    provider.tampering.answer = (path, context) => {
      if (path === '/me') Object.assign(context.body as object, { sub: 'bo' })
    }
    assert.equal(await signIn(), refused)
  })
})

describe('a provider’s key', () => {
  const next = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  /** From now on it signs with another key with this kid. */
  const signWith = (kid: string) => {
    provider.tampering.idToken = (token) => {
      const text = `${part({ alg: 'RS256', kid })}.${token.split('.')[1]}`
      return `${text}.${sign('sha256', Buffer.from(text), next.privateKey).toString('base64url')}`
    }
  }

  it('that is new is fetched when a token names it, at most once a minute', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    assert.equal(await signIn(), accepted)
    const asked = provider.asked.get('/jwks')
    const publicKey = createPublicKey(next.privateKey).export({ format: 'jwk' })
    provider.tampering.keys = () => [{ ...publicKey, kid: 'next' } as PublishedKey]
    signWith('next')
    assert.equal(await signIn(), refused)
    assert.equal(provider.asked.get('/jwks'), asked)
    t.mock.timers.setTime(Date.now() + 61_000)
    assert.equal(await signIn(), accepted)
    assert.equal(provider.asked.get('/jwks'), (asked ?? 0) + 1)
    signWith('unknown')
    assert.equal(await signIn(), refused)
    assert.equal(provider.asked.get('/jwks'), (asked ?? 0) + 1)
  })
})
