import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { type PublishedKey, verifyIdToken } from '../../src/people/idToken.ts'

/** What a provider's ID token must be to be believed. */

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const published = (key: KeyObject, kid: string): PublishedKey => ({ ...key.export({ format: 'jwk' }), kid })
const keys = [
  published(rsa.publicKey, 'rsa'),
  published(short.publicKey, 'short'),
  published(curve.publicKey, 'ec'),
  { ...published(rsa.publicKey, 'enc'), use: 'enc' },
]

const nowMs = Date.parse('2030-01-31T12:00:00Z')
const now = nowMs / 1000
const expected = { issuer: 'https://id.example.com', clientId: 'us', nonce: 'n', nowMs }
const good = { iss: 'https://id.example.com', aud: 'us', sub: 'ann', exp: now + 60, iat: now, nonce: 'n' }

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function token(
  claims: object,
  header: object = { alg: 'RS256', kid: 'rsa' },
  key: KeyObject = rsa.privateKey,
) {
  const signed = `${part(header)}.${part(claims)}`
  const ecdsa = key.asymmetricKeyType === 'ec' ? { dsaEncoding: 'ieee-p1363' as const } : {}
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, ...ecdsa }).toString('base64url')}`
}

const refused = (text: string, why: RegExp) =>
  assert.throws(() => verifyIdToken(text, keys, expected), { message: why })

describe('an ID token', () => {
  it('is believed when the provider signed it for us, with either algorithm', () => {
    assert.equal(verifyIdToken(token(good), keys, expected)['sub'], 'ann')
    const es256 = token({ ...good, aud: ['us'] }, { alg: 'ES256', kid: 'ec' }, curve.privateKey)
    assert.equal(verifyIdToken(es256, keys, expected)['sub'], 'ann')
    assert.equal(verifyIdToken(token({ ...good, aud: ['us', 'b'], azp: 'us' }), keys, expected)['sub'], 'ann')
  })

  it('is not when it says something else than it must', () => {
    refused(token({ ...good, iss: 'https://evil.example.com' }), /issuer/)
    refused(token({ ...good, aud: 'them' }), /for somebody else/)
    refused(token({ ...good, aud: ['us', 'them'] }), /given to somebody else/)
    refused(token({ ...good, azp: 'them' }), /given to somebody else/)
    refused(token({ ...good, exp: now - 61 }), /expired/)
    refused(token({ ...good, exp: undefined }), /expired/)
    refused(token({ ...good, iat: now + 61 }), /future/)
    refused(token({ ...good, nonce: 'other' }), /nonce/)
    refused(token({ ...good, nonce: undefined }), /nonce/)
    refused(token({ ...good, sub: '' }), /nobody/)
  })

  it('is not when nobody signed it, or someone else', () => {
    const [head, body, signature] = token(good).split('.')
    refused(`${part({ alg: 'none' })}.${body}.`, /three parts/)
    refused(`${part({ alg: 'none' })}.${body}.x`, /algorithm none/)
    refused(`${head}.${part({ ...good, sub: 'root' })}.${signature}`, /signed/)
    refused(`${head}.${body}.${signature}.${signature}`, /three parts/)
    refused('x.y.z', /no JSON/)
    refused(token(good, { alg: 'RS256', kid: 'unknown' }), /signed/)
    refused(token(good, { alg: 'ES256', kid: 'rsa' }), /signed/)
    refused(token(good, { alg: 'RS256', kid: 'enc' }), /signed/)
    refused(token(good, { alg: 'RS256', kid: 'short' }, short.privateKey), /signed/)
    refused(token(good, { alg: 'RS256', kid: 'rsa', crit: ['x'] }), /not known/)
  })

  it('is not when our own public key was taken for a shared secret', () => {
    const signed = `${part({ alg: 'HS256', kid: 'rsa' })}.${part(good)}`
    const secret = rsa.publicKey.export({ format: 'pem', type: 'spki' })
    refused(`${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`, /algorithm HS256/)
  })
})
