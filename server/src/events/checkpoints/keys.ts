import { createPrivateKey, createPublicKey, hash as digest, type KeyObject, randomBytes } from 'node:crypto'

/**
 * Keys in the text forms of C2SP signed notes, which other tools read too: a signer key is
 * `PRIVATE+KEY+<name>+<id>+<base64>`, a verifier key `<name>+<id>+<base64>`.
 */

/** Ed25519 in the registry of signature types. */
const ed25519 = 0x01
const keyBytes = 32
/** What precedes the 32 bytes of a private key in PKCS #8. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A host, with a path if need be. The format excludes spaces and plus signs, the setting commas. */
const nameForm = /^[A-Za-z0-9._~:/-]{1,200}$/

export type VerifierKey = {
  readonly name: string
  /** 4 bytes in hex, from the name and the public key. */
  readonly id: string
  readonly publicKey: Buffer
}
export type SignerKey = VerifierKey & { readonly privateKey: KeyObject }

/** The key that signs, and all keys whose notes are still valid: that one first, then older ones. */
export type CheckpointKeys = { readonly signer: SignerKey; readonly verifiers: readonly VerifierKey[] }

export function keyIdOf(name: string, publicKey: Uint8Array): string {
  const bytes = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ed25519), publicKey])
  return digest('sha256', bytes, 'hex').slice(0, 8)
}

const typed = (key: Uint8Array): string => Buffer.concat([Buffer.of(ed25519), key]).toString('base64')

export const verifierText = ({ name, id, publicKey }: VerifierKey): string =>
  `${name}+${id}+${typed(publicKey)}`

function signerOf(name: string, seed: Uint8Array): SignerKey {
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-keyBytes)
  return { name, id: keyIdOf(name, publicKey), publicKey, privateKey }
}

/** Name, id and key bytes; undefined for any other text. */
function parts(text: string): { name: string; id: string; bytes: Buffer } | undefined {
  const [, name = '', id = '', base64 = ''] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? []
  const bytes = Buffer.from(base64, 'base64')
  const isKey = bytes.length === keyBytes + 1 && bytes[0] === ed25519 && bytes.toString('base64') === base64
  return isKey && nameForm.test(name) ? { name, id, bytes: bytes.subarray(1) } : undefined
}

const signerMark = 'PRIVATE+KEY+'

function keyIn(text: string): VerifierKey | SignerKey | undefined {
  const isSigner = text.startsWith(signerMark)
  const found = parts(isSigner ? text.slice(signerMark.length) : text)
  if (!found) return undefined
  const { name, id, bytes } = found
  const key = isSigner ? signerOf(name, bytes) : { name, id: keyIdOf(name, bytes), publicKey: bytes }
  return key.id === id ? key : undefined
}

/**
 * Reads a comma-separated list: the key that signs, then older ones, private or public. `wrong` is the
 * position of the first invalid one, from 1; the text itself is a secret.
 */
export function checkpointKeysIn(text: string): CheckpointKeys | { readonly wrong: number } {
  const keys = text.split(',').map((one) => keyIn(one.trim()))
  const [signer] = keys
  if (!signer || !('privateKey' in signer)) return { wrong: 1 }
  const verifiers = keys.filter((key) => key !== undefined)
  return verifiers.length === keys.length ? { signer, verifiers } : { wrong: keys.indexOf(undefined) + 1 }
}

export type NewCheckpointKey = { readonly signer: string; readonly verifier: string }

/** A new key; undefined when the name is not valid. */
export function createCheckpointKey(
  name: string,
  seed = randomBytes(keyBytes),
): NewCheckpointKey | undefined {
  if (!nameForm.test(name)) return undefined
  const key = signerOf(name, seed)
  return { signer: `${signerMark}${name}+${key.id}+${typed(seed)}`, verifier: verifierText(key) }
}
