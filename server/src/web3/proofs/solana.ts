import { ed25519 } from '@noble/curves/ed25519.js'
import { base58Bytes } from '../../wallets/index.ts'

/** A signature as wallets return it: in base58, base64 or hex. 64 bytes, or undefined. */
export function ed25519Signature(text: string): Buffer | undefined {
  const bytes = /^0x[0-9a-f]{128}$/i.test(text)
    ? Buffer.from(text.slice(2), 'hex')
    : /^[A-Za-z0-9+/]{86}==$/.test(text)
      ? Buffer.from(text, 'base64')
      : /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text)
        ? base58Bytes(text)
        : undefined
  return bytes?.length === 64 ? bytes : undefined
}

/**
 * Whether the owner of a Solana address signed this. Strict: the usual ed25519 check accepts one forged
 * signature for every message from addresses of small order, and several encodings of one signature. This
 * rejects non-canonical points, keys outside of the prime-order group, an R of small order, and s beyond the
 * group's order.
 */
export function solanaSigned(address: string, text: string, signature: Buffer): boolean {
  const key = base58Bytes(address)
  if (key?.length !== 32) return false
  try {
    const owner = ed25519.Point.fromBytes(key, false)
    const r = ed25519.Point.fromBytes(signature.subarray(0, 32), false)
    if (owner.isSmallOrder() || !owner.isTorsionFree() || r.isSmallOrder()) return false
    return ed25519.verify(signature, Buffer.from(text, 'utf8'), key, { zip215: false })
  } catch {
    return false
  }
}
