import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** What an EVM account signs for a text: ERC-191, version 0x45. */
export function textHash(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  const prefix = Buffer.from(`\u0019Ethereum Signed Message:\n${bytes.length}`, 'utf8')
  return Buffer.from(keccak_256(Buffer.concat([prefix, bytes])))
}

const signatureBytes = 65

/**
 * The account that made a signature, in lower case; undefined when no account did. 65 bytes r, s and v, with
 * s in the lower half: the upper half would allow a second valid signature, derived without the key.
 */
export function signerOf(hash: Buffer, signature: Buffer): string | undefined {
  if (signature.length !== signatureBytes) return undefined
  const recovery = (signature[signatureBytes - 1] ?? 0) % 27
  if (![0, 1, 27, 28].includes(signature[signatureBytes - 1] ?? -1)) return undefined
  try {
    const parsed = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact')
    if (parsed.hasHighS()) return undefined
    const key = parsed.addRecoveryBit(recovery).recoverPublicKey(hash).toBytes(false)
    return `0x${Buffer.from(keccak_256(key.subarray(1))).toString('hex', 12)}`
  } catch {
    // r or s out of range, or not a point of the curve.
    return undefined
  }
}
