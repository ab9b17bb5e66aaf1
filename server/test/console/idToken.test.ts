import assert from 'node:assert/strict'
import {
  constants,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { after, describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { manage } from '../../../tests/support/operator.ts'
import { type OpenId, openId, type PublishedKey, signInBy } from '../../../tests/support/provider.ts'
import { suite } from '../../../tests/support/suite.ts'
import type { App } from '../../src/app/index.ts'

/** Checks of a provider's ID token: each attack is a sign-in where only the token is wrong. */

const site = 'http://127.0.0.1:1'
const client = { client_id: 'us', client_secret: 'a secret of the tests' }
const ann = { name: 'Ann', email: 'ann@example.com', email_verified: true }
const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
const wide = generateKeyPairSync('ec', { namedCurve: 'P-384' })

const another = moreApps()
let app: App
let provider: OpenId
after(() => provider?.close())
const made = suite({}, async (ready) => {
  provider = await openId({ redirectUri: `${site}/console/sign-in/callback`, client, accounts: { ann } })
  provider.tampering.keys = (keys) => [
    ...keys,
    published(short.publicKey, 'short'),
    published(wide.publicKey, 'wide'),
    { ...published(provider.keys.rsa, 'enc'), use: 'enc' },
  ]
  // The provider claims to support forbidden algorithms too, so that its metadata is not what excludes them.
  provider.tampering.answer = (path, context) => {
    if (path === '/.well-known/openid-configuration')
      Object.assign(context.body as object, {
        id_token_signing_alg_values_supported: ['none', 'HS256', 'PS256', 'RS256', 'ES256', 'ES384'],
      })
  }
  app = await another(ready, {
    PUBLIC_URL: site,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.client_id,
    OIDC_CLIENT_SECRET: client.client_secret,
  })
  const path = `POST /realms/${made.fixture.realm.id}/invitations`
  const invited = await manage(app.url, path, { name: 'Ann', email: ann.email, role: 'viewer' })
  assert.equal(invited.status, 201, invited.text)
})

function published(key: KeyObject, kid: string): PublishedKey {
  const { kty = '', n, e, crv, x, y } = key.export({ format: 'jwk' })
  return { kty, kid, ...(kty === 'RSA' ? { n, e } : { crv, x, y }) } as PublishedKey
}

type Claims = Readonly<Record<string, unknown>>

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const byRsa = { alg: 'RS256', kid: 'rsa' }

function signed(claims: Claims, header: object = byRsa, key: KeyObject = provider.keys.rsa): string {
  const text = `${part(header)}.${part(claims)}`
  const { alg = '' } = header as { alg?: string }
  const dsaEncoding = 'ieee-p1363'
  const padding = alg === 'PS256' ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}
  const digest = alg === 'ES384' ? 'sha384' : 'sha256'
  return `${text}.${sign(digest, Buffer.from(text), { key, dsaEncoding, ...padding }).toString('base64url')}`
}

/** The result of a sign-in with an ID token made from these otherwise valid claims. */
async function endOf(forge: (right: Claims) => string | undefined): Promise<string | undefined> {
  provider.tampering.idToken = (token) => {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims
    // With the address in it, so that no other response of the provider can cause the rejection.
    return forge({ ...claims, ...ann })
  }
  const { headers } = await signInBy({ app, provider, account: 'ann' })
  return headers.location
}

const refused = '/console/#sign-in-failed=failed'
const accepted = '/console/'
const now = () => Math.floor(Date.now() / 1000)

describe('an ID token is accepted', () => {
  const good: Readonly<Record<string, (right: Claims) => string>> = {
    'that the provider signed for us': (right) => signed(right),
    'with ES256': (right) => signed(right, { alg: 'ES256', kid: 'ec' }, provider.keys.ec),
    'for us as the only one of a list': (right) => signed({ ...right, aud: ['us'] }),
    'for several, when it was issued to us': (right) => signed({ ...right, aud: ['us', 'b'], azp: 'us' }),
    'when it expired within the clock tolerance': (right) => signed({ ...right, exp: now() - 30 }),
    'from the future, within the clock tolerance': (right) => signed({ ...right, iat: now() + 30 }),
  }
  for (const [title, forge] of Object.entries(good))
    it(title, async () => assert.equal(await endOf(forge), accepted))
})

describe('an ID token is rejected, though the provider signed it', () => {
  const wrong: Readonly<Record<string, () => Claims>> = {
    'of another issuer': () => ({ iss: 'https://evil.example.com' }),
    'without an issuer': () => ({ iss: undefined }),
    'for another client': () => ({ aud: 'them' }),
    'for several clients, without azp': () => ({ aud: ['us', 'them'] }),
    'for several clients, issued to another': () => ({ aud: ['us', 'them'], azp: 'them' }),
    'for us, issued to another': () => ({ azp: 'them' }),
    'that has expired': () => ({ exp: now() - 61 }),
    'that never expires': () => ({ exp: undefined }),
    'from the future': () => ({ iat: now() + 90 }),
    'without a time': () => ({ iat: undefined }),
    'with the nonce of another sign-in': () => ({ nonce: 'another' }),
    'without a nonce': () => ({ nonce: undefined }),
    'with an empty subject': () => ({ sub: '' }),
    'without a subject': () => ({ sub: undefined }),
    'with a subject of 256 characters': () => ({ sub: 'a'.repeat(256) }),
  }
  for (const [title, change] of Object.entries(wrong))
    it(title, async () => {
      assert.equal(await endOf((right) => signed({ ...right, ...change() })), refused)
    })
})

const unsigned = (right: Claims, header: object, signature: string): string =>
  `${part(header)}.${part(right)}.${signature}`

function byHmac(right: Claims, secret: string): string {
  const text = `${part({ alg: 'HS256', kid: 'rsa' })}.${part(right)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const publicPem = (): string =>
  createPublicKey(provider.keys.rsa).export({ format: 'pem', type: 'spki' }).toString()

describe('an ID token is rejected, though all its claims are valid', () => {
  const wrong: Readonly<Record<string, (right: Claims) => string | undefined>> = {
    'with the algorithm none': (right) => unsigned(right, { alg: 'none' }, ''),
    'with the algorithm none and a signature': (right) => unsigned(right, { alg: 'none' }, 'x'),
    'signed with the client’s secret': (right) => byHmac(right, client.client_secret),
    'signed with a public key used as a secret': (right) => byHmac(right, publicPem()),
    'changed after it was signed': (right) => {
      const [head, , signature] = signed({ ...right, sub: 'bo' }).split('.')
      return `${head}.${part(right)}.${signature}`
    },
    'signed by another key with the provider’s kid': (right) => signed(right, byRsa, stranger.privateKey),
    'signed by a key that is not published': (right) => signed(right, { alg: 'RS256', kid: 'unknown' }),
    'signed by a key of another type than its algorithm': (right) =>
      signed(right, { alg: 'ES256', kid: 'rsa' }, provider.keys.ec),
    'signed by a key that is published to encrypt': (right) => signed(right, { alg: 'RS256', kid: 'enc' }),
    'signed by an RSA key of 1,024 bits': (right) =>
      signed(right, { alg: 'RS256', kid: 'short' }, short.privateKey),
    'signed with another algorithm, PS256': (right) => signed(right, { alg: 'PS256', kid: 'rsa' }),
    'signed with another algorithm, ES384': (right) =>
      signed(right, { alg: 'ES384', kid: 'wide' }, wide.privateKey),
    'with a critical header that is not known': (right) => signed(right, { ...byRsa, crit: ['x'] }),
    'of four parts': (right) => `${signed(right)}.x`,
    'that is not JSON': () => 'x.y.z',
    'that is missing': () => undefined,
  }
  for (const [title, forge] of Object.entries(wrong))
    it(title, async () => assert.equal(await endOf(forge), refused))
})
