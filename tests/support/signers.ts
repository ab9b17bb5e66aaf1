import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { checksummed } from '../../server/src/wallets/address.ts'
import { textHash } from '../../server/src/web3/proofs/account.ts'

/** A wallet whose owner is the test. */
export type Signer = { readonly address: string; readonly sign: (text: string) => string }

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`

/** 65 bytes r, s and v of a hash. */
export function signHash(secret: Uint8Array, hash: Uint8Array): Buffer {
  const made = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' })
  return Buffer.from([...made.subarray(1), 27 + (made[0] ?? 0)])
}

export function addressOf(secret: Uint8Array): string {
  const key = secp256k1.getPublicKey(secret, false)
  return checksummed(hex(keccak_256(key.subarray(1)).subarray(12)))
}

export function evmSigner(
  secret = secp256k1.utils.randomSecretKey(),
): Signer & { readonly secret: Uint8Array } {
  return { secret, address: addressOf(secret), sign: (text) => hex(signHash(secret, textHash(text))) }
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export function base58(bytes: Uint8Array): string {
  let value = BigInt(hex(bytes).padEnd(3, '0'))
  let text = ''
  for (; value > 0n; value /= 58n) text = alphabet[Number(value % 58n)] + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text
}

export function solanaSigner(): Signer {
  const secret = ed25519.utils.randomSecretKey()
  return {
    address: base58(ed25519.getPublicKey(secret)),
    sign: (text) => base58(ed25519.sign(Buffer.from(text), secret)),
  }
}
