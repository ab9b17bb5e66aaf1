import { Cipher, type KeySecret } from '../keys/index.ts'

/** Encrypts what a browser stores for us: only we can read or create it, and it expires. */
export class Seal {
  readonly #cipher: Cipher

  /** `purpose` separates one use of the same secrets from another. */
  constructor(secrets: readonly KeySecret[], purpose: string) {
    this.#cipher = new Cipher(secrets, purpose)
  }

  seal(value: object, seconds: number): string {
    return this.#cipher.encrypt(JSON.stringify({ value, untilMs: Date.now() + seconds * 1000 }))
  }

  /** Undefined for what is not ours, was altered, or has expired. */
  open(sealed: string): unknown {
    const text = this.#cipher.decrypt(sealed)
    if (text === undefined) return undefined
    const { value, untilMs } = JSON.parse(text) as { value: unknown; untilMs: number }
    return untilMs > Date.now() ? value : undefined
  }
}
