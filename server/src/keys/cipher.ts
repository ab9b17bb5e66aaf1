import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { KeySecret } from './text.ts'

const nonceBytes = 12
const tagBytes = 16
const cipher = 'aes-256-gcm'

/** Encrypts with keys derived from KEY_SECRETS: with the first one; the others still decrypt. */
export class Cipher {
  readonly #keys: readonly { readonly id: string; readonly key: Buffer }[]

  /** `purpose` separates one use of the same secrets from another. */
  constructor(secrets: readonly KeySecret[], purpose: string) {
    this.#keys = secrets.map(({ id, secret }) => {
      return { id, key: createHmac('sha256', secret).update(`seal ${purpose}`).digest() }
    })
  }

  encrypt(text: string): string {
    const [first] = this.#keys
    if (!first) throw new Error('there is no secret to encrypt with')
    const nonce = randomBytes(nonceBytes)
    const sealing = createCipheriv(cipher, first.key, nonce)
    const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
    return Buffer.concat([nonce, sealing.getAuthTag(), body]).toString('base64url')
  }

  /** Undefined for what was altered, or was encrypted with a secret that is no longer in KEY_SECRETS. */
  decrypt(sealed: string): string | undefined {
    return this.#open(sealed)?.text
  }

  /** The id of the secret that decrypts it; undefined as above. */
  secretOf(sealed: string): string | undefined {
    return this.#open(sealed)?.id
  }

  #open(sealed: string): { readonly id: string; readonly text: string } | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length <= nonceBytes + tagBytes) return undefined
    for (const { id, key } of this.#keys) {
      const text = decryptWith(key, bytes)
      if (text !== undefined) return { id, text }
    }
    return undefined
  }
}

function decryptWith(key: Buffer, bytes: Buffer): string | undefined {
  try {
    const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    const body = bytes.subarray(nonceBytes + tagBytes)
    return Buffer.concat([opening.update(body), opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
