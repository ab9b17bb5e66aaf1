import { createPublicKey, type KeyObject, verify } from 'node:crypto'

/** How much the time of a request may differ from this machine's clock. */
export const toleranceSeconds = 300

/** The public key of the application, as the developer portal shows it: 64 hex digits. */
export function publicKeyOf(hex: string): KeyObject {
  if (!/^[0-9a-f]{64}$/i.test(hex)) throw new TypeError('publicKey is not 64 hex digits')
  const x = Buffer.from(hex, 'hex').toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

export type SignedRequest = {
  readonly signature: string | undefined
  readonly timestamp: string | undefined
  readonly body: Uint8Array
}

/** Whether Discord signed this request within the last 5 minutes. */
export function isSigned({ signature, timestamp, body }: SignedRequest, key: KeyObject): boolean {
  if (!signature || !timestamp) return false
  if (!/^[0-9a-f]{128}$/i.test(signature) || !/^[0-9]{1,12}$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const signed = Buffer.concat([Buffer.from(timestamp), body])
  return verify(null, signed, key, Buffer.from(signature, 'hex'))
}
