import { createHmac, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6

/** The format of our secrets: a prefix that says what kind it is, and 36 letters and digits. */
export class TextForm {
  readonly prefix: string
  /** The published pattern, for secret scanners. */
  readonly pattern: string
  readonly #pattern: RegExp

  constructor(prefix: string) {
    this.prefix = prefix
    this.pattern = `^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`
    this.#pattern = new RegExp(this.pattern)
  }

  make(): string {
    let body = this.prefix
    for (let place = 0; place < randomLength; place++) body += digits[randomInt(62)]
    return body + checksum(body)
  }

  /** A mistyped secret is recognized without a query. */
  fits(text: string): boolean {
    return (
      this.#pattern.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
    )
  }

  /** The part that may be shown later. */
  shown(text: string): { readonly prefix: string; readonly lastFour: string } {
    return { prefix: text.slice(0, this.prefix.length + 4), lastFour: text.slice(-4) }
  }
}

export const keyForm = new TextForm('exq_')
export const tokenForm = new TextForm('exo_')
/** A person's session, its short-lived keys, and the secret of a one-time link. */
export const sessionForm = new TextForm('exs_')
export const sessionKeyForm = new TextForm('exk_')
export const linkForm = new TextForm('exl_')

/** CRC-32 of prefix and random part, in base62. */
function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let place = 0; place < checksumLength; place++) {
    text = digits[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** What keys are hashed with. The first is used for new keys; the others still check older ones. */
export type KeySecret = { readonly id: string; readonly secret: string }

export const hashOf = (text: string, { secret }: KeySecret): Buffer =>
  createHmac('sha256', secret).update(text).digest()

/** The secret that new keys are hashed with. */
export function currentSecret([current]: readonly KeySecret[]): KeySecret {
  if (!current) throw new Error('there is no secret to hash keys with')
  return current
}
