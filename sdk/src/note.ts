import type { Checkpoint } from './verify.ts'

/** Verifies a signed checkpoint, a C2SP signed note, with a public key that you stored: docs/checkpoints.md. */

/** What a note says, once its signature is verified. */
export type SignedCheckpoint = Checkpoint & {
  readonly realmId: string
  /** The key’s name, and the realm’s id. */
  readonly origin: string
  /** When the server signed it, by its own clock. */
  readonly signedAt: string
  /** The verifier key that signed it. */
  readonly key: string
}

/** Why a note proves nothing. */
export class NoteError extends Error {
  override readonly name = 'NoteError'
}

type Bytes = Uint8Array<ArrayBuffer>
const encoder = new TextEncoder()

/** No bytes for invalid base64. */
function bytesIn(base64: string): Bytes {
  try {
    return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

const hexOf = (bytes: Bytes): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The signed text, a blank line, and one signature or more. */
const noteForm = /^(.*\n)\n((?:— [^\s+]+ [A-Za-z0-9+/=]+\n)+)$/s
const lines = [
  '((.+)/realms/([A-Za-z0-9_-]{1,64})/journal)',
  '(0|[1-9][0-9]{0,18})',
  '([A-Za-z0-9+/]{43}=)',
  'exchequer-hash-chain 1',
  'signed-at (\\S+)',
]
const textForm = new RegExp(`^${lines.join('\n')}\n$`)
const keyForm = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/
const ed25519 = 1

/**
 * A note’s checkpoint, for `against` of `verifyChain`. `keys` are verifier keys, `name+id+base64`: one of
 * them must have signed it. Throws a NoteError when the note is not valid, or of another realm.
 *
 * @example
 * ```ts
 * const { note } = await realm.checkpoint()
 * const against = await openNote(note, { realmId, keys: storedKeys })
 * ```
 */
export async function openNote(
  note: string,
  { realmId, keys }: { readonly realmId: string; readonly keys: readonly string[] },
): Promise<SignedCheckpoint> {
  // A tool or a chat may have changed the line ends.
  const [, text = '', signatures = ''] = noteForm.exec(`${note.replaceAll('\r\n', '\n').trimEnd()}\n`) ?? []
  const [, origin = '', name, realm, seq = '', hash = '', signedAt = ''] = textForm.exec(text) ?? []
  if (origin === '') throw new NoteError('this is not a signed checkpoint of Exchequer')
  if (realm !== realmId) throw new NoteError(`it is of the realm ${realm}, not of ${realmId}`)
  const key = await signerOf({ text, signatures }, keys)
  if (key === undefined) throw new NoteError('no given key has signed it, or it was changed')
  if (!key.startsWith(`${name}+`))
    throw new NoteError(`its origin is ${origin}, which the key ${key} does not sign for`)
  return { realmId, origin, seq: BigInt(seq), hash: hexOf(bytesIn(hash)), signedAt, key }
}

type Signed = { readonly text: string; readonly signatures: string }

/** The first key with a valid signature. */
async function signerOf(signed: Signed, keys: readonly string[]): Promise<string | undefined> {
  for (const key of keys) if (await isSignedBy(signed, key.trim())) return key.trim()
  return undefined
}

async function isSignedBy({ text, signatures }: Signed, key: string): Promise<boolean> {
  const [, name = '', id, base64 = ''] = keyForm.exec(key) ?? []
  const typed = bytesIn(base64)
  const named = new Uint8Array([...encoder.encode(`${name}\n`), ...typed])
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', named))
  if (typed[0] !== ed25519 || hexOf(digest.slice(0, 4)) !== id)
    throw new NoteError(`${key} is not a verifier key`)
  const verifier = await crypto.subtle.importKey('raw', typed.slice(1), 'Ed25519', false, ['verify'])
  for (const line of signatures.trimEnd().split('\n')) {
    const [, signer, signature = ''] = line.split(' ')
    const bytes = bytesIn(signature)
    // A note may have signatures of other keys too.
    if (signer !== name || hexOf(bytes.slice(0, 4)) !== id) continue
    if (await crypto.subtle.verify('Ed25519', verifier, bytes.slice(4), encoder.encode(text))) return true
  }
  return false
}
