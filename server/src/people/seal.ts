import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { KeySecret } from '../keys/index.ts'

const nonceBytes = 12
const tagBytes = 16
const cipher = 'aes-256-gcm'

/** Encrypts what a browser stores for us: only we can read or create it, and it expires. */
export class Seal {
  readonly #keys: readonly Buffer[]

  /** `purpose` separates one use of the same secrets from another. */
  constructor(secrets: readonly KeySecret[], purpose: string) {
    this.#keys = secrets.map(({ secret }) => createHmac('sha256', secret).update(`seal ${purpose}`).digest())
  }

  seal(value: object, seconds: number): string {
    const [key] = this.#keys
    if (!key) throw new Error('there is no secret to seal with')
    const nonce = randomBytes(nonceBytes)
    const sealing = createCipheriv(cipher, key, nonce)
    const text = JSON.stringify({ value, untilMs: Date.now() + seconds * 1000 })
    const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
    return Buffer.concat([nonce, sealing.getAuthTag(), body]).toString('base64url')
  }

  /** Undefined for what is not ours, was altered, or has expired. */
  open(sealed: string): unknown {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length <= nonceBytes + tagBytes) return undefined
    for (const key of this.#keys) {
      const text = openWith(key, bytes)
      if (text === undefined) continue
      const { value, untilMs } = JSON.parse(text) as { value: unknown; untilMs: number }
      return untilMs > Date.now() ? value : undefined
    }
    return undefined
  }
}

function openWith(key: Buffer, bytes: Buffer): string | undefined {
  try {
    const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    const body = bytes.subarray(nonceBytes + tagBytes)
    return Buffer.concat([opening.update(body), opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
