import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'

/** Clocks may differ by this much. */
const skewSeconds = 60
const textCap = 16 * 1024
const smallestRsaBits = 2048

/** A public key as a provider publishes it. */
export type PublishedKey = JsonWebKey & {
  readonly kid?: string
  readonly use?: string
  readonly alg?: string
}

export type Claims = Readonly<Record<string, unknown>>

/** What an ID token must say. */
export type Expected = {
  readonly issuer: string
  readonly clientId: string
  readonly nonce: string
  readonly nowMs: number
}

/** Only these: no `none`, and nothing that a shared secret could sign. */
const algorithms = {
  RS256: (key: KeyObject) =>
    key.asymmetricKeyType === 'rsa' &&
    (key.asymmetricKeyDetails?.modulusLength ?? 0) >= smallestRsaBits && { key },
  ES256: (key: KeyObject) =>
    key.asymmetricKeyType === 'ec' &&
    key.asymmetricKeyDetails?.namedCurve === 'prime256v1' && { key, dsaEncoding: 'ieee-p1363' as const },
} as const

export class TokenWrong extends Error {}

const wrong = (why: string): TokenWrong => new TokenWrong(`the ID token is wrong: ${why}`)

type Parts = {
  readonly header: Claims
  readonly claims: Claims
  readonly signed: string
  readonly signature: Buffer
}

function partsOf(token: string): Parts {
  const [head = '', body = '', signature = '', ...more] = token.split('.')
  if (token.length > textCap || more.length > 0 || signature === '') throw wrong('it has no three parts')
  const jsonOf = (text: string): Claims => {
    try {
      const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
      if (typeof value === 'object' && value !== null) return value as Claims
    } catch {
      // Told below.
    }
    throw wrong('it is no JSON')
  }
  const bytes = Buffer.from(signature, 'base64url')
  return { header: jsonOf(head), claims: jsonOf(body), signed: `${head}.${body}`, signature: bytes }
}

/** Which key signed a token: undefined when it does not say, or is no token. */
export function keyIdOf(token: string): string | undefined {
  const { kid } = partsOf(token).header
  return typeof kid === 'string' ? kid : undefined
}

/** The claims of a token that one of these keys signed for us, now; throws for any other. */
export function verifyIdToken(token: string, keys: readonly PublishedKey[], expected: Expected): Claims {
  const { header, claims, signed, signature } = partsOf(token)
  const { alg, kid } = header
  if (alg !== 'RS256' && alg !== 'ES256') throw wrong(`algorithm ${String(alg)}`)
  if (header['crit'] !== undefined) throw wrong('it asks for what is not known here')
  const fitting = keys.filter(
    (key) =>
      (kid === undefined || key.kid === kid) &&
      (key.use === undefined || key.use === 'sig') &&
      (key.alg === undefined || key.alg === alg),
  )
  const isSigned = fitting.some((key) => {
    try {
      const options = algorithms[alg](createPublicKey({ key, format: 'jwk' }))
      return options && verify('sha256', Buffer.from(signed), options, signature)
    } catch {
      return false
    }
  })
  if (!isSigned) throw wrong('none of the provider’s keys signed it')
  checkClaims(claims, expected)
  return claims
}

function checkClaims(claims: Claims, { issuer, clientId, nonce, nowMs }: Expected): void {
  const { iss, aud, azp, exp, iat, sub } = claims
  if (iss !== issuer) throw wrong(`issuer ${String(iss)}`)
  const audience = Array.isArray(aud) ? (aud as unknown[]) : [aud]
  if (!audience.includes(clientId)) throw wrong('it is for somebody else')
  if ((audience.length > 1 || azp !== undefined) && azp !== clientId)
    throw wrong('it was given to somebody else')
  const now = nowMs / 1000
  if (typeof exp !== 'number' || exp + skewSeconds <= now) throw wrong('it has expired')
  if (typeof iat !== 'number' || iat - skewSeconds > now) throw wrong('it is from the future')
  if (claims['nonce'] !== nonce) throw wrong('its nonce is not ours')
  if (typeof sub !== 'string' || sub === '' || sub.length > 255) throw wrong('it names nobody')
}
